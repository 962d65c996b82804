/* What the files of this room need to know of a note beside its fields. */
#ifndef MIDI_NOTE_H
#define MIDI_NOTE_H

#include "midi/score/score.h"

/* No time in a score is later: deltas added up over the largest file stay far
 * below, and sums of two such times do not overflow. */
#define TICK_MAX ((int64_t)1 << 60)

static inline bool note_is_valid(const struct note *n)
{
    return n->start >= 0 && n->length >= 0 && n->start <= TICK_MAX &&
           n->length <= TICK_MAX && n->pitch < 128 && n->velocity >= 1 &&
           n->velocity < 128 && n->off_velocity < 128;
}

/* The order of a track's notes: (start, pitch, id). */
int note_compare(const struct note *a, const struct note *b);

/* In every field. */
static inline bool note_equal(const struct note *a, const struct note *b)
{
    return note_compare(a, b) == 0 && a->length == b->length &&
           a->velocity == b->velocity && a->off_velocity == b->off_velocity &&
           a->flags == b->flags && a->on_order == b->on_order &&
           a->off_order == b->off_order && a->raw_start == b->raw_start &&
           a->raw_length == b->raw_length;
}

#endif
