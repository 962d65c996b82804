/* A band that accompanies a melody: its tracks as an edit of the score, and the bars they are
 * filled in. Pure functions. */
#ifndef APP_BAND_TRACKS_H
#define APP_BAND_TRACKS_H

#include "midi/edit/edit.h"
#include "midi/score/band.h"

/* Adds a track for each of the band; and the chords that the notes suggest, where the score has
 * none written. *tracks: the new ones, a bit each. MIDI_TOO_LONG: they would be more than can be
 * written on. */
enum midi_status change_add_band(struct change *c, const struct score *s,
                                 const struct band *band, uint64_t *tracks);

/* The bars [*from, *to) of the track's notes, in ticks, without a pickup; it has one at least. */
void band_bars(const struct score *s, int track, int64_t *from, int64_t *to);

#endif
