/* Notes of one pitch on one track must not overlap: MIDI cannot tell whose note-off is whose,
 * and the file would come back different. Our edits never make such notes; those that a file
 * holds stay as they are. Pure functions. */
#ifndef APP_OVERLAP_H
#define APP_OVERLAP_H

#include "midi/score/score.h"

/* How often notes would overlap if the track had `with` in the place of `without`, counting
 * only overlaps with a note of `with`. Both lists are sorted by start; `without` are notes of
 * the track. is_bad[i], unless it is NULL, becomes true for each of `with` that cannot stay.
 * One pass over the track. */
size_t overlap_count(const struct track *t, const struct note *without,
                     size_t n_without, const struct note *with, size_t n_with,
                     bool *is_bad);

/* -- cutting: as on an instrument, an earlier note ends where a later one of its pitch
 * begins -- */

/* A note of a track, and its new value. */
struct moved {
    struct note before, after;
};

/* *moved [*n] are notes of the track that were moved or made longer, in the track's order.
 * Cuts those that reach into a later note, and adds other notes that must end sooner: *moved
 * becomes another malloc'd array, in the same order. The played lengths are kept
 * (midi/score/notes.h). Notes that overlapped before may still do so.
 *
 * If two notes would begin together, which cutting does not help, one of them is stored in
 * *meets, unless that is NULL. false: out of memory, and nothing is changed. */
bool overlaps_truncate(const struct track *t, struct moved **moved, size_t *n,
                       struct note *meets);

#endif
