/* Chord symbols as text (midi/score/chord.h) and as tokens have them, with fewer
 * qualities. Pure functions, any thread. */
#ifndef MIDI_GRID_CHORD_H
#define MIDI_GRID_CHORD_H

#include "midi/score/chord.h"
#include "midi/tokens/piece.h"

/* The nearest that tokens have: C6 and C5 are C, Cm9 is Cm7, Csus2 is Gsus4 over C; C/Bb is C7/Bb.
 * Leaves the step alone. false: `symbol` is not a chord symbol with a root, nor "N.C.". */
bool grid_chord_read(const char *symbol, struct grid_chord *out);
/* The inverse, as far as there is one. Returns buf: "Am7", "G7/B", "N.C.". */
const char *grid_chord_name(const struct grid_chord *c, bool flats,
                            char buf[CHORD_TEXT]);

/* The classes of its notes, and its bass, as its symbol says them. false: it has no notes. */
bool grid_chord_notes(const struct grid_chord *c, struct chord_symbol *notes);

/* Of ascending chords: returns the number of those that begin at or before a step; the last of these is in force. */
size_t grid_chords_until(const struct grid_chord *chords, size_t n, int64_t step);
/* Removes each chord that equals the one before; returns how many are left. */
size_t grid_chords_join(struct grid_chord *chords, size_t n);
/* The share of beats in [from, to), steps, that have the root of the beat `by` steps later; 1 if n
 * is 0. */
double grid_chords_alike(const struct grid_chord *chords, size_t n, int64_t from,
                         int64_t to, int64_t by);

#endif
