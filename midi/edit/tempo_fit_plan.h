/* How music is to be laid: an inner part of midi/edit/tempo_fit.h. */
#ifndef MIDI_TEMPO_FIT_PLAN_H
#define MIDI_TEMPO_FIT_PLAN_H

#include "midi/edit/tempo_fit.h"

struct fit_moment {
    double seconds;
    int64_t tick; /* that it is to have */
    double us;    /* a quarter, whole, from here to the next; 0: they are at one tick */
};

struct tempo_fit {
    int64_t from, bar_ticks, first_tick;
    size_t taps_in_bar;
    struct fit_moment *at;    /* [n]: `from`, the taps, and on from there */
    size_t n, n_tapped;       /* n_tapped: with the taps */
    size_t bad;               /* that no tempo leads on from */
    struct timeline timeline; /* the tempos as they will be */
};

/* Where a tick of the score comes to stand. Never before where an earlier one does. */
int64_t tempo_fit_tick(const struct tempo_fit *p, const struct score *s, int64_t tick);

/* midi/edit/tempo_fit_move.c: moves notes and events, and puts tempos and meters for those there
 * were. */
enum midi_status tempo_fit_move(struct change *c, const struct score *s,
                                const struct tempo_fit *p,
                                const struct tempo_fit_request *w);

#endif
