/* Makes notes slightly irregular, as if played: shifts starts and velocities at random,
 * within bounds. The same seed and notes give the same result.
 *
 * A note moves less than half the way to its neighbours in the track, so the order
 * stays; notes that begin together may part. Lengths and played times
 * (midi/score/notes.h) stay. Pure functions, any thread. */
#ifndef MIDI_HUMANISE_H
#define MIDI_HUMANISE_H

#include "midi/score/score.h"

#define HUMANISE_MOST_MS 1000.0

struct humanise {
    double ms;    /* the largest shift of a start */
    int velocity; /* the largest change of a velocity */
    uint64_t seed;
};

extern const struct humanise HUMANISE_DEFAULT;

/* Returns the i-th number of a seed, in [-1, 1]: a clipped sum of uniform numbers,
 * which is nearly Gaussian with deviation 0.4 (Irwin and Hall, 1927). It is computed in
 * integers, so every machine draws the same. */
double humanise_draw(uint64_t seed, uint64_t i);

/* Humanises n notes of the track, in track order. Uses two random numbers a note, from
 * number first_draw on. */
void humanise_notes(const struct humanise *h, const struct timeline *timeline,
                    const struct track *t, struct note *notes, size_t n,
                    uint64_t first_draw);

#endif
