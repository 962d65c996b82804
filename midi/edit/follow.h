/* Places in the music, followed through time that is put in and taken out again. */
#ifndef MIDI_FOLLOW_H
#define MIDI_FOLLOW_H

#include "midi/edit/edit.h"

/* Where a tick of the one state's music stands in the other's. What begins where time is
 * put in moves on, as notes do; an end (`is_end`) there stays. What stood in time that is
 * taken out comes to stand where that was, and nothing later than TICK_MAX. Of more than 256 such changes on the way from
 * one state to the other, the first are left out. */
int64_t history_follow(const struct history *h, uint64_t from, uint64_t to,
                       int64_t tick, bool is_end);

#endif
