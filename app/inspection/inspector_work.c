/* Answers one request, part by part, and publishes each part when it is ready. See
 * inspector.h. */
#include "app/inspection/inspector_internal.h"

#include "midi/base/array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One request being answered. */
struct answer {
    struct inspector_work *w;
    const struct asked *a;
    int note;                      /* of the notes read; -1: it is not among them */
    float *weights;                /* [n_notes] that it was shown with */
    struct inspector_report found; /* the part that is worked on */
};

/* Publishes a part that has no arrays, and goes on with it. */
static void publish_copy(struct answer *x)
{
    struct inspector_report found = x->found;
    inspector_publish(x->w->in, &found);
}

/* -- the parts: each fills x->found, which is published after it -- */

static enum inspection_state wash(struct answer *x)
{
    struct inspector_wash *to = &x->found.wash;
    struct inspection *i = x->w->near;
    const struct inspected_look *look = &x->a->r.look;
    const int other = x->note < 0 ? -1 : inspection_find(i, x->a->r.other);
    float of_no_note[INSPECTED_KINDS];
    int64_t to_tick;
    const struct inspected_note *notes = inspection_notes(i, &to->n_notes);
    const struct inspected_token *tokens = inspection_tokens(i, &to->n_tokens);
    const size_t n = (size_t)to->n_notes;
    to->of = x->a->number;
    to->note = x->note;
    to->notes = array_copy(notes, n, sizeof *notes);
    to->tokens = array_copy(tokens, (size_t)to->n_tokens, sizeof *tokens);
    to->weights = calloc(n + 1, sizeof *to->weights);
    inspection_span(i, &to->from_tick, &to_tick);
    if (!to->notes || !to->tokens || !to->weights)
        return INSPECTION_FAILED;
    enum inspection_state state = INSPECTION_DONE;
    if (x->note >= 0)
        state = inspection_weights(i, x->note, look, to->weights, to->other);
    if (!state && other >= 0)
        state = inspection_pair(i, x->note, other, look, &to->pair);
    if (!state && other >= 0) { /* it looked in the same way */
        to->has_pair = true;
        to->compared = calloc(n + 1, sizeof *to->compared);
        state = to->compared
                    ? inspection_weights(i, other, look, to->compared, of_no_note)
                    : INSPECTION_FAILED;
    }
    x->weights = array_copy(to->weights, n, sizeof *x->weights);
    return state || x->weights ? state : INSPECTION_FAILED;
}

static enum inspection_state choices(struct answer *x)
{
    struct inspector_choices *c = &x->found.alternatives;
    size_t n;
    c->of = x->a->number;
    /* How the take was drawn up to the part; not without memory or if it is no take. */
    if (inspection_given(x->w->near, x->note, x->a->r.part, 0, &c->given, &n))
        c->n_given = n - 1;
    if (x->note >= 0)
        c->n = inspection_alternatives(x->w->near, x->note, x->a->r.part, c->list,
                                       INSPECTOR_ALTERNATIVES);
    return INSPECTION_DONE;
}

/* Makes and fills cells [n_heads][n_rows][n_columns], if they were requested and there are
 * tokens; else there are none. */
static enum inspection_state pool(const struct answer *x, struct attention_head first,
                                  int n_heads, int n_rows, int n_columns, float **cells)
{
    enum { MOST = 1 << 12 };
    int n_tokens;
    inspection_tokens(x->w->near, &n_tokens);
    if (n_rows < 1 || n_columns < 1 || n_rows > MOST || n_columns > MOST || !n_tokens)
        return INSPECTION_DONE;
    *cells =
        calloc((size_t)n_heads * (size_t)n_rows, (size_t)n_columns * sizeof **cells);
    return *cells
               ? inspection_pool(x->w->near, first, n_heads, n_rows, n_columns, *cells)
               : INSPECTION_FAILED;
}

static enum inspection_state matrix(struct answer *x)
{
    const struct inspector_request *r = &x->a->r;
    struct inspector_matrix *m = &x->found.matrix;
    m->head = inspected_head(x->w->near, &r->look, 0);
    m->n_rows = r->matrix_rows;
    m->n_columns = r->matrix_columns;
    inspection_tokens(x->w->near, &m->n_tokens);
    enum inspection_state state =
        pool(x, m->head, 1, m->n_rows, m->n_columns, &m->cells);
    m->of = m->cells ? x->a->number : 0;
    return state;
}

static enum inspection_state thumbnails(struct answer *x)
{
    const struct inspector_request *r = &x->a->r;
    const struct model_config *c = &x->w->model->config;
    struct inspector_thumbnails *t = &x->found.thumbnails;
    t->n_layers = c->n_layers;
    t->n_heads = c->n_heads;
    t->n_rows = r->thumbnail_rows;
    t->n_columns = r->thumbnail_columns;
    enum inspection_state state =
        pool(x, (struct attention_head){.kind = r->look.of}, c->n_layers * c->n_heads,
             t->n_rows, t->n_columns, &t->cells);
    t->of = t->cells ? x->a->number : 0;
    return state;
}

/* Published one by one. */
static enum inspection_state mutes(struct answer *x)
{
    const struct inspector_request *r = &x->a->r;
    const int n = x->note >= 0 ? r->n_mutes : 0;
    struct inspector_effects *so_far = &x->found.mutes;
    enum inspection_state state = INSPECTION_DONE;
    for (int k = 0; !state && k < n && k < INSPECTOR_MUTES; k++) {
        struct inspected_mute m = r->mutes[k];
        if (m.what == MUTE_NOTE) /* one that was not read changes nothing */
            m.note = inspection_find(x->w->near, r->mute_ids[k]);
        state = inspection_mute(x->w->near, x->note, &m, &so_far->list[k]);
        so_far->of = x->a->number;
        so_far->n = k + 1;
        if (!state)
            publish_copy(x);
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

/* Published one by one. */
static enum inspection_state who_matters(struct answer *x)
{
    struct inspector_who_matters *so_far = &x->found.who_matters;
    enum inspection_state state = INSPECTION_DONE;
    int n, k;
    const struct inspected_note *notes = inspection_notes(x->w->near, &n);
    if (!x->a->r.wants_who_matters || x->note < 0)
        return state;
    while (so_far->n < INSPECTOR_MATTERING && (k = next_most(x)) >= 0) {
        struct inspector_mattering *m = &so_far->list[so_far->n];
        const struct inspected_mute mute = {.what = MUTE_NOTE, .note = k};
        *m = (struct inspector_mattering){.id = notes[k].id, .weight = x->weights[k]};
        x->weights[k] = 0;
        state = inspection_mute(x->w->near, x->note, &mute, &m->effect);
        if (state)
            return state;
        so_far->of = x->a->number;
        so_far->n++;
        publish_copy(x);
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

void inspector_work(struct inspector_work *w, const struct asked *a)
{
    /* In the order of inspector.h; what fails or is cancelled ends it. */
    static enum inspection_state (*const PARTS[])(struct answer *) = {
        read_music, wash, choices, matrix, thumbnails, mutes, who_matters};
    struct answer x = {.w = w, .a = a, .note = -1};
    enum inspection_state state = INSPECTION_DONE;
    for (size_t k = 0; !state && k < sizeof PARTS / sizeof *PARTS; k++) {
        x.found = (struct inspector_report){.request = a->number};
        state = PARTS[k](&x);
        if (!state)
            inspector_publish(w->in, &x.found);
        inspector_report_fini(&x.found);
    }
    free(x.weights);
    if (!state && a->r.wants_surprise)
        inspector_work_surprise(w, a);
    if (state == INSPECTION_CANCELLED || atomic_load(w->cancel))
        return;
    struct inspector_report end = {.request = a->number, .is_done = true};
    const char *why = inspection_error(w->near);
    if (state == INSPECTION_FAILED)
        snprintf(end.error, sizeof end.error, "%s",
                 *why ? why : "it needs more memory than is available");
    inspector_publish(w->in, &end);
}
