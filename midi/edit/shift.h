/* Time put into a score, and taken out again: an inner part of midi/edit/edit.h. */
#ifndef MIDI_SHIFT_H
#define MIDI_SHIFT_H

#include "midi/score/score.h"

/* Whether so many ticks more leave all of it, and the ends of its chunks, before TICK_MAX. */
bool shift_fits(const struct score *s, int64_t by);

/* As change_insert_time says; the timeline is the caller's to bring up to date. by > 0.
 * shift_back undoes it exactly. false: out of memory, and nothing was moved; what was
 * moved can be moved back. */
bool shift_on(struct score *s, int64_t at, int64_t by);
bool shift_back(struct score *s, int64_t at, int64_t by);

#endif
