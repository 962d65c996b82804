/* What each track of a piece does, counted in one pass for all rules. Pure functions, any thread. */
#ifndef APP_ANALYSIS_H
#define APP_ANALYSIS_H

#include "midi/tokens/piece.h"

struct track_facts {
    int n, n_onsets;    /* notes, and steps where some begin */
    int low, high;      /* the lowest and the highest pitch */
    double sum;         /* of all pitches */
    bool is_line;       /* no note begins while another sounds */
    int32_t onset, end; /* where the newest begins, and ends */
    int at
        [STEPS_PER_QUARTER]; /* notes by step of the beat, counted from their bar line */
};

/* Of the notes from number `first` on, up to before `end`. */
void analyse_tracks(struct track_facts of[TOKEN_MAX_TRACKS], const struct piece *p,
                    size_t first, size_t end);
/* Of a track with notes. */
static inline double track_mean(const struct track_facts *t)
{
    return t->sum / t->n;
}

/* The meter in force at a step. p has meters. */
static inline const struct grid_meter *meter_at(const struct piece *p, int64_t step)
{
    const struct grid_meter *m = &p->meters[p->n_meters - 1];
    while (m > p->meters && m->step > step)
        m--;
    return m;
}

#endif
