/* A step: one token for each of several decoders at once. A single step is bound by
 * memory traffic, because every weight is read once and used once. So decoders that go
 * together use each weight together. The arena of the first decoder holds the rows of
 * all; each row has its own decoder's cache.
 *
 * Threads meet twice per layer (three times with an encoder). They meet after the heads,
 * each of which computes its terms of the output projection's sums; and after the slices
 * of the feed-forward layers, each of which computes its rows of ff1 and its columns of
 * ff2. A norm needs the whole stream, so they cannot meet less often. The terms are parts
 * in memory, which are summed in a fixed order before the next norm. Their number does
 * not depend on the number of threads, so neither do the bits. */
#include "model/decoder/decoder_internal.h"

#include <assert.h>
#include <string.h>

enum {
    WORTH_SHARING = 1 << 15 /* products; for fewer, waking the pool would take longer */
};

void decoder_run_tasks(const struct decoder *d, decoder_task *task, void *arg, int n,
                       size_t n_products)
{
    if (n_products >= WORTH_SHARING) {
        pool_run(d->pool, task, arg, n);
        return;
    }
    for (int i = 0; i < n; i++)
        task(arg, i, 0);
}

struct prepared decoder_prepare(const struct decoder *d, enum model_weights_kind kind,
                                void *room, const float *x, int ldx, int n_x, int n)
{
    struct prepared to = {.x = room, .ld = packed_vector_size(kind, n)};
    for (int v = 0; v < n_x; v++)
        to.scale[v] =
            d->k->prepare[kind](to.x + (size_t)v * to.ld, x + (size_t)v * ldx, n);
    return to;
}

void decoder_multiply(const struct decoder *d, float *y, int ldy,
                      const struct packed *w, int panel, int n_panels,
                      const struct prepared *x, int n_x)
{
    d->k->multiply[w->kind](&(struct packed_product){w, panel, n_panels, n_x, x->x,
                                                     x->scale, x->ld, y, ldy});
}

/* What one part of a layer (attention or feed-forward) adds to the stream: a bias, and a
 * sum of n terms. */
struct added {
    const float *bias, *parts;
    int n, ld;     /* floats from one row of a term to the next */
    size_t stride; /* floats from one term to the next */
};

/* What is computed between two parts of a layer: a residual sum and a norm. */
struct residual_step {
    const struct step_batch *t;
    struct added added;
    const float *norm_w, *norm_b; /* NULL: no norm */
    bool into_stream; /* norm "post": the stream becomes the norm's output */
};

/* Adds the previous part's output to the row's stream, applies the norm, and prepares the
 * input of the next part. */
static void residual_row(void *arg, int r, int thread)
{
    const struct residual_step *s = arg;
    struct decoder *d = s->t->d[0];
    const int n = d->c.d_model;
    float *x = d->x + (size_t)r * n, *h = d->h + (size_t)r * n;
    struct prepared *input = &d->step.input;
    (void)thread;
    if (s->added.bias)
        d->k->add(x, s->added.bias, n);
    if (s->added.n)
        d->k->add_many(x, s->added.parts + (size_t)r * s->added.ld, s->added.stride,
                       s->added.n, n);
    if (s->norm_w)
        d->k->layer_norm(h, NULL, x, s->norm_w, s->norm_b, 1, n);
    if (s->norm_w && s->into_stream)
        memcpy(x, h, n * sizeof *x);
    input->scale[r] = d->k->prepare[d->packed->kind](input->x + (size_t)r * input->ld,
                                                     s->norm_w ? h : x, n);
}

/* A single row is not worth waking the pool. */
static void add_residual(struct residual_step *s)
{
    const struct decoder *d = s->t->d[0];
    size_t n_sums = (size_t)(s->t->n * d->c.d_model) * (s->added.n + 8);
    decoder_run_tasks(d, residual_row, s, s->t->n, s->t->n > 1 ? n_sums : 0);
}

static struct added parts_of(const struct decoder *d, const float *bias, int n)
{
    const struct step_arena *a = &d->step;
    return (struct added){bias, a->parts, n, a->width, MAX_BATCH * (size_t)a->width};
}

struct feed_job {
    const struct step_batch *t;
    const struct packed_layer *w;
};

static void feed_task(void *arg, int i, int thread)
{
    const struct feed_job *job = arg;
    const struct decoder *d = job->t->d[0];
    const struct packed *ff1 = &job->w->ff1[i], *ff2 = &job->w->ff2[i];
    const int n = job->t->n, hidden = part_size(d->c.d_ff, d->packed->slice, i);
    float *y = decoder_scratch(d, thread);
    decoder_multiply(d, y, ff1->rows, ff1, 0, ff1->rows / PANEL, &d->step.input, n);
    decoder_activate(d, y, n * ff1->rows);
    const struct prepared ready = decoder_prepare(
        d, d->packed->kind, y + (size_t)MAX_BATCH * ff1->rows, y, ff1->rows, n, hidden);
    decoder_multiply(d, decoder_part(&d->step, i), d->step.width, ff2, 0,
                     ff2->rows / PANEL, &ready, n);
}

size_t decoder_feed_scratch(const struct decoder *d)
{
    size_t rows = (size_t)packed_panels(d->packed->slice) * PANEL;
    return MAX_BATCH * (rows + packed_vector_size(d->packed->kind, d->packed->slice) /
                                   sizeof(float));
}

static struct added feed(const struct step_batch *t, int layer)
{
    struct decoder *d = t->d[0];
    struct feed_job job = {t, &d->packed->layers[layer]};
    decoder_run_tasks(d, feed_task, &job, d->packed->n_slices,
                      2 * (size_t)d->c.d_ff * (d->c.d_model * t->n));
    return parts_of(d, d->w->layers[layer].ff2_b, d->packed->n_slices);
}

/* The first part of a layer: self-attention or Fourier mixing. */
static struct added mix(const struct step_batch *t, int layer)
{
    struct decoder *d = t->d[0];
    const int n = d->c.d_model;
    if (d->c.mixing == MIXING_ATTENTION) {
        decoder_step_attend(t, ATTENTION_SELF, layer);
        return parts_of(d, d->w->layers[layer].out_b, d->c.n_heads);
    }
    decoder_fourier_step(t, layer, d->c.norm == NORM_PRE ? d->h : d->x);
    return (struct added){NULL, d->mixed, 1, n, 0};
}

static struct added cross(const struct step_batch *t, int layer)
{
    decoder_step_attend(t, ATTENTION_CROSS, layer);
    return parts_of(t->d[0], t->d[0]->w->layers[layer].cross_out_b, t->d[0]->c.n_heads);
}

static void use_norm(struct residual_step *s, const float *w, const float *b)
{
    s->norm_w = w;
    s->norm_b = b;
}

/* Runs one part of a layer after the residual sum before it. With norm "pre" the sum is
 * followed by this part's norm, with norm "post" by the norm of the part before. */
static void run_part(struct residual_step *s, int layer,
                     struct added (*part)(const struct step_batch *t, int layer),
                     const float *norm_w, const float *norm_b)
{
    if (!s->into_stream)
        use_norm(s, norm_w, norm_b);
    add_residual(s);
    s->added = part(s->t, layer);
    use_norm(s, norm_w, norm_b);
}

static enum model_status run_layers(struct residual_step *s)
{
    const struct decoder *d = s->t->d[0];
    for (int layer = 0; layer < d->c.n_layers; layer++) {
        const struct layer_weights *w = &d->w->layers[layer];
        for (int r = 0; r < s->t->n; r++)
            if (decoder_cancelled(s->t->d[r]))
                return MODEL_CANCELLED;
        run_part(s, layer, mix, w->norm1_w, w->norm1_b);
        if (d->c.n_encoder_layers)
            run_part(s, layer, cross, w->norm_cross_w, w->norm_cross_b);
        run_part(s, layer, feed, w->norm2_w, w->norm2_b);
    }
    return MODEL_OK;
}

/* Computes the logits of one block of panels. */
static void head_task(void *arg, int i, int thread)
{
    const struct step_batch *t = arg;
    const struct step_arena *a = &t->d[0]->step;
    const struct packed *w = t->d[0]->packed->head;
    const int panel = i * w->block;
    (void)thread;
    decoder_multiply(t->d[0], a->logits + (size_t)panel * PANEL, a->n_logits, w, panel,
                     packed_width(w, panel), &a->input, t->n);
}

/* The logits from the prepared input. */
static void run_head(struct decoder *d, int n_x)
{
    struct step_batch t = {.d = &d, .n = n_x};
    const struct packed *w = d->packed->head;
    decoder_run_tasks(d, head_task, &t, n_parts(w->rows / PANEL, w->block),
                      (size_t)w->rows * (d->c.d_model * n_x));
}

static enum model_status run(const struct step_batch *t, float *const *logits)
{
    struct decoder *d = t->d[0];
    struct residual_step s = {.t = t, .into_stream = d->c.norm == NORM_POST};
    bool asked = false;
    for (int r = 0; r < t->n; r++) {
        const int position = t->d[r]->length;
        float *x = d->x + (size_t)r * d->c.d_model;
        decoder_embed(d, x, t->d[r]->ids[position], position);
        decoder_add_state(t->d[r], x, position);
        decoder_set_rotation(d, r, position, t->d[r]->times[position]);
    }
    decoder_step_times(t);
    enum model_status st = run_layers(&s);
    for (int r = 0; r < t->n; r++)
        asked |= logits[r] != NULL;
    if (st || !asked)
        return st;
    if (!s.into_stream)
        use_norm(&s, d->w->norm_w, d->w->norm_b);
    add_residual(&s);
    run_head(d, t->n);
    for (int r = 0; r < t->n; r++)
        if (logits[r])
            memcpy(logits[r], d->step.logits + (size_t)r * d->step.n_logits,
                   d->c.vocab * sizeof **logits);
    return MODEL_OK;
}

void decoder_logits(struct decoder *d, const float *x, float *logits)
{
    const int n = d->c.d_model;
    if (d->w->norm_w) {
        d->k->layer_norm(d->h, NULL, x, d->w->norm_w, d->w->norm_b, 1, n);
        x = d->h;
    }
    d->step.input = decoder_prepare(d, d->packed->kind, d->step.input.x, x, n, 1, n);
    run_head(d, 1);
    memcpy(logits, d->step.logits, d->c.vocab * sizeof *logits);
}

enum model_status decoder_step_many(struct decoder *const *d, int n,
                                    const int32_t *tokens, const int32_t *times,
                                    float *const *logits)
{
    assert(n > 0 && n <= DECODER_MAX_BATCH);
    enum model_status st = MODEL_OK;
    for (int r = 0; !st && r < n; r++) {
        assert(d[r]->w == d[0]->w && d[r]->pool == d[0]->pool);
        st = decoder_check(d[r], tokens + r, 1);
    }
    if (st)
        return st;
    for (int r = 0; r < n; r++)
        decoder_stage_tokens(d[r], tokens + r, times + r, 1);
    struct step_batch t = step_batch_of(d, n);
    st = run(&t, logits);
    for (int r = 0; r < n; r++)
        if (st)
            decoder_restore_state(d[r], d[r]->length);
        else
            d[r]->length++;
    return st;
}

enum model_status decoder_step(struct decoder *d, int32_t token, int32_t time,
                               float *logits)
{
    return decoder_step_many(&d, 1, &token, &time, &logits);
}
