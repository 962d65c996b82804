/* Many tokens at once, a chunk of rows through all layers at a time. Matrix products
 * (product.h; in bf16 where the precision allows it) go in tasks of ROWS x COLUMNS
 * that never depend on the number of threads; attention_prefill.c has what lies between
 * them. */
#include "model/decoder/decoder_internal.h"
#include "model/decoder/position.h"

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

/* A linear layer: y [rows, n_out] = or += x [rows, n_in] W' + b, then perhaps the
 * activation. */
struct dense {
    const struct decoder *d;
    const float *w;
    const float *b, *x;
    float *y;
    int rows, n_out, n_in;
    enum { DENSE_SET, DENSE_ADD, DENSE_ACTIVATE } how;
};

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
    const uint32_t *panels = packed_prefill_find(p->d->prefill_weights, p->w);
    struct product product =
        product_of(m, n, p->n_in, row_major(p->x + (size_t)row * p->n_in, p->n_in),
                   transposed(p->w + (size_t)column * p->n_in, p->n_in), y, p->n_out);
    product.beta = p->b ? 1.0f : 0.0f;
    product.packed = panels ? panels + column * words : NULL;
    if (p->b)
        prepare(p, y, m, column, n);
    p->d->products->multiply(&product, decoder_panels(p->d, thread));
    if (p->how == DENSE_ACTIVATE)
        for (int r = 0; r < m; r++)
            decoder_activate(p->d, y + (size_t)r * p->n_out, n);
}

static void run_dense(struct dense p)
{
    pool_run(p.d->pool, product_task, &p,
             parts(p.rows, ROWS) * parts(p.n_out, COLUMNS));
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

static void norm_rows(const struct decoder *d, const float *w, const float *b, int rows)
{
    struct norm_job job = {d, w, b, rows};
    pool_run(d->pool, norm_task, &job, parts(rows, NORM_ROWS));
}

/* Around a residual branch of a layer is a norm: before it, or after its sum, whose output
 * then becomes the stream. Returns what the branch reads. */
static const float *enter_branch(struct decoder *d, const float *norm_w,
                                 const float *norm_b, int rows)
{
    if (d->c.norm == NORM_POST)
        return d->x;
    norm_rows(d, norm_w, norm_b, rows);
    return d->h;
}

static void leave_branch(struct decoder *d, const float *norm_w, const float *norm_b,
                         int rows)
{
    float *x = d->x;
    if (d->c.norm == NORM_PRE)
        return;
    norm_rows(d, norm_w, norm_b, rows);
    d->x = d->h;
    d->h = x;
}

/* qkv of the rows; their keys, and their values with what their tokens are worth to this
 * layer, go to the cache. */
static void project(struct decoder *d, const struct kv_view *m, int layer, int position,
                    int rows, const float *from)
{
    const struct layer_weights *w = &d->w->layers[layer];
    const int n = d->c.d_model;
    run_dense(
        (struct dense){d, w->qkv_w, w->qkv_b, from, d->qkv, rows, 3 * n, n, DENSE_SET});
    for (size_t r = 0; w->value_embedding && r < (size_t)rows; r++)
        d->k->add(d->qkv + (3 * r + 2) * n,
                  w->value_embedding + (size_t)d->ids[(size_t)position + r] * n, n);
    d->k->rotate(d->qkv, 3 * n, 2 * d->c.n_heads, d->rotations, d->d_head, rows, false);
    decoder_keep_query(d, ATTENTION_SELF, layer, position, 0, d->c.n_heads, d->qkv,
                       3 * n, rows);
    decoder_store_rows(d, m, position, d->qkv + n, 3 * n, rows);
}

/* x += the output projection of what the rows' queries attend to. */
static void join(struct decoder *d, const struct kv_view *m, int layer, int position,
                 int rows)
{
    const struct layer_weights *w = &d->w->layers[layer];
    const int n = d->c.d_model;
    decoder_attend(d, m, d->qkv, 3 * n, position, rows);
    run_dense(
        (struct dense){d, w->out_w, w->out_b, d->mixed, d->x, rows, n, n, DENSE_ADD});
}

/* x += the mix of the tokens before. */
static void mix(struct decoder *d, int layer, int position, int rows)
{
    const struct layer_weights *w = &d->w->layers[layer];
    const float *from = enter_branch(d, w->norm1_w, w->norm1_b, rows);
    if (d->c.mixing == MIXING_FOURIER) {
        decoder_fourier(d, layer, position, rows, from);
        d->k->add(d->x, d->mixed, rows * d->c.d_model);
    } else {
        struct kv_view m = kv_view_of_past(d, layer, position + rows);
        project(d, &m, layer, position, rows, from);
        join(d, &m, layer, position, rows);
    }
    leave_branch(d, w->norm1_w, w->norm1_b, rows);
}

/* x += cross-attention to the source. */
static void cross(struct decoder *d, int layer, int position, int rows)
{
    const struct layer_weights *w = &d->w->layers[layer];
    const int n = d->c.d_model;
    const float *from = enter_branch(d, w->norm_cross_w, w->norm_cross_b, rows);
    struct kv_view m = kv_view_of_source(d, layer);
    run_dense((struct dense){d, w->cross_q_w, w->cross_q_b, from, d->qkv, rows, n, n,
                             DENSE_SET});
    d->k->rotate(d->qkv, n, d->c.n_heads, d->cross_rotations, d->d_head, rows, false);
    decoder_keep_query(d, ATTENTION_CROSS, layer, position, 0, d->c.n_heads, d->qkv, n,
                       rows);
    decoder_attend(d, &m, d->qkv, n, position, rows);
    run_dense((struct dense){d, w->cross_out_w, w->cross_out_b, d->mixed, d->x, rows, n,
                             n, DENSE_ADD});
    leave_branch(d, w->norm_cross_w, w->norm_cross_b, rows);
}

/* x += the feed-forward. */
static void feed(struct decoder *d, int layer, int rows)
{
    const struct layer_weights *w = &d->w->layers[layer];
    const int n = d->c.d_model, ff = d->c.d_ff;
    const float *from = enter_branch(d, w->norm2_w, w->norm2_b, rows);
    run_dense((struct dense){d, w->ff1_w, w->ff1_b, from, d->hidden, rows, ff, n,
                             DENSE_ACTIVATE});
    run_dense(
        (struct dense){d, w->ff2_w, w->ff2_b, d->hidden, d->x, rows, n, ff, DENSE_ADD});
    leave_branch(d, w->norm2_w, w->norm2_b, rows);
}

static void run_head(struct decoder *d, int rows, bool all, float *logits)
{
    const int n = d->c.d_model;
    if (!all) {
        decoder_logits(d, d->x + (size_t)(rows - 1) * n, logits);
        return;
    }
    if (d->w->norm_w)
        norm_rows(d, d->w->norm_w, d->w->norm_b, rows);
    run_dense((struct dense){d, d->w->head, NULL, d->w->norm_w ? d->h : d->x, logits,
                             rows, d->c.vocab, n, DENSE_SET});
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
        if (decoder_cancelled(d))
            return MODEL_CANCELLED;
        mix(d, layer, position, n);
        if (d->c.n_encoder_layers)
            cross(d, layer, position, n);
        feed(d, layer, n);
    }
    if (logits)
        run_head(d, n, all, logits);
    return MODEL_OK;
}

/* -- the encoder: a source goes through its layers whole, every token seeing all of it
 * (Vaswani et al. 2017, section 3.1), and each layer of the decoder gets its own keys and
 * values of what comes out. Its rows stay in buffers of their own, and a view of the decoder
 * walks over them a chunk at a time; per layer all keys come first, then what attends to
 * them -- */

/* The decoder, working on the chunk of the source from `at` on. */
static struct decoder view_at(const struct decoder *d, int at)
{
    const size_t n = (size_t)d->c.d_model;
    struct decoder view = *d;
    view.query_cache = NULL;
    view.x = d->source.x + (size_t)at * n;
    view.qkv = d->source.qkv + (size_t)at * 3 * n;
    view.cross_rotations = NULL;
    if (d->source.rotations)
        view.rotations = d->source.rotations + (size_t)at * d->d_head;
    return view;
}

/* Post-norm swaps stream and norm twice, so the stream ends where it began. */
static void run_encoder_layer(const struct decoder *d, int layer, int n)
{
    const struct layer_weights *w = &d->w->layers[layer];
    const struct kv_view m = kv_view_of_encoder(d, layer, n);
    for (int at = 0; at < n; at += CHUNK) {
        struct decoder view = view_at(d, at);
        const int rows = part_size(n, CHUNK, at / CHUNK);
        project(&view, &m, layer, at, rows,
                enter_branch(&view, w->norm1_w, w->norm1_b, rows));
    }
    for (int at = 0; at < n; at += CHUNK) {
        struct decoder view = view_at(d, at);
        const int rows = part_size(n, CHUNK, at / CHUNK);
        join(&view, &m, layer, at, rows);
        leave_branch(&view, w->norm1_w, w->norm1_b, rows);
        feed(&view, layer, rows);
    }
}

/* Keys and values of the encoder's output for one layer of the decoder. Towards a source only
 * times turn. */
static void store_for(const struct decoder *d, int layer, int at, int rows)
{
    const struct layer_weights *w = &d->w->layers[layer];
    const int n = d->c.d_model;
    struct decoder view = view_at(d, at);
    struct kv_view m = kv_view_of_source(d, layer);
    const float *from =
        enter_branch(&view, d->w->encoder_norm_w, d->w->encoder_norm_b, rows);
    run_dense((struct dense){&view, w->cross_kv_w, w->cross_kv_b, from, view.qkv, rows,
                             2 * n, n, DENSE_SET});
    for (int r = 0; view.rotations && r < rows; r++)
        position_set_rotation(view.rotations + (size_t)r * d->d_head, &d->c, 0,
                              d->source.times[at + r]);
    d->k->rotate(view.qkv, 2 * n, d->c.n_heads, view.rotations, d->d_head, rows, false);
    decoder_store_rows(&view, &m, at, view.qkv, 2 * n, rows);
}

enum model_status decoder_run_encoder(struct decoder *d, const int32_t *tokens, int n)
{
    for (int i = 0; i < n; i++) {
        struct decoder view = view_at(d, i);
        decoder_embed(d, view.x, tokens[i], i);
        decoder_set_rotation(&view, 0, i, d->source.times[i]);
    }
    for (int i = 0; i < d->c.n_encoder_layers; i++) {
        if (decoder_cancelled(d))
            return MODEL_CANCELLED;
        run_encoder_layer(d, d->c.n_layers + i, n);
    }
    for (int layer = 0; layer < d->c.n_layers; layer++)
        for (int at = 0; at < n; at += CHUNK)
            store_for(d, layer, at, part_size(n, CHUNK, at / CHUNK));
    return MODEL_OK;
}
