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

#endif
