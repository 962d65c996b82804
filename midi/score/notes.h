/* The notes of a track.
 *
 * They lie in one array, which a score shares with its clones until one of them writes.
 * So a clone copies no notes, and an edit copies only the notes of its own track.
 * `track.notes` is const; a writer calls notes_own first.
 *
 * The number of sharers is atomic, so several threads may read, change and destroy
 * clones of one score, each thread its own clone. If n_sharers is NULL, the track has
 * no notes or only borrows them; borrowed notes are copied when needed. */
#ifndef MIDI_NOTES_H
#define MIDI_NOTES_H

#include "midi/score/score.h"

/* Makes the array the track's own, with room for at least `room` notes and for all its
 * own. The caller may write to it, and may set n_notes, until the score is cloned.
 * Returns NULL if memory is out; then nothing has changed. */
struct note *notes_own(struct track *t, size_t room);

/* Lets `to`, which has no notes, share the notes of `from`. false: out of memory. */
bool notes_share(struct track *to, const struct track *from);

/* Gives a malloc'd array to a track without notes. Returns false if memory is out; then
 * the caller still owns the array. */
bool notes_adopt(struct track *t, struct note *notes, size_t n, size_t cap);

/* Removes all notes of the track. */
void notes_release(struct track *t);

/* Swaps the notes of two tracks, and nothing else. */
void notes_swap(struct track *a, struct track *b);

/* The latest tick of a score. The sum of all deltas of the largest file is far smaller,
 * and the sum of two such ticks does not overflow. */
#define TICK_MAX ((int64_t)1 << 60)

static inline bool note_is_valid(const struct note *n)
{
    return n->start >= 0 && n->length >= 0 && n->start <= TICK_MAX &&
           n->length <= TICK_MAX && n->pitch < 128 && n->velocity >= 1 &&
           n->velocity < 128 && n->off_velocity < 128;
}

/* Compares two struct note by (start, pitch, id), the order of a track's notes. For
 * qsort. */
int note_compare(const void *a, const void *b);

/* Whether all fields are equal. */
static inline bool note_equal(const struct note *a, const struct note *b)
{
    return note_compare(a, b) == 0 && a->length == b->length &&
           a->velocity == b->velocity && a->off_velocity == b->off_velocity &&
           a->flags == b->flags && a->on_order == b->on_order &&
           a->off_order == b->off_order && a->raw_start == b->raw_start &&
           a->raw_length == b->raw_length;
}

/* For a note that was moved or copied: its note-on comes last among the events of its
 * tick and its note-off first, and it is not hanging. */
static inline void note_lose_order(struct note *n)
{
    n->on_order = ORDER_LAST;
    n->off_order = ORDER_FIRST;
    n->flags &= (uint8_t)~NOTE_HANGING;
}

/* The time at which a note was played, before it was moved. raw_start and raw_length
 * hold the difference to its present time. Pure functions, any thread. */

/* Returns the played start, at least 0. */
int64_t played_start(const struct note *n);
/* Returns the played length: 0 for a note without length, else at least 1. */
int64_t played_length(const struct note *n);

/* Gives `after`, which was made from `before`, the played time of `before`. A
 * difference that exceeds int32 (thousands of bars) is clipped. */
void played_keep(struct note *after, const struct note *before);
/* Moves the note back to its played time. Returns false if it is there already. */
bool played_restore(struct note *n);

#endif
