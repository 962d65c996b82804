/* The chords of a piece, guessed from its notes (midi/tokens/chord_guess.h), as symbols and as
 * texts of the file (midi/edit/timeline_events.h); and the tracks of a band that accompanies
 * a melody. Pure functions. */
#ifndef APP_CHORD_TEXTS_H
#define APP_CHORD_TEXTS_H

#include "midi/edit/edit.h"
#include "midi/score/band.h"
#include "midi/score/chord.h"

/* Guesses the chords of the music; the caller frees *out. harmonises: a tune that plays alone gets
 * chords, also where its notes make none. MIDI_EMPTY: there is nothing to guess from. */
enum midi_status chords_guess(struct chord_mark **out, size_t *n, const struct score *s,
                              bool harmonises);
/* Adds the guessed chords of [from, to) to a change, in place of the chords there. */
enum midi_status change_guess_chords(struct change *c, const struct score *s,
                                     int64_t from, int64_t to, bool harmonises);

/* Adds a track for each instrument of the band, and guessed chords if the score has none written; a
 * tune alone is harmonised. *tracks: the new tracks, a bit each. MIDI_TOO_LONG: the model cannot write
 * on so many tracks. */
enum midi_status change_add_band(struct change *c, const struct score *s,
                                 const struct band *band, uint64_t *tracks);

/* Finds the span [*from, *to) of the bars that have notes of the track, in ticks, without a pickup. The
 * track has at least one note. */
void band_bars(const struct score *s, int track, int64_t *from, int64_t *to);

#endif
