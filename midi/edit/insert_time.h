/* Inserting time into a score and removing it again; for the files of midi/edit
 * only. */
#ifndef MIDI_INSERT_TIME_H
#define MIDI_INSERT_TIME_H

#include "midi/score/score.h"

/* Whether the music and its chunks still end before TICK_MAX. */
bool insert_time_fits(const struct score *s, int64_t by);

/* Does what change_insert_time says, by > 0; the caller rebuilds the timeline.
 * remove_time undoes it exactly. false: out of memory, and nothing changed. Removing
 * after inserting never fails. */
bool insert_time(struct score *s, int64_t at, int64_t by);
bool remove_time(struct score *s, int64_t at, int64_t by);

#endif
