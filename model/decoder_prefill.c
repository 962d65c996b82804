/* Many tokens at once, a chunk of rows through all layers at a time. Matrix
 * products go to OpenBLAS in tasks of ROWS x COLUMNS that never depend on the
 * number of threads. Attention takes QUERIES rows of one head against one tile
 * of keys after another, keeping a running maximum and sum for each row
 * (Milakov & Gimelshein 2018; Dao et al. 2022), so no matrix is larger than a
 * tile. */
#include "model/decoder_internal.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

/* A product's rows are the whole chunk: OpenBLAS repacks the weights per task. */
enum { ROWS = CHUNK, COLUMNS = 128, NORM_ROWS = 16 };

static int parts(int n, int size)
{
    return (n + size - 1) / size;
}

static int part_size(int n, int size, int i)
{
    return n - i * size < size ? n - i * size : size;
}

/* y = x W' + b, or y += x W' + b, with what follows it; rows of n_in and n_out
 * floats. */
struct product {
    const struct decoder *d;
    const float *w, *b, *x;
    float *y;
    int rows, n_out, n_in;
    enum { PRODUCT_SET, PRODUCT_ADD, PRODUCT_ACTIVATE } how;
};

/* What the product is added to. */
static void prepare(const struct product *p, float *y, int rows, int column, int n)
{
    for (int r = 0; r < rows; r++, y += p->n_out)
        if (p->how == PRODUCT_ADD)
            p->d->k->add(y, p->b + column, n);
        else
            memcpy(y, p->b + column, (size_t)n * sizeof *y);
}

static void product_task(void *arg, int i, int thread)
{
    const struct product *p = arg;
    const int across = parts(p->n_out, COLUMNS), row = i / across * ROWS;
    const int column = i % across * COLUMNS;
    const int m = part_size(p->rows, ROWS, i / across);
    const int n = part_size(p->n_out, COLUMNS, i % across);
    float *y = p->y + (size_t)row * (size_t)p->n_out + column;
    (void)thread;

    if (p->b)
        prepare(p, y, m, column, n);
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, m, n, p->n_in, 1.0f,
                p->x + (size_t)row * (size_t)p->n_in, p->n_in,
                p->w + (size_t)column * (size_t)p->n_in, p->n_in, p->b ? 1.0f : 0.0f, y,
                p->n_out);
    if (p->how == PRODUCT_ACTIVATE)
        for (int r = 0; r < m; r++)
            decoder_activate(p->d, y + (size_t)r * (size_t)p->n_out, n);
}

static void run_product(const struct product *p)
{
    struct product own = *p;
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

static void run_norm(const struct decoder *d, const float *w, const float *b, int rows)
{
    struct norm_job job = {d, w, b, rows};
    pool_run(d->pool, norm_task, &job, parts(rows, NORM_ROWS));
}

/* The chunk's attention in one layer; its first row is at `position`. */
struct attention_job {
    struct decoder *d;
    int layer, position, rows;
};

static void store_task(void *arg, int head, int thread)
{
    const struct attention_job *job = arg;
    struct decoder *d = job->d;
    const int n = d->c.d_model;
    const float *row = d->qkv + (size_t)head * (size_t)d->d_head;
    (void)thread;
    for (int r = 0; r < job->rows; r++, row += 3 * n)
        decoder_store(d, job->layer, head, job->position + r, row + n, row + 2 * n);
}

/* Of some queries of one head, while the keys go by. */
struct attending {
    float *scores; /* [QUERIES, KEY_TILE] */
    float *mixed;  /* [QUERIES, d_value]: sums of values, scaled by exp(-high) */
    float *high;   /* [QUERIES]: the largest score so far */
    float *sum;    /* [QUERIES]: of exp(score - high) */
};

size_t decoder_prefill_scratch(const struct decoder *d)
{
    return (size_t)QUERIES * (size_t)(KEY_TILE + d->d_value + 2);
}

static struct attending attending_init(const struct decoder *d, float *scratch)
{
    struct attending a;
    a.scores = scratch;
    a.mixed = a.scores + QUERIES * KEY_TILE;
    a.high = a.mixed + (size_t)QUERIES * (size_t)d->d_value;
    a.sum = a.high + QUERIES;
    memset(a.mixed, 0, (size_t)QUERIES * (size_t)d->d_value * sizeof *a.mixed);
    memset(a.sum, 0, QUERIES * sizeof *a.sum);
    for (int r = 0; r < QUERIES; r++)
        a.high[r] = -INFINITY;
    return a;
}

/* Scores of one row become weights; keys past `n` weigh nothing. */
static void weigh_row(const struct decoder *d, struct attending *a, int r, int n)
{
    float *scores = a->scores + (size_t)r * KEY_TILE;
    if (n <= 0) {
        memset(scores, 0, KEY_TILE * sizeof *scores);
        return;
    }
    int seen = n < KEY_TILE ? n : KEY_TILE;
    float high = fmaxf(a->high[r], d->k->highest(scores, seen));
    float shrink = expf(a->high[r] - high);
    a->sum[r] = a->sum[r] * shrink + d->k->exp_sum(scores, seen, high);
    a->high[r] = high;
    d->k->scale(a->mixed + (size_t)r * (size_t)d->d_value, shrink, d->d_value);
    memset(scores + seen, 0, (size_t)(KEY_TILE - seen) * sizeof *scores);
}

/* One tile of keys, for `rows` queries of which the first sees `n` of its keys and
 * each next one more. */
static void attend_tile(const struct decoder *d, struct attending *a, const float *q,
                        const float *keys, const float *values, int rows, int n)
{
    int last = n + rows - 1, seen = last < KEY_TILE ? last : KEY_TILE;
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, KEY_TILE, d->d_head,
                d->scale, q, 3 * d->c.d_model, keys, KEY_TILE, 0.0f, a->scores,
                KEY_TILE);
    for (int r = 0; r < rows; r++)
        weigh_row(d, a, r, n + r);
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, d->d_value, seen, 1.0f,
                a->scores, KEY_TILE, values, d->d_value, 1.0f, a->mixed, d->d_value);
}

static void attention_task(void *arg, int i, int thread)
{
    const struct attention_job *job = arg;
    struct decoder *d = job->d;
    const int head = i % d->c.n_heads, first = i / d->c.n_heads * QUERIES;
    const int rows = part_size(job->rows, QUERIES, i / d->c.n_heads);
    const int position = job->position + first, at = head * d->d_head;
    const float *q = d->qkv + (size_t)first * 3 * (size_t)d->c.d_model + at;
    const float *keys = head_keys(d, job->layer, head);
    const float *values = head_values(d, job->layer, head);
    struct attending a = attending_init(d, thread_scratch(d, thread));

    for (int key = 0; key < position + rows; key += KEY_TILE) {
        attend_tile(d, &a, q, keys, values, rows, position + 1 - key);
        keys += (size_t)d->d_head * KEY_TILE;
        values += (size_t)d->d_value * KEY_TILE;
    }
    for (int r = 0; r < rows; r++) {
        float *row = a.mixed + (size_t)r * (size_t)d->d_value;
        d->k->scale(row, 1.0f / a.sum[r], d->d_head);
        memcpy(d->mixed + (size_t)(first + r) * (size_t)d->c.d_model + at, row,
               (size_t)d->d_head * sizeof *row);
    }
}

static void run_attention(struct decoder *d, int layer, int position, int rows)
{
    struct attention_job job = {d, layer, position, rows};
    pool_run(d->pool, store_task, &job, d->c.n_heads);
    pool_run(d->pool, attention_task, &job, parts(rows, QUERIES) * d->c.n_heads);
}

static void run_layer(struct decoder *d, int layer, int position, int rows)
{
    const struct layer_weights *w = &d->w->layers[layer];
    const int n = d->c.d_model, ff = d->c.d_ff;

    run_norm(d, w->norm1_w, w->norm1_b, rows);
    run_product(&(struct product){d, w->qkv_w, w->qkv_b, d->h, d->qkv, rows, 3 * n, n,
                                  PRODUCT_SET});
    run_attention(d, layer, position, rows);
    run_product(&(struct product){d, w->out_w, w->out_b, d->mixed, d->x, rows, n, n,
                                  PRODUCT_ADD});
    run_norm(d, w->norm2_w, w->norm2_b, rows);
    run_product(&(struct product){d, w->ff1_w, w->ff1_b, d->h, d->hidden, rows, ff, n,
                                  PRODUCT_ACTIVATE});
    run_product(&(struct product){d, w->ff2_w, w->ff2_b, d->hidden, d->x, rows, n, ff,
                                  PRODUCT_ADD});
}

static void run_head(struct decoder *d, int rows, bool all, float *logits)
{
    const int n = d->c.d_model;
    if (!all) {
        decoder_logits(d, d->x + (size_t)(rows - 1) * (size_t)n, logits);
        return;
    }
    run_norm(d, d->w->norm_w, d->w->norm_b, rows);
    run_product(&(struct product){d, d->w->head, NULL, d->h, logits, rows, d->c.vocab,
                                  n, PRODUCT_SET});
}

enum model_status decoder_run_chunk(struct decoder *d, const int32_t *tokens, int n,
                                    int position, bool all, float *logits)
{
    for (int i = 0; i < n; i++)
        decoder_embed(d, d->x + (size_t)i * (size_t)d->c.d_model, tokens[i],
                      position + i);
    for (int layer = 0; layer < d->c.n_layers; layer++) {
        if (decoder_cancelled(d))
            return MODEL_CANCELLED;
        run_layer(d, layer, position, n);
    }
    if (logits)
        run_head(d, n, all, logits);
    return MODEL_OK;
}
