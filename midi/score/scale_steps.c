/* See scale_steps.h. */
#include "midi/score/scale_steps.h"

bool scale_has(uint16_t mask, int pitch)
{
    return mask >> pitch % 12 & 1;
}

int scale_step(uint16_t mask, int pitch, int by)
{
    int one = by < 0 ? -1 : 1;
    while (by != 0) {
        pitch += one;
        if (pitch < 0 || pitch > 127)
            return -1;
        by -= scale_has(mask, pitch) ? one : 0;
    }
    return pitch;
}

int scale_nearest(uint16_t mask, int pitch)
{
    for (int off = 0; off < 12; off++) {
        if (pitch - off >= 0 && scale_has(mask, pitch - off))
            return pitch - off;
        if (pitch + off <= 127 && scale_has(mask, pitch + off))
            return pitch + off;
    }
    return pitch; /* an empty mask */
}
