/* Chord symbols as text (midi/score/chord.h), and as tokens have them, which is with
 * fewer qualities. Pure functions, any thread. */
#ifndef MIDI_GRID_CHORD_H
#define MIDI_GRID_CHORD_H

#include "midi/score/chord.h"
#include "midi/tokens/piece.h"

/* Reads the nearest chord that tokens have: C6 and C5 become C, Cm9 becomes Cm7, Csus2
 * becomes Gsus4 over C, C/Bb becomes C7/Bb. Leaves the step alone. Returns false if
 * `symbol` is neither a chord symbol with a root nor "N.C.". */
bool grid_chord_read(const char *symbol, struct grid_chord *out);
/* Writes the name of a chord: "Am7", "G7/B", "N.C.". Returns buf. */
const char *grid_chord_name(const struct grid_chord *c, bool flats,
                            char buf[CHORD_TEXT]);

/* Returns in *notes the pitch classes and the bass of the chord. false: it has no
 * notes. */
bool grid_chord_notes(const struct grid_chord *c, struct chord_symbol *notes);

/* Returns how many of these ascending chords begin at or before a step. The last of
 * them is in force. */
size_t grid_chords_until(const struct grid_chord *chords, size_t n, int64_t step);
/* Removes each chord that equals the one before. Returns how many are left. */
size_t grid_chords_join(struct grid_chord *chords, size_t n);
/* Returns the share of beats in [from, to), in steps, whose root is the same `by` steps
 * later; 1 if n is 0. */
double grid_chords_alike(const struct grid_chord *chords, size_t n, int64_t from,
                         int64_t to, int64_t by);

#endif
