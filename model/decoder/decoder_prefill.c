/* Many tokens at once, a chunk of rows through all layers at a time. Matrix products
 * (train_product.h; in bf16 where the precision allows it) go in tasks of ROWS x COLUMNS
 * that never depend on the number of threads; decoder_attention.c has what lies between
 * them. */
#include "model/decoder/decoder_watch.h"

#include <string.h>

/* A product's rows are the whole chunk: weights in f32 are packed for every task. */
enum { ROWS = CHUNK, COLUMNS = PRODUCT_COLUMNS_MOST, NORM_ROWS = 16 };

static int parts(int n, int size)
{
    return (n + size - 1) / size;
}

static int part_size(int n, int size, int i)
{
    return n - i * size < size ? n - i * size : size;
}

/* What the product is added to. */
static void prepare(const struct dense *p, float *y, int rows, int column, int n)
{
    for (int r = 0; r < rows; r++, y += p->n_out)
        if (p->how == DENSE_ADD)
            p->d->k->add(y, p->b + column, n);
        else
            memcpy(y, p->b + column, (size_t)n * sizeof *y);
}

static void product_task(void *arg, int i, int thread)
{
    const struct dense *p = arg;
    const int across = parts(p->n_out, COLUMNS), row = i / across * ROWS;
    const int column = i % across * COLUMNS;
    const int m = part_size(p->rows, ROWS, i / across);
    const int n = part_size(p->n_out, COLUMNS, i % across);
    float *y = p->y + (size_t)row * (size_t)p->n_out + column;
    const size_t words = product_words(p->d->products, p->n_in);
    const struct product product = {.m = m,
                                    .n = n,
                                    .k = p->n_in,
                                    .alpha = 1.0f,
                                    .a = p->x + (size_t)row * (size_t)p->n_in,
                                    .ld_a = p->n_in,
                                    .b = p->w + (size_t)column * (size_t)p->n_in,
                                    .ld_b = p->n_in,
                                    .b_across = true,
                                    .beta = p->b ? 1.0f : 0.0f,
                                    .c = y,
                                    .ld_c = p->n_out,
                                    .packed =
                                        p->packed ? p->packed + column * words : NULL,
                                    .panel = PRODUCT_COLUMNS * words};
    if (p->b)
        prepare(p, y, m, column, n);
    p->d->products->multiply(&product, decoder_panels(p->d, thread));
    if (p->how == DENSE_ACTIVATE)
        for (int r = 0; r < m; r++)
            decoder_activate(p->d, y + (size_t)r * (size_t)p->n_out, n);
}

void decoder_dense(const struct dense *p)
{
    struct dense own = *p;
    pool_run(p->d->pool, product_task, &own,
             parts(p->rows, ROWS) * parts(p->n_out, COLUMNS));
}

struct norm_job {
    const struct decoder *d;
    const float *w, *b;
    int rows;
};

/* h = norm(x). */
static void norm_task(void *arg, int i, int thread)
{
    const struct norm_job *job = arg;
    const struct decoder *d = job->d;
    const int n = d->c.d_model;
    size_t at = (size_t)i * NORM_ROWS * (size_t)n;
    (void)thread;
    for (int r = part_size(job->rows, NORM_ROWS, i); r > 0; r--, at += (size_t)n)
        d->k->layer_norm(d->h + at, d->x + at, job->w, job->b, n);
}

void decoder_norm(const struct decoder *d, const float *w, const float *b, int rows)
{
    struct norm_job job = {d, w, b, rows};
    pool_run(d->pool, norm_task, &job, parts(rows, NORM_ROWS));
}

/* v of the chunk's rows += what their tokens are worth to this layer. */
static void add_values(struct decoder *d, int layer, int position, int rows)
{
    const float *table = d->w->layers[layer].value_embedding;
    const size_t n = (size_t)d->c.d_model;
    for (size_t r = 0; table && r < (size_t)rows; r++)
        d->k->add(d->qkv + (3 * r + 2) * n,
                  table + (size_t)d->ids[(size_t)position + r] * n, d->c.d_model);
}

/* qkv of the chunk's rows, and their keys and values in the cache. */
static void project(struct decoder *d, const struct memory *m, int layer, int position,
                    int rows, const float *from)
{
    const struct layer_weights *w = &d->w->layers[layer];
    const int n = d->c.d_model;
    decoder_dense(&(struct dense){d, w->qkv_w, decoder_wide(d, layer).qkv, w->qkv_b,
                                  from, d->qkv, rows, 3 * n, n, DENSE_SET});
    add_values(d, layer, position, rows);
    decoder_turn(d, d->qkv, 3 * n, 2 * d->c.n_heads, d->turns, rows);
    watch_keep(d, ATTENTION_PAST, layer, position, d->qkv, 3 * n, rows);
    decoder_store_rows(d, m, position, d->qkv + n, 3 * n, rows);
}

/* x += what the tokens before make of `from`. */
static void mix(struct decoder *d, int layer, int position, int rows, const float *from)
{
    const struct layer_weights *w = &d->w->layers[layer];
    const struct wide_layer wide = decoder_wide(d, layer);
    const int n = d->c.d_model;
    if (d->c.mixing == MIXING_FOURIER) {
        decoder_fourier(d, layer, position, rows, from);
        d->k->add(d->x, d->mixed, rows * n);
        return;
    }
    struct memory m = memory_of_past(d, layer, position + rows);
    project(d, &m, layer, position, rows, from);
    decoder_attend(d, &m, d->qkv, 3 * n, position, rows);
    decoder_dense(&(struct dense){d, w->out_w, wide.out, w->out_b, d->mixed, d->x, rows,
                                  n, n, DENSE_ADD});
}

/* x += what the source says to `from`. */
static void cross(struct decoder *d, int layer, int position, int rows,
                  const float *from)
{
    const struct layer_weights *w = &d->w->layers[layer];
    const struct wide_layer wide = decoder_wide(d, layer);
    const int n = d->c.d_model;
    struct memory m = memory_of_source(d, layer);
    decoder_dense(&(struct dense){d, w->cross_q_w, wide.cross_q, w->cross_q_b, from,
                                  d->qkv, rows, n, n, DENSE_SET});
    decoder_turn(d, d->qkv, n, d->c.n_heads, d->cross_turns, rows);
    watch_keep(d, ATTENTION_SOURCE, layer, position, d->qkv, n, rows);
    decoder_attend(d, &m, d->qkv, n, position, rows);
    decoder_dense(&(struct dense){d, w->cross_out_w, wide.cross_out, w->cross_out_b,
                                  d->mixed, d->x, rows, n, n, DENSE_ADD});
}

void decoder_feed(struct decoder *d, int layer, int rows, const float *from)
{
    const struct layer_weights *w = &d->w->layers[layer];
    const struct wide_layer wide = decoder_wide(d, layer);
    const int n = d->c.d_model, ff = d->c.d_ff;
    decoder_dense(&(struct dense){d, w->ff1_w, wide.ff1, w->ff1_b, from, d->hidden,
                                  rows, ff, n, DENSE_ACTIVATE});
    decoder_dense(&(struct dense){d, w->ff2_w, wide.ff2, w->ff2_b, d->hidden, d->x,
                                  rows, n, ff, DENSE_ADD});
}

static void run_pre_norm(struct decoder *d, int layer, int position, int rows)
{
    const struct layer_weights *w = &d->w->layers[layer];
    decoder_norm(d, w->norm1_w, w->norm1_b, rows);
    mix(d, layer, position, rows, d->h);
    if (d->c.n_encoder_layers) {
        decoder_norm(d, w->norm_cross_w, w->norm_cross_b, rows);
        cross(d, layer, position, rows, d->h);
    }
    decoder_norm(d, w->norm2_w, w->norm2_b, rows);
    decoder_feed(d, layer, rows, d->h);
}

static void norm_in_stream(struct decoder *d, const float *w, const float *b, int rows)
{
    decoder_norm(d, w, b, rows);
    decoder_swap(d);
}

static void run_post_norm(struct decoder *d, int layer, int position, int rows)
{
    const struct layer_weights *w = &d->w->layers[layer];
    mix(d, layer, position, rows, d->x);
    norm_in_stream(d, w->norm1_w, w->norm1_b, rows);
    if (d->c.n_encoder_layers) {
        cross(d, layer, position, rows, d->x);
        norm_in_stream(d, w->norm_cross_w, w->norm_cross_b, rows);
    }
    decoder_feed(d, layer, rows, d->x);
    norm_in_stream(d, w->norm2_w, w->norm2_b, rows);
}

static void run_head(struct decoder *d, int rows, bool all, float *logits)
{
    const int n = d->c.d_model;
    if (!all) {
        decoder_logits(d, d->x + (size_t)(rows - 1) * (size_t)n, logits);
        return;
    }
    if (d->w->norm_w)
        decoder_norm(d, d->w->norm_w, d->w->norm_b, rows);
    decoder_dense(&(struct dense){d, d->w->head, d->wide ? d->wide->head : NULL, NULL,
                                  d->w->norm_w ? d->h : d->x, logits, rows, d->c.vocab,
                                  n, DENSE_SET});
}

static void embed(struct decoder *d, int position, int rows)
{
    float *x = d->x;
    for (int at = position; at < position + rows; at++, x += d->c.d_model) {
        decoder_embed(d, x, d->ids[at], at);
        decoder_add_state(d, x, at);
    }
}

enum model_status decoder_run_chunk(struct decoder *d, int position, int n, bool all,
                                    float *logits)
{
    embed(d, position, n);
    decoder_place(d, position, n);
    for (int layer = 0; layer < d->c.n_layers; layer++) {
        if (decoder_cancelled(d))
            return MODEL_CANCELLED;
        if (d->c.norm == NORM_POST)
            run_post_norm(d, layer, position, n);
        else
            run_pre_norm(d, layer, position, n);
    }
    if (logits)
        run_head(d, n, all, logits);
    return MODEL_OK;
}
