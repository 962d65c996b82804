/* Attention of a chunk: QUERIES rows of one head against one tile of keys after
 * another, keeping a running maximum and sum for each row (Milakov & Gimelshein
 * 2018; Dao et al. 2022), so no matrix is larger than a tile. */
#include "model/decoder_internal.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

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
    struct relation relation;
};

size_t decoder_attention_scratch(const struct decoder *d)
{
    return (size_t)QUERIES * (size_t)(KEY_TILE + d->d_value + 2) +
           relation_scratch(d, QUERIES);
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

/* Scores of one row, which stands at `query`, become weights; keys outside of what it
 * sees of this tile, which begins at `key`, weigh nothing. */
static void weigh_row(const struct decoder *d, struct attending *a, int r, int query,
                      int key)
{
    float *scores = a->scores + (size_t)r * KEY_TILE;
    if (key > query || key < first_key(d, query)) {
        memset(scores, 0, KEY_TILE * sizeof *scores);
        return;
    }
    int seen = query - key < KEY_TILE ? query - key + 1 : KEY_TILE;
    relation_add(&a->relation, r, query, key, seen, scores);
    float high = fmaxf(a->high[r], d->k->highest(scores, seen));
    float shrink = expf(a->high[r] - high);
    a->sum[r] = a->sum[r] * shrink + d->k->exp_sum(scores, seen, high);
    a->high[r] = high;
    d->k->scale(a->mixed + (size_t)r * (size_t)d->d_value, shrink, d->d_value);
    memset(scores + seen, 0, (size_t)(KEY_TILE - seen) * sizeof *scores);
    relation_shrink(&a->relation, r, shrink);
    relation_collect(&a->relation, r, query, key, seen, scores);
}

/* One tile of keys, from `key` on, for `rows` queries from `query` on. */
static void attend_tile(const struct decoder *d, struct attending *a, const float *q,
                        const float *keys, const float *values, int rows, int query,
                        int key)
{
    int last = query + rows - key, seen = last < KEY_TILE ? last : KEY_TILE;
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, KEY_TILE, d->d_head,
                d->scale, q, 3 * d->c.d_model, keys, KEY_TILE, 0.0f, a->scores,
                KEY_TILE);
    for (int r = 0; r < rows; r++)
        weigh_row(d, a, r, query + r, key);
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, d->d_value, seen, 1.0f,
                a->scores, KEY_TILE, values, d->d_value, 1.0f, a->mixed, d->d_value);
}

/* What the heads gave for these rows, divided by their sums. */
static void finish_rows(const struct decoder *d, struct attending *a, int first,
                        int rows, int column)
{
    for (int r = 0; r < rows; r++) {
        float *row = a->mixed + (size_t)r * (size_t)d->d_value;
        relation_mix(&a->relation, r, row);
        d->k->scale(row, 1.0f / a->sum[r], d->d_head);
        memcpy(d->mixed + (size_t)(first + r) * (size_t)d->c.d_model + column, row,
               (size_t)d->d_head * sizeof *row);
    }
}

static void attention_task(void *arg, int i, int thread)
{
    const struct attention_job *job = arg;
    struct decoder *d = job->d;
    const int head = i % d->c.n_heads, first = i / d->c.n_heads * QUERIES;
    const int rows = job->rows - first < QUERIES ? job->rows - first : QUERIES;
    const int query = job->position + first, column = head * d->d_head;
    const float *q = d->qkv + (size_t)first * 3 * (size_t)d->c.d_model + column;
    const float *keys = head_keys(d, job->layer, head);
    const float *values = head_values(d, job->layer, head);
    struct attending a = attending_init(d, thread_scratch(d, thread));

    relation_init(&a.relation, d, &d->w->layers[job->layer], head, a.sum + QUERIES, q,
                  3 * d->c.d_model, rows, query + rows - 1, d->scale);
    for (int key = first_key(d, query); key < query + rows; key += KEY_TILE)
        attend_tile(d, &a, q, keys + (size_t)key * (size_t)d->d_head,
                    values + (size_t)key * (size_t)d->d_value, rows, query, key);
    finish_rows(d, &a, first, rows, column);
}

void decoder_attention(struct decoder *d, int layer, int position, int rows)
{
    struct attention_job job = {d, layer, position, rows};
    for (int r = 0; r < rows; r++)
        decoder_turn(d, r);
    pool_run(d->pool, store_task, &job, d->c.n_heads);
    pool_run(d->pool, attention_task, &job,
             ((rows + QUERIES - 1) / QUERIES) * d->c.n_heads);
}
