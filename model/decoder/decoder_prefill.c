/* Prefill: many tokens at once. A chunk of rows goes through all layers before the next
 * chunk. Matrix products (model/kernels/product.h) are divided into tasks of ROWS x
 * COLUMNS, which do not depend on the number of threads. They are in bf16 where the
 * model's precision allows it. */
#include "model/decoder/decoder_internal.h"
#include "model/decoder/position.h"

#include <math.h>
#include <string.h>

/* A task has all rows of a chunk, because it packs its part of f32 weights. */
enum { ROWS = CHUNK, COLUMNS = PRODUCT_COLUMNS_MOST, NORM_ROWS = 16 };

/* A linear layer: y [rows, n_out] = or += x [rows, n_in] w^T + b, and then perhaps the
 * activation function. */
struct dense {
    const struct decoder *d;
    const float *w;
    const float *b, *x;
    float *y;
    int rows, n_out, n_in;
    enum { DENSE_SET, DENSE_ADD, DENSE_ACTIVATE } how;
};

static void product_task(void *arg, int i, int thread)
{
    const struct dense *p = arg;
    const int across = n_parts(p->n_out, COLUMNS), row = i / across * ROWS;
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
    for (int r = 0; p->b && r < m; r++) /* what the product is added to */
        if (p->how == DENSE_ADD)
            p->d->k->add(y + (size_t)r * p->n_out, p->b + column, n);
        else
            memcpy(y + (size_t)r * p->n_out, p->b + column, n * sizeof *y);
    p->d->products->multiply(&product, decoder_panels(p->d, thread));
    if (p->how == DENSE_ACTIVATE)
        for (int r = 0; r < m; r++)
            decoder_activate(p->d, y + (size_t)r * p->n_out, n);
}

static void run_dense(struct dense p)
{
    pool_run(p.d->pool, product_task, &p,
             n_parts(p.rows, ROWS) * n_parts(p.n_out, COLUMNS));
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
    pool_run(d->pool, norm_task, &job, n_parts(rows, NORM_ROWS));
}

/* Each residual branch has a norm. With norm "pre" it comes before the branch; with norm
 * "post" it comes after the residual sum, and its output becomes the stream. enter_branch
 * returns the rows that the branch reads. */
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

/* -- Attention. A task takes QUERIES queries of one head past one tile of keys after
 * another. For each query it keeps the maximum and the sum so far (Milakov & Gimelshein
 * 2018; Dao et al. 2022), so no matrix is larger than a tile -- */

/* Attention of some rows, the first of which is at `position`. */
struct attention_job {
    struct decoder *d;
    const struct kv_view *m;
    const float *q; /* [rows] ld apart */
    int ld, position, rows;
};

/* The memory of one task: some queries of one head, while the keys go by. */
struct attending {
    float *scores; /* [QUERIES, KEY_TILE] */
    float *mixed;  /* [QUERIES, d_value] sums of values, times exp(score - high) */
    float *high;   /* [QUERIES] the largest score so far */
    float *sum;    /* [QUERIES] the sum of exp(score - high) */
    float *wide;   /* a tile of keys or values in f32, if the cache is in 8 bits */
    uint32_t *panels;
    const uint8_t *time_rows; /* of the first query, from key 0 on */
    struct relative_scores relation;
};

size_t decoder_attention_scratch(const struct decoder *d)
{
    return (size_t)QUERIES * (KEY_TILE + d->d_value + 2) +
           KEY_TILE * (size_t)(d->d_value + 1) + relative_scratch(d, QUERIES);
}

/* Turns the scores of row r, the query at position `query`, into weights for one tile of
 * keys, which begins at `key`. Keys that the query does not see get the weight 0. */
static void weigh_row(struct attending *a, int r, int query, int key)
{
    const struct decoder *d = a->relation.d;
    const struct kv_view *m = a->relation.m;
    float *scores = a->scores + (size_t)r * KEY_TILE;
    int seen = end_key(m, query) - key;
    if (seen <= 0 || key < first_key(d, m, query)) {
        memset(scores, 0, KEY_TILE * sizeof *scores);
        return;
    }
    seen = least(seen, KEY_TILE);
    const uint8_t *time_rows =
        a->time_rows ? a->time_rows + r * (ptrdiff_t)d->step.n_rows + key : NULL;
    relative_add(&a->relation, r, query, key, seen, time_rows, scores);
    float high = fmaxf(a->high[r], d->k->highest(scores, seen));
    float shrink = expf(a->high[r] - high);
    a->sum[r] = a->sum[r] * shrink + d->k->exp_sum(scores, seen, high);
    a->high[r] = high;
    d->k->scale(a->mixed + (size_t)r * d->d_value, shrink, d->d_value);
    memset(scores + seen, 0, (KEY_TILE - seen) * sizeof *scores);
    relative_shrink(&a->relation, r, shrink);
    relative_collect(&a->relation, r, query, key, seen, scores);
}

/* Attends to one tile of keys, from `key` on, for `rows` queries from position `query`
 * on. */
static void attend_tile(struct attending *a, const float *q, int ld, int head, int rows,
                        int query, int key)
{
    const struct decoder *d = a->relation.d;
    const struct kv_view *m = a->relation.m;
    const float *keys =
        decoder_tile_f32(d, decoder_keys(d, m, head, key), true, a->wide);
    const int seen = least(end_key(m, query + rows - 1) - key, KEY_TILE);
    struct product score = product_of(rows, KEY_TILE, d->d_head, row_major(q, ld),
                                      row_major(keys, KEY_TILE), a->scores, KEY_TILE);
    score.alpha = d->scale;
    d->products->multiply(&score, a->panels);
    for (int r = 0; r < rows; r++)
        weigh_row(a, r, query + r, key);
    const float *values =
        decoder_tile_f32(d, decoder_values(d, m, head, key), false, a->wide);
    struct product mix =
        product_of(rows, d->d_value, seen, row_major(a->scores, KEY_TILE),
                   row_major(values, d->d_value), a->mixed, d->d_value);
    mix.beta = 1.0f;
    d->products->multiply(&mix, a->panels);
}

static void attention_task(void *arg, int i, int thread)
{
    const struct attention_job *job = arg;
    struct decoder *d = job->d;
    const int head = i % d->c.n_heads, first = i / d->c.n_heads * QUERIES;
    const int rows = least(job->rows - first, QUERIES);
    const int query = job->position + first, last = query + rows - 1;
    const float *q = job->q + (size_t)first * job->ld + head * d->d_head;
    struct arena scratch = {(uint8_t *)decoder_scratch(d, thread), 0};
    struct attending a = {
        .scores = arena_floats(&scratch, QUERIES * KEY_TILE),
        .mixed = arena_floats(&scratch, (size_t)QUERIES * d->d_value),
        .high = arena_floats(&scratch, QUERIES),
        .sum = arena_floats(&scratch, QUERIES),
        .wide = arena_floats(&scratch, KEY_TILE * (size_t)(d->d_value + 1)),
        .panels = decoder_panels(d, thread),
        .time_rows =
            d->chunk_rows ? d->chunk_rows + first * (ptrdiff_t)d->step.n_rows : NULL,
    };
    // NOLINTBEGIN(clang-analyzer-core.*): an arena with a block has no NULL parts
    memset(a.mixed, 0, (size_t)QUERIES * d->d_value * sizeof *a.mixed);
    memset(a.sum, 0, QUERIES * sizeof *a.sum);
    for (int r = 0; r < QUERIES; r++)
        a.high[r] = -INFINITY;
    // NOLINTEND(clang-analyzer-core.*)
    relative_init(&a.relation, d, job->m, &scratch, rows, last);
    relative_multiply(&a.relation, head, q, job->ld, rows, d->scale, a.panels);
    for (int key = first_key(d, job->m, query); key < end_key(job->m, last);
         key += KEY_TILE)
        attend_tile(&a, q, job->ld, head, rows, query, key);
    /* The head's output for these rows is divided by the sums of the weights. */
    float *to = d->mixed + (size_t)first * d->c.d_model + head * d->d_head;
    for (int r = 0; r < rows; r++, to += d->c.d_model) {
        float *row = a.mixed + (size_t)r * d->d_value;
        relative_mix(&a.relation, r, row);
        d->k->scale(row, kv_view_row_scale(job->m, head, a.sum[r]), d->d_head);
        memcpy(to, row, d->d_head * sizeof *row);
    }
}

/* Finds the rows of the time table once for all heads. */
static void times_task(void *arg, int i, int thread)
{
    const struct attention_job *job = arg;
    const struct decoder *d = job->d;
    const int first = i * QUERIES, end = least(job->rows, first + QUERIES);
    (void)thread;
    for (int r = first; r < end; r++) {
        int query = job->position + r, key = first_key(d, job->m, query);
        relative_time_rows(d, d->chunk_rows + r * (ptrdiff_t)d->step.n_rows + key,
                           job->m, query, key, end_key(job->m, query) - key);
    }
}

/* d->mixed [rows, d] from the queries q [rows], ld apart, the first of which is at
 * `position`. */
static void attend(struct decoder *d, const struct kv_view *m, const float *q, int ld,
                   int position, int rows)
{
    struct attention_job job = {d, m, q, ld, position, rows};
    if (m->time_key)
        pool_run(d->pool, times_task, &job, n_parts(rows, QUERIES));
    pool_run(d->pool, attention_task, &job, n_parts(rows, QUERIES) * d->c.n_heads);
}

/* -- The layers -- */

/* Projects the rows to queries, keys and values, adds the value embeddings of their
 * tokens, and stores keys and values in the cache. */
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

/* Adds to the stream the output projection of what the rows' queries attend to. */
static void join(struct decoder *d, const struct kv_view *m, int layer, int position,
                 int rows)
{
    const struct layer_weights *w = &d->w->layers[layer];
    const int n = d->c.d_model;
    attend(d, m, d->qkv, 3 * n, position, rows);
    run_dense(
        (struct dense){d, w->out_w, w->out_b, d->mixed, d->x, rows, n, n, DENSE_ADD});
}

/* Self-attention or Fourier mixing, with its norm and residual sum. */
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

/* Cross-attention to the source, likewise. */
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
    attend(d, &m, d->qkv, n, position, rows);
    run_dense((struct dense){d, w->cross_out_w, w->cross_out_b, d->mixed, d->x, rows, n,
                             n, DENSE_ADD});
    leave_branch(d, w->norm_cross_w, w->norm_cross_b, rows);
}

/* The feed-forward layers, likewise. */
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

/* -- The encoder. A source goes through the encoder's layers as a whole, and each token
 * sees all of it (Vaswani et al. 2017, section 3.1). Then each layer of the decoder
 * projects its own keys and values from the encoder's output. The rows of the source have
 * buffers of their own, and a view of the decoder, a copy of the struct, works on one
 * chunk of them at a time. In each layer all chunks store their keys before any chunk
 * attends -- */

/* A view of the decoder that works on the chunk of the source from `at` on. */
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

/* With norm "post" a layer swaps the stream and the norm's output twice, so the stream
 * ends where it began. */
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

/* Stores the keys and values that one layer of the decoder projects from the encoder's
 * output. In cross-attention only times rotate. */
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
