/* Holes to train on: drawn in pieces as composers will ask for them, whole bars most
 * of all, but also a few steps, one hand, a band of pitches, the bars that follow or
 * come before, with notes that stay, and with some wishes or none. Pure functions. */
#ifndef APP_CORPUS_HOLE_H
#define APP_CORPUS_HOLE_H

#include "midi/tokens/fill.h"
#include "model/decoder/sampler.h"

/* A hole with notes in it, split off p, which has at most BAR_TABLE_SIZE bars.
 * MIDI_EMPTY: none was found, or p is too long for one. */
enum midi_status corpus_hole_draw(struct fill *f, const struct piece *p, bool to_end,
                                  struct rng *r);

/* Which tokens of a whole sequence are worth learning, [n]: not where the hole is
 * marked, nor what is asked of it, nor the chords around it, which nobody need guess. */
void corpus_hole_counts(const struct tokens *t, bool *counts);
/* The same of a plain one whose chords are given: not these, nor a place of theirs where
 * no note begins. */
void corpus_chord_counts(const struct tokens *t, bool *counts);

#endif
