/* Doubles the sample rate, for a synthesizer that goes up to 96 kHz only.
 *
 * Every other frame is an original one. A frame between is a sum of its neighbours,
 * weighted by a windowed sinc (Kaiser's window, 1974), and flat to nine tenths of the
 * old band. Nothing is added above that band. Plain data, any one thread. */
#ifndef MIDI_DOUBLE_RATE_H
#define MIDI_DOUBLE_RATE_H

#include <stddef.h>

enum { DOUBLE_RATE_HALF = 32 }; /* neighbours on each side; also the delay in frames */

struct double_rate {
    float weight[DOUBLE_RATE_HALF];        /* of the k-th neighbour on each side */
    float before[2 * DOUBLE_RATE_HALF][2]; /* the latest frames, as a ring */
    size_t n;                              /* frames so far */
};

void double_rate_init(struct double_rate *d);
/* Takes the next frame (left, right). Returns in `out` the two frames at the place of
 * the frame that came DOUBLE_RATE_HALF earlier. */
void double_rate_next(struct double_rate *d, const float frame[2], float out[2][2]);

#endif
