/* The array of a track's notes: shared by a score and its clones until one of them
 * writes, so that a clone costs nothing for its notes, and an edit copies only the track
 * it touches. `track.notes` is const, so that nobody writes without asking here first.
 *
 * The count of sharers is atomic: clones of one score may be read, changed and destroyed
 * by several threads at once, each its own. A track whose n_sharers is NULL has no notes,
 * or such as belong to somebody else; those are copied. */
#ifndef MIDI_NOTES_H
#define MIDI_NOTES_H

#include "midi/score/score.h"

/* Makes the array the track's own, with room for `room` notes, n_notes at least. The
 * caller may write to it, and sets n_notes, until the score is cloned. NULL: out of
 * memory, and all is as it was. */
struct note *notes_own(struct track *t, size_t room);

/* Gives `to`, which has no notes, those of `from`. false: out of memory. */
bool notes_share(struct track *to, const struct track *from);

/* Takes an array from malloc for a track without notes. false: out of memory, and the
 * array is still the caller's. */
bool notes_adopt(struct track *t, struct note *notes, size_t n, size_t cap);

/* The track has none any more. */
void notes_release(struct track *t);

/* Two tracks trade their notes, and nothing else. */
void notes_swap(struct track *a, struct track *b);

/* What the files of this room need to know of a note beside its fields. */

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

/* How a note was played, where it has been moved since: raw_start and raw_length of
 * struct note hold the difference. Pure functions, any thread. */

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
