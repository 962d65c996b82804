/* Two notes of one pitch on one track never overlap by our hand: MIDI cannot tell
 * whose note-off is whose, and the file would come back different. Files may hold
 * such notes all the same; they are left as they are. Pure functions. */
#ifndef APP_OVERLAP_H
#define APP_OVERLAP_H

#include "midi/score/score.h"

/* How often notes of one pitch would meet if `with` stood in the track in the place
 * of `without`, counting only where one of `with` takes part. Both lists are sorted
 * by start; `without` are the track's own, in its order. is_bad[i] becomes true for
 * each of `with` that cannot stay; NULL: not wanted. One pass over the track. */
size_t overlap_count(const struct track *t, const struct note *without,
                     size_t n_without, const struct note *with, size_t n_with,
                     bool *is_bad);

/* -- tails -- */

/* Notes that were moved or made longer may reach into a later one of their pitch on their
 * track. As on an instrument, the earlier then ends where the later begins, whether it
 * is one of those that were moved or not. Pure function. */

/* A note of a track, and what it is to become. */
struct moved {
    struct note before, after;
};

/* Cuts the tails of all that `moved` [n] is, which are of the track, in its order, and
 * adds those of its other notes that have to end sooner: *moved, malloc'd, is then another
 * array of *n, in the same order. What was played is kept (midi/score/played.h), and notes that
 * overlapped before may go on doing so.
 *
 * meets: NULL, or becomes one of the notes that would begin where another of its pitch
 * does, which no cutting helps; else left alone. false: out of memory, and nothing is
 * changed. */
bool tails_cut(const struct track *t, struct moved **moved, size_t *n,
               struct note *meets);

#endif
