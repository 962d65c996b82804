/* Adding up what was measured in single holes. See eval_holes.h. */
#include "app/evaluation/eval_holes.h"

#include <math.h>

static bool belongs(const struct eval_hole_result *r, enum eval_holes_by by, int which)
{
    switch (by) {
    case HOLES_OF_CORPUS:
        return r->group == which;
    case HOLES_OF_STYLE:
        return (int)r->style == which;
    case HOLES_OF_KIND:
        return r->kind.n_bars == eval_hole_kind_at(which).n_bars &&
               r->kind.is_one_track == eval_hole_kind_at(which).is_one_track;
    case HOLES_OF_ALL:
        break;
    }
    return true;
}

static void add(struct eval_hole_sums *to, const struct eval_hole_sums *s)
{
    to->n_holes += s->n_holes;
    to->n_notes += s->n_notes;
    to->n_tokens += s->n_tokens;
    for (int v = 0; v < HOLE_VIEWS; v++) {
        to->note_nats[v] += s->note_nats[v];
        to->nats[v] += s->nats[v];
    }
    for (int by = 0; by < EVAL_HOLE_FILLINGS; by++) {
        to->figures[by].note_f1 += s->figures[by].note_f1;
        to->figures[by].pitch_classes += s->figures[by].pitch_classes;
        to->figures[by].groove += s->figures[by].groove;
    }
}

struct eval_hole_sums eval_holes_sum(const struct eval_holes *e, enum eval_holes_by by,
                                     int which)
{
    struct eval_hole_sums sums = {0};
    for (size_t i = 0; i < e->n_results; i++)
        if (belongs(&e->results[i], by, which))
            add(&sums, &e->results[i].sums);
    return sums;
}

static double saved_in(const struct eval_hole_sums *s, enum eval_hole_view other)
{
    return s->note_nats[other] - s->note_nats[HOLE_BOTH_SIDES];
}

struct eval_hole_margin eval_holes_margin(const struct eval_holes *e,
                                          enum eval_hole_view other)
{
    const struct eval_hole_sums all = eval_holes_sum(e, HOLES_OF_ALL, 0);
    const double n = (double)e->n_results, notes = (double)all.n_notes;
    struct eval_hole_margin m = {.nats = saved_in(&all, other) / notes};
    double squares = 0;
    for (size_t i = 0; i < e->n_results; i++) {
        const struct eval_hole_sums *s = &e->results[i].sums;
        double rest = saved_in(s, other) - m.nats * (double)s->n_notes;
        squares += rest * rest;
        m.n_wins += saved_in(s, other) > 0;
    }
    m.error = n > 1 ? sqrt(squares * n / (n - 1)) / notes : NAN;
    return m;
}
