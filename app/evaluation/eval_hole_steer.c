/* See eval_hole_steer.h. */
#include "app/evaluation/eval_hole_steer.h"

#include "app/evaluation/eval_hole_figures.h"
#include "app/evaluation/eval_hole_fill.h"

#include <math.h>
#include <stdlib.h>

const struct eval_hole_control_info eval_hole_controls[EVAL_HOLE_CONTROLS] = {
    [CONTROL_DENSITY] = {"notes in a quarter", "density", {4, 6, 8, 10}},
    [CONTROL_POLYPHONY] = {"notes at an onset", "polyphony", {0, 1, 2, 3}},
    [CONTROL_LENGTH] = {"mean length, quarters", "length", {2, 4, 6, 8}},
    [CONTROL_REGISTER] = {"mean pitch", "register", {3, 5, 7, 9}},
};

double eval_hole_asked(enum eval_hole_control control, int level)
{
    switch (control) {
    case CONTROL_DENSITY:
        return exp2((level - 6) / 2.0);
    case CONTROL_POLYPHONY:
        return level + 1;
    case CONTROL_LENGTH:
        return 3 * exp2(level / 2.0) / STEPS_PER_QUARTER;
    case CONTROL_REGISTER:
        return 24 + 6 * level;
    case EVAL_HOLE_CONTROLS:
        break;
    }
    return NAN;
}

double eval_hole_got(enum eval_hole_control control, const struct fill_request *q,
                     const struct piece *filled)
{
    const struct fill_figures f =
        fill_count(q, filled->families, filled->notes, filled->n_notes);
    switch (control) {
    case CONTROL_DENSITY:
        return f.density;
    case CONTROL_POLYPHONY:
        return f.polyphony;
    case CONTROL_LENGTH:
        return f.length / STEPS_PER_QUARTER;
    case CONTROL_REGISTER:
        return f.height;
    case EVAL_HOLE_CONTROLS:
        break;
    }
    return NAN;
}

static struct fill_request wish(const struct eval_hole *h,
                                enum eval_hole_control control, int level)
{
    struct fill_request q = h->parts.request;
    int *const fields[EVAL_HOLE_CONTROLS] = {
        [CONTROL_DENSITY] = &q.density,
        [CONTROL_POLYPHONY] = &q.polyphony,
        [CONTROL_LENGTH] = &q.length,
        [CONTROL_REGISTER] = &q.height,
    };
    *fields[control] = level;
    return q;
}

enum continuation_state eval_hole_steer(struct eval_hole_answer *a, const char **fault,
                                        struct continuation *c,
                                        const struct eval_hole *h,
                                        const struct continuation_options *how)
{
    for (int i = 0; i < EVAL_HOLE_CONTROLS * EVAL_HOLE_LEVELS; i++) {
        const enum eval_hole_control control =
            (enum eval_hole_control)(i / EVAL_HOLE_LEVELS);
        const int k = i % EVAL_HOLE_LEVELS;
        struct fill_request q = wish(h, control, eval_hole_controls[control].levels[k]);
        struct piece filled;
        enum continuation_state state = eval_hole_fill(&filled, fault, c, h, &q, how);
        a->got[control][k] = eval_hole_got(control, &q, &filled);
        piece_fini(&filled);
        if (state != CONTINUATION_DONE)
            return state;
    }
    return CONTINUATION_DONE;
}

double eval_hole_mean_got(const struct eval_hole_answer *answers, size_t n_answers,
                          enum eval_hole_control control, int level_index, size_t *n)
{
    double sum = 0;
    *n = 0;
    for (size_t i = 0; i < n_answers; i++) {
        double got = answers[i].got[control][level_index];
        if (!isnan(got)) {
            sum += got;
            ++*n;
        }
    }
    return *n ? sum / (double)*n : NAN;
}

/* Room for all pairs at asked and got. The number of pairs. */
static size_t list_pairs(double *asked, double *got,
                         const struct eval_hole_answer *answers, size_t n_answers,
                         enum eval_hole_control control)
{
    size_t n = 0;
    for (size_t i = 0; i < n_answers; i++)
        for (int k = 0; k < EVAL_HOLE_LEVELS; k++) {
            asked[n] = k;
            got[n] = answers[i].got[control][k];
            n += !isnan(got[n]);
        }
    return n;
}

double eval_hole_obedience(const struct eval_hole_answer *answers, size_t n_answers,
                           enum eval_hole_control control)
{
    size_t most = n_answers * EVAL_HOLE_LEVELS + 1;
    double *asked = calloc(most, sizeof *asked), *got = calloc(most, sizeof *got);
    double rho = NAN;
    if (asked && got) {
        size_t n = list_pairs(asked, got, answers, n_answers, control);
        rho = eval_hole_rank_correlation(asked, got, n);
    }
    free(asked);
    free(got);
    return rho;
}
