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
    int note;       /* of the notes read; -1: it is not among them */
    float *weights; /* [n_notes] that it was shown with */
};

/* Returns the state, which says whether the part was found. */
static enum inspection_state end_part(const struct answer *x,
                                      struct inspector_report *found,
                                      enum inspection_state state)
{
    if (state == INSPECTION_DONE)
        inspector_publish(x->w->in, found);
    inspector_report_fini(found);
    return state;
}

/* -- the wash -- */

static bool take_music(struct answer *x, struct inspector_wash *wash)
{
    const struct inspection *i = x->w->near;
    int64_t to_tick;
    const struct inspected_note *notes = inspection_notes(i, &wash->n_notes);
    const struct inspected_token *tokens = inspection_tokens(i, &wash->n_tokens);
    wash->notes = array_copy(notes, (size_t)wash->n_notes, sizeof *notes);
    wash->tokens = array_copy(tokens, (size_t)wash->n_tokens, sizeof *tokens);
    wash->weights = calloc((size_t)wash->n_notes + 1, sizeof *wash->weights);
    x->weights = calloc((size_t)wash->n_notes + 1, sizeof *x->weights);
    inspection_span(i, &wash->from_tick, &to_tick);
    wash->note = x->note;
    return wash->notes && wash->tokens && wash->weights && x->weights;
}

static enum inspection_state wash(struct answer *x)
{
    struct inspector_report found = {.request = x->a->number};
    struct inspector_wash *to = &found.wash;
    struct inspection *i = x->w->near;
    const struct inspected_look *look = &x->a->r.look;
    const int other = x->note < 0 ? -1 : inspection_find(i, x->a->r.other);
    float of_no_note[INSPECTED_KINDS];
    enum inspection_state state =
        take_music(x, to) ? INSPECTION_DONE : INSPECTION_FAILED;
    if (state == INSPECTION_DONE && x->note >= 0)
        state = inspection_weights(i, x->note, look, to->weights, to->other);
    if (state == INSPECTION_DONE && other >= 0)
        state = inspection_pair(i, x->note, other, look, &to->pair);
    if (state == INSPECTION_DONE && other >= 0) { /* it looked in the same way */
        to->has_pair = true;
        to->compared = calloc((size_t)to->n_notes + 1, sizeof *to->compared);
        state = to->compared
                    ? inspection_weights(i, other, look, to->compared, of_no_note)
                    : INSPECTION_FAILED;
    }
    if (state == INSPECTION_DONE) {
        memcpy(x->weights, to->weights, (size_t)to->n_notes * sizeof *x->weights);
        to->of = x->a->number;
    }
    return end_part(x, &found, state);
}

/* -- the other parts -- */

static enum inspection_state choices(struct answer *x)
{
    struct inspector_report found = {.request = x->a->number};
    struct inspector_choices *c = &found.alternatives;
    size_t n;
    c->of = x->a->number;
    /* How the take was drawn up to the part; not without memory or if it is no take. */
    if (inspection_given(x->w->near, x->note, x->a->r.part, 0, &c->given, &n))
        c->n_given = n - 1;
    if (x->note >= 0)
        c->n = inspection_alternatives(x->w->near, x->note, x->a->r.part, c->list,
                                       INSPECTOR_ALTERNATIVES);
    return end_part(x, &found, INSPECTION_DONE);
}

/* Fills a part's cells [n_heads][n_rows][n_columns] and publishes it, if they were
 * requested and there are tokens. */
static enum inspection_state draw(const struct answer *x,
                                  struct inspector_report *found,
                                  struct attention_head first, int n_heads, int n_rows,
                                  int n_columns, float **cells)
{
    enum { MOST = 1 << 12 };
    int n_tokens;
    inspection_tokens(x->w->near, &n_tokens);
    if (n_rows < 1 || n_columns < 1 || n_rows > MOST || n_columns > MOST || !n_tokens)
        return INSPECTION_DONE;
    *cells =
        calloc((size_t)n_heads * (size_t)n_rows, (size_t)n_columns * sizeof **cells);
    return end_part(
        x, found,
        *cells ? inspection_pool(x->w->near, first, n_heads, n_rows, n_columns, *cells)
               : INSPECTION_FAILED);
}

static enum inspection_state matrix(struct answer *x)
{
    const struct inspector_request *r = &x->a->r;
    struct inspector_report found = {.request = x->a->number};
    found.matrix =
        (struct inspector_matrix){.of = x->a->number,
                                  .head = inspected_head(x->w->near, &r->look, 0),
                                  .n_rows = r->matrix_rows,
                                  .n_columns = r->matrix_columns};
    struct inspector_matrix *m = &found.matrix;
    inspection_tokens(x->w->near, &m->n_tokens);
    return draw(x, &found, m->head, 1, m->n_rows, m->n_columns, &m->cells);
}

static enum inspection_state thumbnails(struct answer *x)
{
    const struct inspector_request *r = &x->a->r;
    const struct model_config *c = &x->w->model->config;
    const struct attention_head first = {.kind = r->look.of};
    struct inspector_report found = {.request = x->a->number};
    found.thumbnails = (struct inspector_thumbnails){.of = x->a->number,
                                                     .n_layers = c->n_layers,
                                                     .n_heads = c->n_heads,
                                                     .n_rows = r->thumbnail_rows,
                                                     .n_columns = r->thumbnail_columns};
    return draw(x, &found, first, c->n_layers * c->n_heads, r->thumbnail_rows,
                r->thumbnail_columns, &found.thumbnails.cells);
}

static enum inspection_state mutes(struct answer *x)
{
    const struct inspector_request *r = &x->a->r;
    const int n = x->note >= 0 ? r->n_mutes : 0;
    struct inspector_effects so_far = {.of = x->a->number};
    enum inspection_state state = INSPECTION_DONE;
    for (int k = 0; state == INSPECTION_DONE && k < n && k < INSPECTOR_MUTES; k++) {
        struct inspector_report found = {.request = x->a->number};
        struct inspected_mute m = r->mutes[k];
        if (m.what == MUTE_NOTE) /* one that was not read changes nothing */
            m.note = inspection_find(x->w->near, r->mute_ids[k]);
        state = inspection_mute(x->w->near, x->note, &m, &so_far.list[k]);
        so_far.n = k + 1;
        found.mutes = so_far;
        if (state == INSPECTION_DONE)
            inspector_publish(x->w->in, &found);
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
        struct inspector_report found = {.request = x->a->number};
        struct inspector_mattering *m = &so_far.list[so_far.n];
        const struct inspected_mute mute = {.what = MUTE_NOTE, .note = k};
        *m = (struct inspector_mattering){.id = notes[k].id, .weight = x->weights[k]};
        x->weights[k] = 0;
        state = inspection_mute(x->w->near, x->note, &mute, &m->effect);
        if (state != INSPECTION_DONE)
            return state;
        so_far.n++;
        found.who_matters = so_far;
        inspector_publish(x->w->in, &found);
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

void inspector_work(struct inspector_work *w, const struct asked *a)
{
    struct answer x = {.w = w, .a = a, .note = -1};
    enum inspection_state state = answer(&x);
    free(x.weights);
    if (state == INSPECTION_DONE && a->r.wants_surprise)
        inspector_work_surprise(w, a);
    if (state == INSPECTION_CANCELLED || atomic_load(w->cancel))
        return;
    struct inspector_report found = {.request = a->number};
    const char *why = inspection_error(w->near);
    found.is_done = true;
    if (state == INSPECTION_FAILED)
        snprintf(found.error, sizeof found.error, "%s",
                 *why ? why : "it needs more memory than is available");
    inspector_publish(w->in, &found);
}
