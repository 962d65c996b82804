/* Time put into a score, and taken out again: an inner part of midi/apply.c. */
#ifndef MIDI_SHIFT_H
#define MIDI_SHIFT_H

#include "midi/score.h"

/* As change_insert_time says; in place, nothing is allocated, and the timeline is the
 * caller's to bring up to date. by > 0. shift_back undoes it exactly. */
void shift_on(struct score *s, int64_t at, int64_t by);
void shift_back(struct score *s, int64_t at, int64_t by);

#endif
