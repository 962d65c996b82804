/* Notes a little off, as hands play them: each start earlier or later, each velocity
 * softer or louder, by a bounded bell curve. The same seed and notes give the same.
 *
 * No note moves half the way to the notes of its track before or after it, so that they
 * stay in their order; notes that begin together part by as much as each is off. Their
 * length stays, and what was played (midi/score/played.h). Pure functions, any thread. */
#ifndef MIDI_HUMANISE_H
#define MIDI_HUMANISE_H

#include "midi/score/score.h"

#define HUMANISE_MOST_MS 1000.0

struct humanise {
    double ms;    /* the most that a start moves */
    int velocity; /* and a velocity changes */
    uint64_t seed;
};

extern const struct humanise HUMANISE_DEFAULT;

/* In [-1, 1], the i-th of a seed: a sum of uniform numbers that comes near a Gaussian of
 * deviation 0.4 (the central limit; Irwin and Hall, 1927), cut where it is larger. In
 * whole numbers, so that every machine draws the same. */
double humanise_draw(uint64_t seed, uint64_t i);

/* notes [n] are of the track, in its order. Draws from the first_draw-th on, two for
 * each. */
void humanise_notes(const struct humanise *h, const struct timeline *timeline,
                    const struct track *t, struct note *notes, size_t n,
                    uint64_t first_draw);

#endif
