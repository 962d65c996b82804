/* How a note was played, where it has been moved since: raw_start and raw_length of
 * struct note hold the difference. Pure functions, any thread. */
#ifndef MIDI_PLAYED_H
#define MIDI_PLAYED_H

#include "midi/score/score.h"

/* Never before 0. */
int64_t played_start(const struct note *n);
/* 0 of a note of no length, of others at least 1. */
int64_t played_length(const struct note *n);

/* `after` is what became of `before`, and was played as that was. Differences that no
 * int32 holds (thousands of bars) are cut to it. */
void played_keep(struct note *after, const struct note *before);
/* As it was played; false: it is already. */
bool played_restore(struct note *n);

#endif
