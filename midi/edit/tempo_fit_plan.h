/* The plan of a tempo fit, shared by tempo_fit.c and tempo_fit_move.c. */
#ifndef MIDI_TEMPO_FIT_PLAN_H
#define MIDI_TEMPO_FIT_PLAN_H

#include "midi/edit/tempo_fit.h"

struct fit_moment {
    double seconds;
    int64_t tick; /* its new tick */
    /* Microseconds a quarter, whole, up to the next; 0: both have one tick. */
    double us;
};

struct tempo_fit {
    int64_t from, bar_ticks, first_tick;
    size_t taps_in_bar;
    struct fit_moment *at;    /* [n]: `from`, the taps, and moments after them */
    size_t n, n_tapped;       /* n_tapped: `from` and the taps */
    size_t bad;               /* the moment that has no possible tempo */
    struct timeline timeline; /* with the new tempos */
};

/* Returns the new tick of a tick. Keeps the order of ticks. */
int64_t tempo_fit_tick(const struct tempo_fit *p, const struct score *s, int64_t tick);

/* Moves notes and events; replaces tempos and meters. */
enum midi_status tempo_fit_move(struct change *c, const struct score *s,
                                const struct tempo_fit *p,
                                const struct tempo_fit_request *w);

#endif
