/* Whose the events of a chunk are: an inner part of midi/edit/track_edit.h. Pure functions. */
#ifndef MIDI_TRACK_EVENTS_H
#define MIDI_TRACK_EVENTS_H

#include "midi/score/score.h"

enum { NO_CHANNEL = -1 };

/* The channel that an event belongs to, or NO_CHANNEL. Channel messages say it, and so
 * do channel prefixes (SMF 1.0), which speak for the texts that follow up to the next
 * message. *prefix holds the one in force; before a chunk's first event it is NO_CHANNEL.
 */
int event_owner(const struct event *e, int *prefix);

/* The event that names the track when its file is read; NULL: none does. */
const struct event *track_name_event(const struct score *s, int track);

/* The program change it begins with; NULL: it has none before its first note. */
const struct event *track_program_event(const struct score *s, int track);

/* Where a new program change goes at tick 0: after the channel's bank selects there. */
uint32_t track_program_order(const struct score *s, int track);

/* The chunk's notes for that channel that are in no track. */
bool chunk_has_loose_notes(const struct chunk *c, int channel);

/* Nothing in the track's chunk concerns anything but this track, and it is not the
 * first. */
bool track_has_own_chunk(const struct score *s, int track);

#endif
