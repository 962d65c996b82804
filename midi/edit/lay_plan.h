/* How music is to be laid: an inner part of midi/edit/lay.h. */
#ifndef MIDI_LAY_PLAN_H
#define MIDI_LAY_PLAN_H

#include "midi/edit/lay.h"

struct lay_moment {
    double seconds;
    int64_t tick; /* that it is to have */
    double us;    /* a quarter, whole, from here to the next; 0: they are at one tick */
};

struct lay_plan {
    int64_t from, bar_ticks, first_tick;
    size_t taps_in_bar;
    struct lay_moment *at;    /* [n]: `from`, the taps, and on from there */
    size_t n, n_tapped;       /* n_tapped: with the taps */
    size_t bad;               /* that no tempo leads on from */
    struct timeline timeline; /* the tempos as they will be */
};

/* Where a tick of the score comes to stand. Never before where an earlier one does. */
int64_t lay_plan_tick(const struct lay_plan *p, const struct score *s, int64_t tick);

/* midi/edit/lay_move.c: moves notes and events, and puts tempos and meters for those there
 * were. */
enum midi_status lay_move(struct change *c, const struct score *s,
                          const struct lay_plan *p, const struct lay_wish *w);

#endif
