/* Twice as many samples a second: what a synthesiser that goes no higher than 96 kHz gives,
 * at up to 192. Every other frame is one that was there; between them stands the sum of its
 * neighbours by a windowed sinc (Kaiser's window, 1974), flat to nine tenths of the old
 * band. Nothing is added above that. Plain data, any one thread. */
#ifndef MIDI_DOUBLE_RATE_H
#define MIDI_DOUBLE_RATE_H

#include <stddef.h>

enum {
    DOUBLE_RATE_HALF = 32
}; /* neighbours on each side; also frames it lags behind */

struct double_rate {
    float weight[DOUBLE_RATE_HALF];        /* of the k-th neighbour on either side */
    float before[2 * DOUBLE_RATE_HALF][2]; /* the latest frames, as in a ring */
    size_t n;                              /* that were given in all */
};

void double_rate_init(struct double_rate *d);
/* Takes the next frame (left and right) and gives the two that stand at the place of the
 * one DOUBLE_RATE_HALF before it. */
void double_rate_next(struct double_rate *d, const float frame[2], float out[2][2]);

#endif
