/* Answers one request, part by part, and publishes each part when it is ready. See
 * inspector.h. */
#include "midi/base/array.h"
#include "midi/base/clock.h"
#include "app/inspection/inspector_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void inspector_work_fini(struct inspector_work *w)
{
    inspection_destroy(w->near);
    inspection_destroy(w->far);
    pool_destroy(w->pool);
    score_destroy(w->score);
    free(w->surprise.notes);
    free(w->surprise.is_read);
}

/* One request being answered. */
struct answer {
    struct inspector_work *w;
    const struct asked *a;
    int note;       /* of the notes read; -1: it is not among them */
    float *weights; /* [n_notes] that it was shown with */
};

static struct inspector_report report_of(const struct answer *x)
{
    return (struct inspector_report){.request = x->a->number};
}

static void publish(const struct answer *x, struct inspector_report *found)
{
    inspector_publish(x->w->in, found);
}

/* Returns the state, which says whether the part was found. */
static enum inspection_state end_part(const struct answer *x,
                                      struct inspector_report *found,
                                      enum inspection_state state)
{
    if (state == INSPECTION_DONE)
        publish(x, found);
    inspector_report_fini(found);
    return state;
}

/* -- the wash -- */

static bool take_music(struct answer *x, struct inspector_wash *wash)
{
    const struct inspection *i = x->w->near;
    const struct inspected_note *notes = inspection_notes(i, &wash->n_notes);
    const struct inspected_token *tokens = inspection_tokens(i, &wash->n_tokens);
    wash->notes = array_copy(notes, (size_t)wash->n_notes, sizeof *notes);
    wash->tokens = array_copy(tokens, (size_t)wash->n_tokens, sizeof *tokens);
    wash->weights = calloc((size_t)wash->n_notes + 1, sizeof *wash->weights);
    x->weights = calloc((size_t)wash->n_notes + 1, sizeof *x->weights);
    inspection_span(i, &wash->from_tick, &wash->to_tick);
    wash->style = inspection_style(i);
    wash->note = x->note;
    return wash->notes && wash->tokens && wash->weights && x->weights;
}

/* What the other note looked at, in the same way. */
static enum inspection_state compare(const struct answer *x,
                                     struct inspector_wash *wash, int other)
{
    float of_no_note[INSPECTED_KINDS];
    wash->compared = calloc((size_t)wash->n_notes + 1, sizeof *wash->compared);
    return wash->compared ? inspection_weights(x->w->near, other, &x->a->r.look,
                                               wash->compared, of_no_note)
                          : INSPECTION_FAILED;
}

static enum inspection_state find_pair(const struct answer *x,
                                       struct inspector_wash *wash)
{
    int other = inspection_find(x->w->near, x->a->r.other);
    if (x->note < 0 || other < 0)
        return INSPECTION_DONE;
    enum inspection_state state =
        inspection_pair(x->w->near, x->note, other, &x->a->r.look, &wash->pair);
    wash->has_pair = state == INSPECTION_DONE;
    return state == INSPECTION_DONE ? compare(x, wash, other) : state;
}

static enum inspection_state wash(struct answer *x)
{
    struct inspector_report found = report_of(x);
    struct inspector_wash *to = &found.wash;
    enum inspection_state state =
        take_music(x, to) ? INSPECTION_DONE : INSPECTION_FAILED;
    if (state == INSPECTION_DONE && x->note >= 0)
        state = inspection_weights(x->w->near, x->note, &x->a->r.look, to->weights,
                                   to->other);
    if (state == INSPECTION_DONE)
        state = find_pair(x, to);
    if (state == INSPECTION_DONE) {
        memcpy(x->weights, to->weights, (size_t)to->n_notes * sizeof *x->weights);
        to->of = x->a->number;
        to->seconds = clock_now_seconds() - x->a->at;
    }
    return end_part(x, &found, state);
}

/* -- the other parts -- */

/* How the take was drawn up to the part; left out if out of memory or not a take. */
static void way_there(const struct answer *x, struct inspector_choices *c)
{
    size_t n;
    if (inspection_given(x->w->near, x->note, x->a->r.part, 0, &c->given, &n))
        c->n_given = n - 1;
}

static enum inspection_state choices(struct answer *x)
{
    struct inspector_report found = report_of(x);
    found.alternatives.of = x->a->number;
    way_there(x, &found.alternatives);
    if (x->note >= 0)
        found.alternatives.n =
            inspection_alternatives(x->w->near, x->note, x->a->r.part,
                                    found.alternatives.list, INSPECTOR_ALTERNATIVES);
    return end_part(x, &found, INSPECTION_DONE);
}

static bool is_size(int n)
{
    return n > 0 && n <= 1 << 12;
}

static enum inspection_state matrix(struct answer *x)
{
    const struct inspector_request *r = &x->a->r;
    struct inspector_report found = report_of(x);
    int n_tokens;
    inspection_tokens(x->w->near, &n_tokens);
    if (!is_size(r->matrix_rows) || !is_size(r->matrix_columns) || !n_tokens)
        return INSPECTION_DONE;
    found.matrix = (struct inspector_matrix){.of = x->a->number,
                                             .head = inspected_head(&r->look),
                                             .n_tokens = n_tokens,
                                             .n_rows = r->matrix_rows,
                                             .n_columns = r->matrix_columns};
    struct inspector_matrix *m = &found.matrix;
    m->cells = calloc((size_t)m->n_rows * (size_t)m->n_columns, sizeof *m->cells);
    enum inspection_state state =
        m->cells ? inspection_matrix(x->w->near, m->head, 0, n_tokens, m->n_rows,
                                     m->n_columns, m->cells)
                 : INSPECTION_FAILED;
    return end_part(x, &found, state);
}

static enum inspection_state thumbnails(struct answer *x)
{
    const struct inspector_request *r = &x->a->r;
    const struct model_config *c = &x->w->model->config;
    struct inspector_report found = report_of(x);
    int n_tokens;
    inspection_tokens(x->w->near, &n_tokens);
    if (!is_size(r->thumbnail_rows) || !is_size(r->thumbnail_columns) || !n_tokens)
        return INSPECTION_DONE;
    found.thumbnails = (struct inspector_thumbnails){.of = x->a->number,
                                                     .attention = r->look.of,
                                                     .n_layers = c->n_layers,
                                                     .n_heads = c->n_heads,
                                                     .n_rows = r->thumbnail_rows,
                                                     .n_columns = r->thumbnail_columns};
    struct inspector_thumbnails *t = &found.thumbnails;
    t->cells = calloc((size_t)c->n_layers * (size_t)c->n_heads * (size_t)t->n_rows,
                      (size_t)t->n_columns * sizeof *t->cells);
    enum inspection_state state =
        t->cells ? inspection_thumbnails(x->w->near, t->attention, t->n_rows,
                                         t->n_columns, t->cells)
                 : INSPECTION_FAILED;
    return end_part(x, &found, state);
}

/* A note that was not read changes nothing. */
static enum inspection_state effect_of(const struct answer *x, int index,
                                       struct inspected_effect *out)
{
    const struct inspector_request *r = &x->a->r;
    struct inspected_mute m = r->mutes[index];
    if (m.what == MUTE_NOTE)
        m.note = inspection_find(x->w->near, r->mute_ids[index]);
    return inspection_mute(x->w->near, x->note, &m, out);
}

static enum inspection_state mutes(struct answer *x)
{
    const int n = x->note >= 0 ? x->a->r.n_mutes : 0;
    struct inspector_effects so_far = {.of = x->a->number};
    enum inspection_state state = INSPECTION_DONE;
    for (int k = 0; state == INSPECTION_DONE && k < n && k < INSPECTOR_MUTES; k++) {
        struct inspector_report found = report_of(x);
        state = effect_of(x, k, &so_far.list[k]);
        so_far.n = k + 1;
        found.mutes = so_far;
        if (state == INSPECTION_DONE)
            publish(x, &found);
    }
    return state;
}

/* The note with the largest weight that is left; -1: none has any. */
static int next_most(const struct answer *x)
{
    int n, most = -1;
    inspection_notes(x->w->near, &n);
    for (int k = 0; k < n; k++)
        if (k != x->note && x->weights[k] > 0 &&
            (most < 0 || x->weights[k] > x->weights[most]))
            most = k;
    return most;
}

static enum inspection_state who_matters(struct answer *x)
{
    struct inspector_who_matters so_far = {.of = x->a->number};
    enum inspection_state state = INSPECTION_DONE;
    int n, k = 0;
    const struct inspected_note *notes = inspection_notes(x->w->near, &n);
    if (!x->a->r.wants_who_matters || x->note < 0)
        return state;
    while (so_far.n < INSPECTOR_MATTERING && (k = next_most(x)) >= 0) {
        struct inspector_report found = report_of(x);
        struct inspector_mattering *m = &so_far.list[so_far.n];
        const struct inspected_mute mute = {.what = MUTE_NOTE, .note = k};
        *m = (struct inspector_mattering){.id = notes[k].id, .weight = x->weights[k]};
        x->weights[k] = 0;
        state = inspection_mute(x->w->near, x->note, &mute, &m->effect);
        if (state != INSPECTION_DONE)
            return state;
        so_far.n++;
        found.who_matters = so_far;
        publish(x, &found);
    }
    return state;
}

/* -- all of it -- */

static enum inspection_state read_music(struct answer *x)
{
    struct inspection_request r = x->a->r.read;
    if (x->w->piece != x->a->r.piece)
        inspection_forget(x->w->near);
    x->w->piece = x->a->r.piece;
    r.version = x->a->r.version;
    enum inspection_state state = inspection_read(x->w->near, x->w->score, &r);
    x->note = state == INSPECTION_DONE ? inspection_find(x->w->near, r.note) : -1;
    return state;
}

/* In the order of inspector.h; what fails or is cancelled ends it. */
static enum inspection_state answer(struct answer *x)
{
    static enum inspection_state (*const PARTS[])(struct answer *) = {
        read_music, wash, choices, matrix, thumbnails, mutes, who_matters};
    enum inspection_state state = INSPECTION_DONE;
    for (size_t k = 0; state == INSPECTION_DONE && k < sizeof PARTS / sizeof *PARTS;
         k++)
        state = PARTS[k](x);
    return state;
}

static void say_done(const struct answer *x, enum inspection_state state)
{
    struct inspector_report found = report_of(x);
    const char *why = inspection_error(x->w->near);
    found.is_done = true;
    if (state == INSPECTION_FAILED)
        snprintf(found.error, sizeof found.error, "%s",
                 *why ? why : "it needs more memory than is available");
    publish(x, &found);
}

void inspector_work(struct inspector_work *w, const struct asked *a)
{
    struct answer x = {.w = w, .a = a, .note = -1};
    enum inspection_state state = answer(&x);
    free(x.weights);
    if (state == INSPECTION_DONE && a->r.wants_surprise)
        inspector_work_surprise(w, a);
    if (state != INSPECTION_CANCELLED && !atomic_load(w->cancel))
        say_done(&x, state);
}
