#include "app/evaluation/eval_hole.h"

#include "app/evaluation/statistics.h"

#include <math.h>
#include <stdlib.h>

static int compare_places(const struct grid_note *a, const struct grid_note *b)
{
    if (a->step != b->step)
        return a->step < b->step ? -1 : 1;
    if (a->track != b->track)
        return a->track < b->track ? -1 : 1;
    return (a->pitch > b->pitch) - (a->pitch < b->pitch);
}

/* Both ascend, so one pass finds the pairs. */
static double note_f1(const struct piece *there, const struct grid_note *notes,
                      size_t n)
{
    size_t i = 0, k = 0, alike = 0;
    while (i < there->n_notes && k < n) {
        int order = compare_places(&there->notes[i], &notes[k]);
        alike += order == 0;
        i += order <= 0;
        k += order >= 0;
    }
    return 2 * (double)alike / (double)(there->n_notes + n);
}

/* Of the notes that are not hits; returns their number. */
static size_t count_classes(int64_t *counts, const struct piece *p,
                            const struct grid_note *notes, size_t n)
{
    size_t n_counted = 0;
    for (size_t i = 0; i < n; i++) {
        if (piece_is_hit(p, &notes[i]))
            continue;
        counts[notes[i].pitch % STATISTICS_PITCH_CLASSES]++;
        n_counted++;
    }
    return n_counted;
}

static double pitch_classes_apart(const struct piece *there,
                                  const struct grid_note *notes, size_t n)
{
    int64_t a[STATISTICS_PITCH_CLASSES] = {0}, b[STATISTICS_PITCH_CLASSES] = {0};
    size_t n_there = count_classes(a, there, there->notes, there->n_notes);
    size_t n_pitched = count_classes(b, there, notes, n);
    if (n_there == 0 && n > 0)
        return n_pitched > 0; /* drums alone */
    return n_pitched ? statistics_total_variation(a, b, STATISTICS_PITCH_CLASSES) : 1;
}

static double groove(const struct eval_hole *h, const struct grid_note *notes, size_t n)
{
    const struct piece *there = &h->parts.inside;
    const int n_bars = h->kind.n_bars;
    const int32_t from = h->parts.request.from;
    const int32_t length = (h->parts.request.to - from) / n_bars;
    int differ = 0;
    for (int bar = 0; bar < n_bars; bar++) {
        int32_t start = from + bar * length;
        uint64_t was =
            statistics_onsets(there->notes, 0, there->n_notes, start, length);
        differ +=
            __builtin_popcountll(was ^ statistics_onsets(notes, 0, n, start, length));
    }
    return 1 - (double)differ / (STATISTICS_POSITIONS * n_bars);
}

struct eval_hole_figures eval_hole_compare(const struct eval_hole *h,
                                           const struct grid_note *notes, size_t n)
{
    return (struct eval_hole_figures){
        .note_f1 = note_f1(&h->parts.inside, notes, n),
        .pitch_classes = pitch_classes_apart(&h->parts.inside, notes, n),
        .groove = groove(h, notes, n),
    };
}

struct ranked {
    double value;
    size_t index;
};

static int compare_values(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    return (x->value > y->value) - (x->value < y->value);
}

/* ranks [n], from 0; equals have the mean of theirs. room [n]. */
static void rank(double *ranks, struct ranked *room, const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        room[i] = (struct ranked){x[i], i};
    qsort(room, n, sizeof *room, compare_values);
    for (size_t i = 0, end = 0; i < n; i = end) {
        while (end < n && !(room[end].value > room[i].value))
            end++;
        for (size_t k = i; k < end; k++)
            ranks[room[k].index] = (double)(i + end - 1) / 2;
    }
}

double eval_hole_rank_correlation(const double *x, const double *y, size_t n)
{
    double *ranks = calloc(2 * n + 1, sizeof *ranks);
    struct ranked *room = calloc(n + 1, sizeof *room);
    double mean = ((double)n - 1) / 2, xy = 0, xx = 0, yy = 0;
    if (ranks && room) {
        const double *ranks_y = ranks + n;
        rank(ranks, room, x, n);
        rank(ranks + n, room, y, n);
        for (size_t i = 0; i < n; i++) { /* Pearson's, of the ranks */
            xy += (ranks[i] - mean) * (ranks_y[i] - mean);
            xx += (ranks[i] - mean) * (ranks[i] - mean);
            yy += (ranks_y[i] - mean) * (ranks_y[i] - mean);
        }
    }
    free(ranks);
    free(room);
    return xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : NAN;
}

/* -- constraints -- */

const struct eval_hole_control_info eval_hole_controls[EVAL_HOLE_CONTROLS] = {
    [CONTROL_DENSITY] = {"notes per quarter", "density", {4, 6, 8, 10}},
    [CONTROL_POLYPHONY] = {"notes per onset", "polyphony", {0, 1, 2, 3}},
    [CONTROL_LENGTH] = {"mean length, quarters", "length", {2, 4, 6, 8}},
    [CONTROL_REGISTER] = {"mean pitch", "register", {3, 5, 7, 9}},
};

double eval_hole_asked(enum eval_hole_control control, int level)
{
    const double asked[EVAL_HOLE_CONTROLS] = {
        [CONTROL_DENSITY] = exp2((level - 6) / 2.0),
        [CONTROL_POLYPHONY] = level + 1,
        [CONTROL_LENGTH] = 3 * exp2(level / 2.0) / STEPS_PER_QUARTER,
        [CONTROL_REGISTER] = 24 + 6 * level,
    };
    return asked[control];
}

double eval_hole_got(enum eval_hole_control control, const struct fill_request *q,
                     const struct piece *filled)
{
    const struct fill_figures f =
        fill_count(q, filled->families, filled->notes, filled->n_notes);
    const double got[EVAL_HOLE_CONTROLS] = {
        [CONTROL_DENSITY] = f.density,
        [CONTROL_POLYPHONY] = f.polyphony,
        [CONTROL_LENGTH] = f.length / STEPS_PER_QUARTER,
        [CONTROL_REGISTER] = f.height,
    };
    return got[control];
}

static struct fill_request constrain(const struct eval_hole *h,
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
        struct fill_request q =
            constrain(h, control, eval_hole_controls[control].levels[k]);
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

double eval_hole_obedience(const struct eval_hole_answer *answers, size_t n_answers,
                           enum eval_hole_control control)
{
    size_t most = n_answers * EVAL_HOLE_LEVELS + 1;
    double *asked = calloc(most, sizeof *asked), *got = calloc(most, sizeof *got);
    double rho = NAN;
    if (asked && got) {
        size_t n = 0;
        for (size_t i = 0; i < most - 1; i++) {
            asked[n] = (double)(i % EVAL_HOLE_LEVELS);
            got[n] = answers[i / EVAL_HOLE_LEVELS].got[control][i % EVAL_HOLE_LEVELS];
            n += !isnan(got[n]);
        }
        rho = eval_hole_rank_correlation(asked, got, n);
    }
    free(asked);
    free(got);
    return rho;
}
