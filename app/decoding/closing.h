/* How well music ends: with the tonic in the bass, under its triad, on a strong beat of the
 * last bar, and held. The key is guessed from the music around. Takes that were asked to
 * close are ranked by it (app/decoding/continuation.h). Pure functions, any thread. */
#ifndef APP_CLOSING_H
#define APP_CLOSING_H

#include "midi/tokens/piece.h"
#include "midi/score/scale.h"

/* The key of what lies outside [from, to), steps; of all, where nothing does: how long each
 * pitch class sounds, and the bass of the first bar beside, against the profiles of Albrecht
 * & Shanahan, "The Use of Large Corpora to Train a New Type of Key-Finding Algorithm" (Music
 * Perception 31(1), 2013). false: nothing tells. Hits have no key. */
bool closing_key(const struct piece *p, int64_t from, int64_t to, struct scale *out);

/* 0..1, of the notes that sound in [from, to), as an end in that key: 1 is a close that
 * could not be better, and without the tonic in the bass it is less than a
 * half. The last chord is what sounds when the last note begins, or later. 0 without
 * notes. */
double closing_worth(const struct piece *p, int64_t from, int64_t to,
                     const struct scale *key);

#endif
