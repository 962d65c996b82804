/* The notes of a track: one array, shared by a score and its clones until one of
 * them writes. So cloning copies no notes, and an edit copies only its own track.
 * `track.notes` is const: writers call notes_own first.
 *
 * The count of sharers is atomic: several threads may read, change and destroy
 * clones of one score, each its own. A track whose n_sharers is NULL has no notes or
 * borrows them; borrowed notes are copied. */
#ifndef MIDI_NOTES_H
#define MIDI_NOTES_H

#include "midi/score/score.h"

/* Makes the array the track's own, with room for at least `room` and n_notes notes.
 * The caller may write to it and set n_notes until the score is cloned. NULL: out of
 * memory; nothing changed. */
struct note *notes_own(struct track *t, size_t room);

/* Gives the notes of `from` to `to`, which has none. false: out of memory. */
bool notes_share(struct track *to, const struct track *from);

/* Takes a malloc'd array for a track without notes. false: out of memory; the caller
 * keeps the array. */
bool notes_adopt(struct track *t, struct note *notes, size_t n, size_t cap);

/* Removes all notes of the track. */
void notes_release(struct track *t);

/* Swaps the notes of two tracks, and nothing else. */
void notes_swap(struct track *a, struct track *b);

/* The latest tick of a score. The deltas of the largest file add up to far less, and
 * the sum of two such ticks does not overflow. */
#define TICK_MAX ((int64_t)1 << 60)

static inline bool note_is_valid(const struct note *n)
{
    return n->start >= 0 && n->length >= 0 && n->start <= TICK_MAX &&
           n->length <= TICK_MAX && n->pitch < 128 && n->velocity >= 1 &&
           n->velocity < 128 && n->off_velocity < 128;
}

/* The order of a track's notes, of two struct note: (start, pitch, id). For qsort. */
int note_compare(const void *a, const void *b);

/* Compares every field. */
static inline bool note_equal(const struct note *a, const struct note *b)
{
    return note_compare(a, b) == 0 && a->length == b->length &&
           a->velocity == b->velocity && a->off_velocity == b->off_velocity &&
           a->flags == b->flags && a->on_order == b->on_order &&
           a->off_order == b->off_order && a->raw_start == b->raw_start &&
           a->raw_length == b->raw_length;
}

/* Of a note that is moved, or copied: it is the last of what begins at its tick, ends before
 * the others, and is not hanging. */
static inline void note_lose_order(struct note *n)
{
    n->on_order = ORDER_LAST;
    n->off_order = ORDER_FIRST;
    n->flags &= (uint8_t)~NOTE_HANGING;
}

/* How a note was played before it was moved: raw_start and raw_length of struct note
 * hold the difference. Pure functions, any thread. */

/* at least 0 */
int64_t played_start(const struct note *n);
/* Returns 0 for a note without length, else at least 1. */
int64_t played_length(const struct note *n);

/* Gives `after` the played time of `before`, from which it was made. Cuts
 * differences to int32 (thousands of bars). */
void played_keep(struct note *after, const struct note *before);
/* Moves the note back to its played time. false: it is there already. */
bool played_restore(struct note *n);

#endif
