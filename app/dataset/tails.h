/* Notes that were moved or made longer may reach into a later one of their pitch on their
 * track. As on an instrument, the earlier then ends where the later begins, whether it
 * is one of those that were moved or not. Pure function. */
#ifndef APP_TAILS_H
#define APP_TAILS_H

#include "midi/score/score.h"

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
