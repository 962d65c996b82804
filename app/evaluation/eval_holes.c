/* See eval_holes.h. Every hole has its own random numbers, so leaving one out or measuring more
 * changes no other. */
#include "app/evaluation/eval_holes.h"

#include "app/base/draw.h"
#include "app/base/say.h"
#include "app/decoding/context.h"
#include "app/evaluation/eval_hole.h"
#include "midi/base/hash.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    HOLE_SEED = 20,     /* of the holes, */
    STEER_SEED = 21,    /* of the holes with constraints, */
    GUESS_SEED = 22,    /* and of notes at random */
    HOLES_TO_STEER = 3, /* one hole in this many is filled again, with constraints */
};

static const struct eval_hole_kind STEERED = {.n_bars = 4, .is_one_track = true};

struct run {
    const struct eval_holes_request *request;
    struct eval_holes *holes;
    struct eval_hole_meter meter;
    struct continuation *continuation;
    int n_done, n_all;
    int status; /* the exit status; the error was printed */

    struct eval_hole hole; /* in turn: number `index` of a corpus */
    int group, index;
};

static bool is_over(const struct run *r)
{
    return r->status || r->holes->is_cancelled;
}

static void note_midi(struct run *r, enum midi_status st)
{
    if (st)
        r->status = say_midi_error(r->request->corpus->groups[r->group].name, st);
}

static void note_model(struct run *r, enum model_status st)
{
    if (st == MODEL_CANCELLED)
        r->holes->is_cancelled = true;
    else if (st)
        r->status = say_model_error(r->request->model_name, st, NULL);
}

static void note_filling(struct run *r, enum continuation_state state,
                         const char *fault)
{
    if (state == CONTINUATION_CANCELLED)
        r->holes->is_cancelled = true;
    else if (state != CONTINUATION_DONE)
        r->status = say_error(r->request->model_name, fault);
}

/* The draws of a hole of a corpus, whichever others are measured with it: its name
 * hashed. */
static struct rng rng_of(const struct run *r, uint64_t seed)
{
    const char *name = r->request->corpus->groups[r->group].name;
    return draw_rng(seed, hash_bytes(HASH_START, name, strlen(name)), r->index);
}

struct eval_hole_kind eval_hole_kind_at(int which)
{
    return (struct eval_hole_kind){.n_bars = 1 << which % 3, .is_one_track = which > 2};
}

static struct continuation_options options_of(const struct run *r)
{
    struct continuation_options o = r->request->how;
    o.sampling.seed += (uint64_t)r->index;
    return o;
}

/* MIDI_TOO_LONG: too full for the context. */
static enum midi_status measure_view(struct run *r, enum eval_hole_view view,
                                     struct eval_hole_sums *s)
{
    const size_t context = (size_t)context_for_hole(r->request->model->config.context);
    struct tokens t;
    size_t first;
    struct eval_hole_cost cost;
    enum midi_status st = eval_hole_encode(&t, &first, &r->hole, view, context);
    if (st)
        return st;
    note_model(r, eval_hole_measure(&r->meter, &t, first, &cost));
    s->note_nats[view] = cost.note_nats;
    s->nats[view] = cost.nats;
    s->n_tokens = (int64_t)(t.n - first);
    tokens_fini(&t);
    return MIDI_OK;
}

/* false: there is nothing to add. */
static bool measure_cost(struct run *r, struct eval_hole_sums *s)
{
    enum midi_status st = MIDI_OK;
    for (int v = 0; v < HOLE_VIEWS && !st && !is_over(r); v++)
        st = measure_view(r, (enum eval_hole_view)v, s);
    if (st == MIDI_TOO_LONG)
        r->holes->n_too_full++;
    else
        note_midi(r, st);
    return !st && !is_over(r);
}

static void compare_guesses(struct run *r, struct eval_hole_sums *s)
{
    const struct eval_hole *h = &r->hole;
    struct rng rng = rng_of(r, GUESS_SEED);
    for (int by = FILLED_BY_MODEL + 1; by < EVAL_HOLE_FILLINGS; by++) {
        struct piece p;
        note_midi(r, by == FILLED_AT_RANDOM
                         ? eval_hole_guess(&p, h, &rng)
                         : eval_hole_copy(&p, h, by == FILLED_FROM_AFTER));
        s->figures[by] = eval_hole_compare(h, p.notes, p.n_notes);
        piece_fini(&p);
    }
}

static void compare_model(struct run *r, struct eval_hole_sums *s)
{
    const struct continuation_options how = options_of(r);
    const struct eval_hole *h = &r->hole;
    const char *fault;
    struct piece p;
    enum continuation_state state =
        eval_hole_fill(&p, &fault, r->continuation, h, &h->parts.request, &how);
    note_filling(r, state, fault);
    s->figures[FILLED_BY_MODEL] = eval_hole_compare(h, p.notes, p.n_notes);
    piece_fini(&p);
}

static void measure_hole(struct run *r)
{
    const struct eval_hole *h = &r->hole;
    struct eval_hole_result result = {
        .group = r->group,
        .style = h->music.style,
        .kind = h->kind,
        .sums = {.n_holes = 1, .n_notes = (int64_t)h->parts.inside.n_notes}};
    if (!measure_cost(r, &result.sums))
        return;
    compare_guesses(r, &result.sums);
    compare_model(r, &result.sums);
    if (!is_over(r))
        r->holes->results[r->holes->n_results++] = result;
}

static void steer_hole(struct run *r)
{
    struct eval_holes *e = r->holes;
    struct continuation_options how = options_of(r);
    const char *fault;
    how.n_draws = 1; /* what the model does, not the choice */
    enum continuation_state state = eval_hole_steer(&e->answers[e->n_answers], &fault,
                                                    r->continuation, &r->hole, &how);
    note_filling(r, state, fault);
    e->n_answers += !is_over(r);
}

/* Nothing if no piece of the corpus has room for such a hole. */
static void on_hole(struct run *r, int index, uint64_t seed, struct eval_hole_kind kind,
                    void (*act)(struct run *r))
{
    const struct eval_holes_request *q = r->request;
    r->index = index;
    struct rng rng = rng_of(r, seed);
    say_progress("filling hole", r->n_done++, r->n_all);
    enum midi_status st =
        eval_hole_draw(&r->hole, q->corpus, q->split, r->group, &kind, &rng);
    if (!st) {
        act(r);
        eval_hole_fini(&r->hole);
    } else if (st != MIDI_EMPTY) {
        note_midi(r, st);
    }
}

static int count_steered(const struct eval_holes_request *q)
{
    return (q->n_holes + HOLES_TO_STEER - 1) / HOLES_TO_STEER;
}

static enum model_status set_up(struct run *r)
{
    const struct eval_holes_request *q = r->request;
    size_t n_groups = (size_t)q->corpus->n_groups;
    size_t n_results = n_groups * (size_t)q->n_holes;
    size_t n_answers = n_groups * (size_t)count_steered(q);
    r->n_all = (int)(n_results + n_answers);
    r->holes->results = calloc(n_results + 1, sizeof *r->holes->results);
    r->holes->answers = calloc(n_answers + 1, sizeof *r->holes->answers);
    if (!r->holes->results || !r->holes->answers)
        return MODEL_NO_MEMORY;
    enum model_status st =
        eval_hole_meter_init(&r->meter, q->model, q->pool, q->cancel);
    if (!st)
        st = continuation_create(&r->continuation, q->model, q->pool);
    if (!st)
        continuation_set_cancel(r->continuation, q->cancel);
    return st;
}

int eval_holes_measure(struct eval_holes *e, const struct eval_holes_request *q)
{
    struct run r = {.request = q, .holes = e};
    *e = (struct eval_holes){0};
    note_model(&r, set_up(&r));
    for (; r.group < q->corpus->n_groups && !is_over(&r); r.group++) {
        for (int i = 0; i < q->n_holes && !is_over(&r); i++)
            on_hole(&r, i, HOLE_SEED, eval_hole_kind_at(i % EVAL_HOLE_KINDS),
                    measure_hole);
        for (int i = 0; i < count_steered(q) && !is_over(&r); i++)
            on_hole(&r, i, STEER_SEED, STEERED, steer_hole);
    }
    say_progress("filling hole", r.n_all, r.n_all);
    eval_hole_meter_fini(&r.meter);
    continuation_destroy(r.continuation);
    return r.status;
}

void eval_holes_fini(struct eval_holes *e)
{
    free(e->results);
    free(e->answers);
    *e = (struct eval_holes){0};
}

/* -- sums over holes -- */

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

static double saved_in(const struct eval_hole_sums *s)
{
    return s->note_nats[HOLE_BEFORE] - s->note_nats[HOLE_BOTH_SIDES];
}

struct eval_hole_margin eval_holes_margin(const struct eval_holes *e)
{
    const struct eval_hole_sums all = eval_holes_sum(e, HOLES_OF_ALL, 0);
    const double n = (double)e->n_results, notes = (double)all.n_notes;
    struct eval_hole_margin m = {.nats = saved_in(&all) / notes};
    double squares = 0;
    for (size_t i = 0; i < e->n_results; i++) {
        const struct eval_hole_sums *s = &e->results[i].sums;
        double rest = saved_in(s) - m.nats * (double)s->n_notes;
        squares += rest * rest;
        m.n_wins += saved_in(s) > 0;
    }
    m.error = n > 1 ? sqrt(squares * n / (n - 1)) / notes : NAN;
    return m;
}
