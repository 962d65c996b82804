/* Many tokens at once, a chunk of rows through all layers at a time. Matrix products
 * (product.h; in bf16 where the precision allows it) go in tasks of ROWS x COLUMNS
 * that never depend on the number of threads; attention_prefill.c has what lies between
 * them. */
#include "model/decoder/decoder_internal.h"

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
            memcpy(y, p->b + column, n * sizeof *y);
}

static void product_task(void *arg, int i, int thread)
{
    const struct dense *p = arg;
    const int across = parts(p->n_out, COLUMNS), row = i / across * ROWS;
    const int column = i % across * COLUMNS;
    const int m = part_size(p->rows, ROWS, i / across);
    const int n = part_size(p->n_out, COLUMNS, i % across);
    float *y = p->y + (size_t)row * p->n_out + column;
    const size_t words = product_words(p->d->products, p->n_in);
    struct product product =
        product_of(m, n, p->n_in, row_major(p->x + (size_t)row * p->n_in, p->n_in),
                   transposed(p->w + (size_t)column * p->n_in, p->n_in), y, p->n_out);
    product.beta = p->b ? 1.0f : 0.0f;
    product.packed = p->packed ? p->packed + column * words : NULL;
    if (p->b)
        prepare(p, y, m, column, n);
    p->d->products->multiply(&product, decoder_panels(p->d, thread));
    if (p->how == DENSE_ACTIVATE)
        for (int r = 0; r < m; r++)
            decoder_activate(p->d, y + (size_t)r * p->n_out, n);
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
    size_t at = (size_t)i * NORM_ROWS * n;
    (void)thread;
    d->k->layer_norm(d->h + at, NULL, d->x + at, job->w, job->b,
                     part_size(job->rows, NORM_ROWS, i), n);
}

void decoder_norm(const struct decoder *d, const float *w, const float *b, int rows)
{
    struct norm_job job = {d, w, b, rows};
    pool_run(d->pool, norm_task, &job, parts(rows, NORM_ROWS));
}

void decoder_project(struct decoder *d, const struct kv_view *m, int layer,
                     int position, int rows, const float *from)
{
    const struct layer_weights *w = &d->w->layers[layer];
    const int n = d->c.d_model;
    decoder_dense(&(struct dense){d, w->qkv_w, decoder_prefill_layer(d, layer).qkv,
                                  w->qkv_b, from, d->qkv, rows, 3 * n, n, DENSE_SET});
    for (size_t r = 0; w->value_embedding && r < (size_t)rows; r++)
        d->k->add(d->qkv + (3 * r + 2) * n,
                  w->value_embedding + (size_t)d->ids[(size_t)position + r] * n, n);
    d->k->rotate(d->qkv, 3 * n, 2 * d->c.n_heads, d->rotations, d->d_head, rows, false);
    decoder_keep_query(d, ATTENTION_SELF, layer, position, 0, d->c.n_heads, d->qkv,
                       3 * n, rows);
    decoder_store_rows(d, m, position, d->qkv + n, 3 * n, rows);
}

/* x += the mix of the tokens before, from `from`. */
static void mix(struct decoder *d, int layer, int position, int rows, const float *from)
{
    const struct layer_weights *w = &d->w->layers[layer];
    const struct prefill_layer packed = decoder_prefill_layer(d, layer);
    const int n = d->c.d_model;
    if (d->c.mixing == MIXING_FOURIER) {
        decoder_fourier(d, layer, position, rows, from);
        d->k->add(d->x, d->mixed, rows * n);
        return;
    }
    struct kv_view m = kv_view_of_past(d, layer, position + rows);
    decoder_project(d, &m, layer, position, rows, from);
    decoder_attend(d, &m, d->qkv, 3 * n, position, rows);
    decoder_dense(&(struct dense){d, w->out_w, packed.out, w->out_b, d->mixed, d->x,
                                  rows, n, n, DENSE_ADD});
}

/* x += cross-attention to the source, from `from`. */
static void cross(struct decoder *d, int layer, int position, int rows,
                  const float *from)
{
    const struct layer_weights *w = &d->w->layers[layer];
    const struct prefill_layer packed = decoder_prefill_layer(d, layer);
    const int n = d->c.d_model;
    struct kv_view m = kv_view_of_source(d, layer);
    decoder_dense(&(struct dense){d, w->cross_q_w, packed.cross_q, w->cross_q_b, from,
                                  d->qkv, rows, n, n, DENSE_SET});
    d->k->rotate(d->qkv, n, d->c.n_heads, d->cross_rotations, d->d_head, rows, false);
    decoder_keep_query(d, ATTENTION_CROSS, layer, position, 0, d->c.n_heads, d->qkv, n,
                       rows);
    decoder_attend(d, &m, d->qkv, n, position, rows);
    decoder_dense(&(struct dense){d, w->cross_out_w, packed.cross_out, w->cross_out_b,
                                  d->mixed, d->x, rows, n, n, DENSE_ADD});
}

void decoder_feed(struct decoder *d, int layer, int position, int rows,
                  const float *from)
{
    const struct layer_weights *w = &d->w->layers[layer];
    const struct prefill_layer packed = decoder_prefill_layer(d, layer);
    const int n = d->c.d_model, ff = d->c.d_ff;
    (void)position;
    decoder_dense(&(struct dense){d, w->ff1_w, packed.ff1, w->ff1_b, from, d->hidden,
                                  rows, ff, n, DENSE_ACTIVATE});
    decoder_dense(&(struct dense){d, w->ff2_w, packed.ff2, w->ff2_b, d->hidden, d->x,
                                  rows, n, ff, DENSE_ADD});
}

/* One residual branch of a layer and its norm: before it, or after its sum. */
static void run_branch(struct decoder *d, int layer, int position, int rows,
                       void (*branch)(struct decoder *d, int layer, int position,
                                      int rows, const float *from),
                       const float *norm_w, const float *norm_b)
{
    const bool post = d->c.norm == NORM_POST;
    if (!post)
        decoder_norm(d, norm_w, norm_b, rows);
    branch(d, layer, position, rows, post ? d->x : d->h);
    if (post) {
        decoder_norm(d, norm_w, norm_b, rows);
        decoder_swap(d);
    }
}

static void run_head(struct decoder *d, int rows, bool all, float *logits)
{
    const int n = d->c.d_model;
    if (!all) {
        decoder_logits(d, d->x + (size_t)(rows - 1) * n, logits);
        return;
    }
    if (d->w->norm_w)
        decoder_norm(d, d->w->norm_w, d->w->norm_b, rows);
    decoder_dense(&(struct dense){
        d, d->w->head, d->prefill_weights ? d->prefill_weights->head : NULL, NULL,
        d->w->norm_w ? d->h : d->x, logits, rows, d->c.vocab, n, DENSE_SET});
}

enum model_status decoder_run_chunk(struct decoder *d, int position, int n, bool all,
                                    float *logits)
{
    float *x = d->x;
    for (int i = 0, at = position; i < n; i++, at++, x += d->c.d_model) {
        decoder_embed(d, x, d->ids[at], at);
        decoder_add_state(d, x, at);
        decoder_set_rotation(d, i, at, d->times[at]);
    }
    for (int layer = 0; layer < d->c.n_layers; layer++) {
        const struct layer_weights *w = &d->w->layers[layer];
        if (decoder_cancelled(d))
            return MODEL_CANCELLED;
        run_branch(d, layer, position, n, mix, w->norm1_w, w->norm1_b);
        if (d->c.n_encoder_layers)
            run_branch(d, layer, position, n, cross, w->norm_cross_w, w->norm_cross_b);
        run_branch(d, layer, position, n, decoder_feed, w->norm2_w, w->norm2_b);
    }
    if (logits)
        run_head(d, n, all, logits);
    return MODEL_OK;
}
