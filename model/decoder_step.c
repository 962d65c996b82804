/* One token for each of several decoders at once. A step alone is memory traffic: every
 * weight is read once and nothing is reused. So decoders that go together read them
 * together: the first one's arena holds the rows of all, as prefill's holds a chunk's,
 * and each row has its own decoder's cache.
 *
 * Rows of a matrix are shared out over the pool, four jobs a layer however many go
 * together (the heads, with their own rows of q, k and v; the output projection; both
 * halves of the feed-forward). Norms are small and stay on the calling thread. */
#include "model/decoder_step.h"

#include <assert.h>
#include <string.h>

enum {
    ROWS_A_TASK = 32,
    WORTH_SHARING = 1 << 15, /* products; below, waking the pool costs more */
};

void decoder_share(const struct decoder *d, decoder_task *task, void *arg, int n,
                   size_t n_products)
{
    if (n_products >= WORTH_SHARING) {
        pool_run(d->pool, task, arg, n);
        return;
    }
    for (int i = 0; i < n; i++)
        task(arg, i, 0);
}

static void rows_task(void *arg, int i, int thread)
{
    const struct product *p = arg;
    const struct decoder *d = p->d;
    const bool add = p->how == PRODUCT_ADD;
    const int from = i * ROWS_A_TASK;
    const int n = p->n_out - from < ROWS_A_TASK ? p->n_out - from : ROWS_A_TASK;
    float sums[DECODER_MOST_TOGETHER * ROWS_A_TASK], *y = p->y + from;
    const float *b = p->b ? p->b + from : NULL;
    (void)thread;
    d->k->matvec_many(
        &(struct matvec){add ? sums : y, p->w + (size_t)from * (size_t)p->n_in, b, p->x,
                         add ? ROWS_A_TASK : p->n_out, p->n_in, p->rows, n, p->n_in});
    for (int r = 0; r < p->rows; r++, y += p->n_out)
        if (add)
            d->k->add(y, sums + r * ROWS_A_TASK, n);
        else if (p->how == PRODUCT_ACTIVATE)
            decoder_activate(d, y, n);
}

/* A product of a few rows, by the single-step kernels. */
static void run_rows(const struct product *p)
{
    struct product own = *p;
    decoder_share(p->d, rows_task, &own, (p->n_out + ROWS_A_TASK - 1) / ROWS_A_TASK,
                  (size_t)p->n_out * (size_t)p->n_in * (size_t)p->rows);
}

/* Fourier: the tokens' transforms go to their caches, and what is mixed to the stream.
 * A row of qkv has room for a transform. */
static void mix_waves(const struct together *t, int layer, const float *from)
{
    struct decoder *d = t->d[0];
    const int n = d->c.d_model;
    run_rows(&(struct product){d, d->waves, NULL, from, d->qkv, t->n, 2 * n, n,
                               PRODUCT_SET});
    decoder_fourier_step(t, layer, d->qkv);
    d->k->add(d->x, d->mixed, t->n * n);
}

/* x += what the tokens before make of `from`. */
static void mix(const struct together *t, int layer, const float *from)
{
    struct decoder *d = t->d[0];
    const struct layer_weights *w = &d->w->layers[layer];
    const int n = d->c.d_model;
    if (d->c.mixing == MIXING_FOURIER) {
        mix_waves(t, layer, from);
        return;
    }
    decoder_step_attend(t, layer, from);
    run_rows(&(struct product){d, w->out_w, w->out_b, d->mixed, d->x, t->n, n, n,
                               PRODUCT_ADD});
}

/* x += what the source says to `from`. */
static void cross(const struct together *t, int layer, const float *from)
{
    struct decoder *d = t->d[0];
    const struct layer_weights *w = &d->w->layers[layer];
    const int n = d->c.d_model;
    decoder_step_cross(t, layer, from);
    run_rows(&(struct product){d, w->cross_out_w, w->cross_out_b, d->mixed, d->x, t->n,
                               n, n, PRODUCT_ADD});
}

/* x += the feed-forward of `from`. */
static void feed(const struct together *t, const struct layer_weights *w,
                 const float *from)
{
    struct decoder *d = t->d[0];
    const int n = d->c.d_model, ff = d->c.d_ff;
    run_rows(&(struct product){d, w->ff1_w, w->ff1_b, from, d->hidden, t->n, ff, n,
                               PRODUCT_ACTIVATE});
    run_rows(&(struct product){d, w->ff2_w, w->ff2_b, d->hidden, d->x, t->n, n, ff,
                               PRODUCT_ADD});
}

/* h = norm(from). */
static void norm(const struct decoder *d, const float *from, int rows, const float *w,
                 const float *b)
{
    const int n = d->c.d_model;
    for (int r = 0; r < rows; r++)
        d->k->layer_norm(d->h + (size_t)r * (size_t)n, from + (size_t)r * (size_t)n, w,
                         b, n);
}

static void run_pre_norm(const struct together *t, int layer)
{
    struct decoder *d = t->d[0];
    const struct layer_weights *w = &d->w->layers[layer];
    norm(d, d->x, t->n, w->norm1_w, w->norm1_b);
    mix(t, layer, d->h);
    if (d->c.n_encoder_layers) {
        norm(d, d->x, t->n, w->norm_cross_w, w->norm_cross_b);
        cross(t, layer, d->h);
    }
    norm(d, d->x, t->n, w->norm2_w, w->norm2_b);
    feed(t, w, d->h);
}

static void norm_in_stream(struct decoder *d, int rows, const float *w, const float *b)
{
    norm(d, d->x, rows, w, b);
    decoder_swap(d);
}

static void run_post_norm(const struct together *t, int layer)
{
    struct decoder *d = t->d[0];
    const struct layer_weights *w = &d->w->layers[layer];
    mix(t, layer, d->x);
    norm_in_stream(d, t->n, w->norm1_w, w->norm1_b);
    if (d->c.n_encoder_layers) {
        cross(t, layer, d->x);
        norm_in_stream(d, t->n, w->norm_cross_w, w->norm_cross_b);
    }
    feed(t, w, d->x);
    norm_in_stream(d, t->n, w->norm2_w, w->norm2_b);
}

void decoder_logits(struct decoder *d, const float *x, int rows, float *logits)
{
    const int n = d->c.d_model;
    if (d->w->norm_w) {
        norm(d, x, rows, d->w->norm_w, d->w->norm_b);
        x = d->h;
    }
    run_rows(&(struct product){d, d->w->head, NULL, x, logits, rows, d->c.vocab, n,
                               PRODUCT_SET});
}

static bool any_cancelled(const struct together *t)
{
    for (int r = 0; r < t->n; r++)
        if (decoder_cancelled(t->d[r]))
            return true;
    return false;
}

static void embed(const struct together *t, const int32_t *tokens)
{
    struct decoder *d = t->d[0];
    for (int r = 0; r < t->n; r++) {
        int position = t->d[r]->length;
        decoder_embed(d, d->x + (size_t)r * (size_t)d->c.d_model, tokens[r], position);
        decoder_place_row(d, r, position, t->d[r]->times[position]);
    }
}

/* To those who asked. */
static void give_logits(const struct together *t, float *const *logits)
{
    struct decoder *d = t->d[0];
    const size_t n = (size_t)d->c.vocab;
    bool asked = false;
    for (int r = 0; r < t->n; r++)
        asked |= logits[r] != NULL;
    if (asked)
        decoder_logits(d, d->x, t->n, d->logits);
    for (int r = 0; r < t->n; r++)
        if (logits[r])
            memcpy(logits[r], d->logits + (size_t)r * n, n * sizeof **logits);
}

static enum model_status run(const struct together *t, const int32_t *tokens,
                             float *const *logits)
{
    const struct model_config *c = &t->d[0]->c;
    embed(t, tokens);
    for (int layer = 0; layer < c->n_layers; layer++) {
        if (any_cancelled(t))
            return MODEL_CANCELLED;
        if (c->norm == NORM_POST)
            run_post_norm(t, layer);
        else
            run_pre_norm(t, layer);
    }
    give_logits(t, logits);
    return MODEL_OK;
}

enum model_status decoder_step_many(struct decoder *const *d, int n,
                                    const int32_t *tokens, const int32_t *times,
                                    float *const *logits)
{
    assert(n > 0 && n <= DECODER_MOST_TOGETHER);
    enum model_status st = MODEL_OK;
    for (int r = 0; !st && r < n; r++) {
        assert(d[r]->w == d[0]->w && d[r]->pool == d[0]->pool);
        st = decoder_check(d[r], tokens + r, 1);
    }
    if (st)
        return st;
    for (int r = 0; r < n; r++)
        decoder_expect(d[r], times + r, 1);
    struct together t = decoder_together(d, n);
    st = run(&t, tokens, logits);
    for (int r = 0; !st && r < n; r++)
        d[r]->length++;
    return st;
}

enum model_status decoder_step(struct decoder *d, int32_t token, int32_t time,
                               float *logits)
{
    return decoder_step_many(&d, 1, &token, &time, &logits);
}
