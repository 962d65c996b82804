/* See degree.h. */
#include "midi/score/degree.h"

#include <stdbool.h>

static bool is_in(uint16_t mask, int pitch)
{
    return mask >> ((pitch % 12 + 12) % 12) & 1;
}

int degree_floor(uint16_t mask, int pitch)
{
    while (!is_in(mask, pitch))
        pitch--;
    return pitch;
}

int degree_move(uint16_t mask, int pitch, int steps)
{
    int at = degree_floor(mask, pitch), above = pitch - at;
    int by = steps < 0 ? -1 : 1;
    for (; steps != 0; steps -= by)
        do
            at += by;
        while (!is_in(mask, at));
    return at + above;
}
