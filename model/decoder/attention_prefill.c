/* Attention of a chunk: QUERIES rows of one head against one tile of keys after
 * another, keeping a running maximum and sum for each row (Milakov & Gimelshein
 * 2018; Dao et al. 2022), so no matrix is larger than a tile. */
#include "model/decoder/decoder_internal.h"

#include <math.h>
#include <string.h>

/* Some rows' attention; the first row stands at `position`. */
struct attention_job {
    struct decoder *d;
    const struct kv_view *m;
    const float *q; /* rows ld apart */
    int ld, position, rows;
};

/* Of some queries of one head, while the keys go by. */
struct attending {
    float *scores; /* [QUERIES, KEY_TILE] */
    float *mixed;  /* [QUERIES, d_value]: sums of values, scaled by exp(-high) */
    float *high;   /* [QUERIES]: the largest score so far */
    float *sum;    /* [QUERIES]: of exp(score - high) */
    float *wide;   /* a tile of keys or values, where the cache has no f32 */
    uint32_t *panels;
    const uint8_t *time_rows; /* of the first query and key 0 */
    struct relative_scores relation;
};

size_t decoder_attention_scratch(const struct decoder *d)
{
    return (size_t)QUERIES * (KEY_TILE + d->d_value + 2) +
           KEY_TILE * (size_t)(d->d_value + 1) + relative_scratch(d, QUERIES);
}

/* Scores of one row, which stands at `query`, become weights; keys outside of what it
 * sees of this tile, which begins at `key`, weigh nothing. */
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
    seen = seen < KEY_TILE ? seen : KEY_TILE;
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

/* One head's tile of keys, from `key` on, for `rows` queries from `query` on. */
static void attend_tile(struct attending *a, const float *q, int ld, int head, int rows,
                        int query, int key)
{
    const struct decoder *d = a->relation.d;
    const struct kv_view *m = a->relation.m;
    const float *keys =
        decoder_tile_f32(d, decoder_keys(d, m, head, key), true, a->wide);
    int end = end_key(m, query + rows - 1) - key,
        seen = end < KEY_TILE ? end : KEY_TILE;
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
    const int rows = job->rows - first < QUERIES ? job->rows - first : QUERIES;
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
    /* What the head gave for these rows is divided by their sums. */
    float *to = d->mixed + (size_t)first * d->c.d_model + head * d->d_head;
    for (int r = 0; r < rows; r++, to += d->c.d_model) {
        float *row = a.mixed + (size_t)r * d->d_value;
        relative_mix(&a.relation, r, row);
        d->k->scale(row, kv_view_row_scale(job->m, head, a.sum[r]), d->d_head);
        memcpy(to, row, d->d_head * sizeof *row);
    }
}

/* The rows of a time table are the same for all heads. */
static void times_task(void *arg, int i, int thread)
{
    const struct attention_job *job = arg;
    const struct decoder *d = job->d;
    const int first = i * QUERIES;
    const int end = job->rows - first < QUERIES ? job->rows : first + QUERIES;
    (void)thread;
    for (int r = first; r < end; r++) {
        int query = job->position + r, key = first_key(d, job->m, query);
        relative_time_rows(d, d->chunk_rows + r * (ptrdiff_t)d->step.n_rows + key,
                           job->m, query, key, end_key(job->m, query) - key);
    }
}

void decoder_attend(struct decoder *d, const struct kv_view *m, const float *q, int ld,
                    int position, int rows)
{
    struct attention_job job = {d, m, q, ld, position, rows};
    if (m->time_key)
        pool_run(d->pool, times_task, &job, (rows + QUERIES - 1) / QUERIES);
    pool_run(d->pool, attention_task, &job,
             ((rows + QUERIES - 1) / QUERIES) * d->c.n_heads);
}
