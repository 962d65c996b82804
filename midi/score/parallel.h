/* Parallel fifths and octaves, the first fault in part writing: two voices move in the
 * same direction from a fifth to a fifth, or from an octave to an octave. A twelfth
 * counts as a fifth, and a unison as an octave. Pure functions, any thread. */
#ifndef MIDI_PARALLEL_H
#define MIDI_PARALLEL_H

#include <stdlib.h>

enum parallel { PARALLEL_NONE, PARALLEL_FIFTHS, PARALLEL_OCTAVES };

/* One voice moves from pitch a to to_a while another moves from b to to_b. */
static inline enum parallel parallel_of(int a, int to_a, int b, int to_b)
{
    const int was = abs(a - b) % 12, is = abs(to_a - to_b) % 12;
    if ((to_a - a) * (to_b - b) <= 0 || was != is)
        return PARALLEL_NONE;
    return is == 7 ? PARALLEL_FIFTHS : is == 0 ? PARALLEL_OCTAVES : PARALLEL_NONE;
}

#endif
