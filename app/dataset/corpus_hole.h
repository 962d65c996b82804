/* Draws holes to train on, such as users will request: mostly whole bars, but also a few
 * steps, one hand, a band of pitches, or the bars before or after the music. Some keep some
 * notes; some have controls. Pure functions. */
#ifndef APP_CORPUS_HOLE_H
#define APP_CORPUS_HOLE_H

#include "midi/tokens/fill.h"
#include "model/decoder/sampler.h"

/* Splits a hole with notes in it off p, which has at most BAR_TABLE_SIZE bars. MIDI_EMPTY:
 * none was found, or p is too long. */
enum midi_status corpus_hole_draw(struct fill *f, const struct piece *p, bool to_end,
                                  struct rng *r);

/* Stores which tokens of a whole sequence are to be learnt, [n]. The hole's mark, its request
 * and the chords around it are not, since they are always given. */
void corpus_hole_counts(const struct tokens *t, bool *counts);
/* The same for a plain sequence with given chords: not the chords, nor a position that only a
 * chord needs. */
void corpus_chord_counts(const struct tokens *t, bool *counts);

#endif
