/* What scores owe to distance, forwards and backwards: as model/decoder_relation.c,
 * for whole tiles.
 *
 * Forwards the tile's queries are multiplied with the rows of a table that can occur,
 * and each score reads its own; Huang et al. 2018 call this reading, for distances by
 * index, skewing. Backwards the scores' gradients are summed where they were read
 * from, and two products give the gradients of queries and table. A table's gradient
 * is kept apart for every sequence and head and summed at the end, in order, so that
 * threads do not matter. */
#include "model/position.h"
#include "model/train_internal.h"

#include <string.h>

/* Rows of the index table that the tile reads: column c of n_near stands for the
 * distance n_near - 1 - c. */
static int n_near(const struct tile *l)
{
    int most = l->first + l->rows, reach = l->h->t->config.reach;
    return most < reach ? most : reach;
}

/* The first of those rows. */
static const float *near_rows(const struct tile *l, const float *table, int head)
{
    int reach = l->h->t->config.reach;
    return table + ((size_t)head * reach + (size_t)(reach - n_near(l))) * l->h->width;
}

static const float *key_rows(const struct tile *l)
{
    const struct model_config *c = &l->h->t->config;
    int own = c->relative == RELATIVE_MUSIC ? l->h->index % c->n_heads : 0;
    return near_rows(l, l->h->w->relative_key, own);
}

static const float *time_rows(const struct tile *l)
{
    const struct head *h = l->h;
    size_t own = (size_t)(h->index % h->t->config.n_heads) * MODEL_TIME_BUCKETS;
    return h->w->time_key + own * h->width;
}

/* This head's parts of the tables' gradients: keys [reach, e], values [reach, e] of
 * Shaw's, times [buckets, e]. */
static float *key_part(const struct tile *l)
{
    return l->h->t->relation_parts + (size_t)l->h->index * l->h->t->n_relation;
}

static float *value_part(const struct tile *l)
{
    return key_part(l) + (size_t)l->h->t->config.reach * l->h->width;
}

static float *time_part(const struct tile *l)
{
    const struct trainer *t = l->h->t;
    return key_part(l) + t->n_relation - (size_t)MODEL_TIME_BUCKETS * l->h->width;
}

/* to [rows, n] = alpha x table^T, x [rows, width] rows ld apart. */
static void times_table(const struct tile *l, float *to, int ld_to, const float *x,
                        int ld, const float *table, int n, float alpha)
{
    struct product p = {
        .m = l->rows,
        .n = n,
        .k = l->h->width,
        .alpha = alpha,
        .a = x,
        .ld_a = ld,
        .b = table,
        .ld_b = l->h->width,
        .b_across = true,
        .c = to,
        .ld_c = ld_to,
    };
    l->h->t->multiply(&p, l->s->panels);
}

/* x [rows, width] += alpha from table, from [rows, n]. */
static void add_table(const struct tile *l, float *x, int ld, const float *from,
                      int ld_from, const float *table, int n, float alpha)
{
    struct product p = {
        .m = l->rows,
        .n = l->h->width,
        .k = n,
        .alpha = alpha,
        .a = from,
        .ld_a = ld_from,
        .b = table,
        .ld_b = l->h->width,
        .beta = 1.0f,
        .c = x,
        .ld_c = ld,
    };
    l->h->t->multiply(&p, l->s->panels);
}

/* part [n, width] += alpha from^T x. */
static void add_to_part(const struct tile *l, float *part, const float *from,
                        int ld_from, const float *x, int ld, int n, float alpha)
{
    struct product p = {
        .m = n,
        .n = l->h->width,
        .k = l->rows,
        .alpha = alpha,
        .a = from,
        .ld_a = ld_from,
        .a_across = true,
        .b = x,
        .ld_b = ld,
        .beta = 1.0f,
        .c = part,
        .ld_c = l->h->width,
    };
    l->h->t->multiply(&p, l->s->panels);
}

/* A row's keys: n of them from `start` on, of which n_far use column 0 and the others
 * the columns from `column` on. */
struct reading {
    int n, n_far, column;
};

static struct reading reading_of(const struct tile *l, int row)
{
    int query = l->first + row, n = query + 1 - l->start;
    int column = n_near(l) - 1 - (query - l->start);
    int n_far = column >= 0 ? 0 : -column < n ? -column : n;
    return (struct reading){n, n_far, column + n_far};
}

/* scores += near, each from where its distance is. */
static void read_near(const struct tile *l, float *scores)
{
    const struct trainer *t = l->h->t;
    for (int r = 0; r < l->rows; r++) {
        struct reading at = reading_of(l, r);
        const float *near = l->s->near + (size_t)r * t->ld_near;
        float *row = scores + (size_t)r * t->ld_scores;
        for (int i = 0; i < at.n_far; i++)
            row[i] += near[0];
        for (int i = at.n_far; i < at.n; i++)
            row[i] += near[at.column + i - at.n_far];
    }
}

/* near = sums of scores, each to where its distance is. */
static void sum_near(const struct tile *l, const float *scores)
{
    const struct trainer *t = l->h->t;
    for (int r = 0; r < l->rows; r++) {
        struct reading at = reading_of(l, r);
        float *near = l->s->near + (size_t)r * t->ld_near, far = 0.0f;
        const float *row = scores + (size_t)r * t->ld_scores;
        memset(near, 0, (size_t)n_near(l) * sizeof *near);
        for (int i = 0; i < at.n_far; i++)
            far += row[i];
        for (int i = at.n_far; i < at.n; i++)
            near[at.column + i - at.n_far] += row[i];
        near[0] += far;
    }
}

/* The bucket of each key of a row that the tile sees, from `start` on. */
static const uint8_t *buckets_of(const struct tile *l, int row)
{
    const struct trainer *t = l->h->t;
    size_t length = (size_t)t->options.length;
    size_t first = (size_t)(l->h->index / t->config.n_heads) * length;
    return t->buckets + (first + (size_t)(l->first + row)) * length + l->start;
}

static void read_times(const struct tile *l)
{
    const struct trainer *t = l->h->t;
    for (int r = 0; r < l->rows; r++)
        t->kernels->read_table(l->s->scores + (size_t)r * t->ld_scores,
                               l->s->by_time + (size_t)r * MODEL_TIME_BUCKETS,
                               buckets_of(l, r), l->first + r + 1 - l->start);
}

static void sum_times(const struct tile *l)
{
    const struct trainer *t = l->h->t;
    memset(l->s->by_time, 0,
           (size_t)l->rows * MODEL_TIME_BUCKETS * sizeof *l->s->by_time);
    for (int r = 0; r < l->rows; r++)
        t->kernels->sum_into_table(l->s->by_time + (size_t)r * MODEL_TIME_BUCKETS,
                                   l->s->d_scores + (size_t)r * t->ld_scores,
                                   buckets_of(l, r), l->first + r + 1 - l->start);
}

void relation_forward(const struct tile *l)
{
    const struct head *h = l->h;
    const float *q = h->q + (size_t)l->first * h->ld;
    if (h->w->relative_key) {
        times_table(l, l->s->near, h->t->ld_near, q, h->ld, key_rows(l), n_near(l),
                    h->scale);
        read_near(l, l->s->scores);
    }
    if (h->w->time_key) {
        times_table(l, l->s->by_time, MODEL_TIME_BUCKETS, q, h->ld, time_rows(l),
                    MODEL_TIME_BUCKETS, h->scale);
        read_times(l);
    }
}

void relation_values_forward(const struct tile *l)
{
    const struct head *h = l->h;
    if (!h->w->relative_value)
        return;
    sum_near(l, l->s->scores);
    add_table(l, h->mixed + (size_t)l->first * h->d, h->d, l->s->near, h->t->ld_near,
              near_rows(l, h->w->relative_value, 0), n_near(l), 1.0f);
}

void relation_weights_backward(const struct tile *l)
{
    const struct head *h = l->h;
    if (!h->w->relative_value)
        return;
    times_table(l, l->s->near, h->t->ld_near, h->d_mixed + (size_t)l->first * h->d,
                h->d, near_rows(l, h->w->relative_value, 0), n_near(l), 1.0f);
    read_near(l, l->s->d_scores);
}

/* From sums by column: to dq, and to the columns' own rows. */
static void columns_backward(const struct tile *l, const float *sums, int ld_sums,
                             const float *table, float *part, int n)
{
    const struct head *h = l->h;
    add_table(l, h->dq + (size_t)l->first * h->ld, h->ld, sums, ld_sums, table, n,
              h->scale);
    add_to_part(l, part, sums, ld_sums, h->q + (size_t)l->first * h->ld, h->ld, n,
                h->scale);
}

void relation_backward(const struct tile *l)
{
    const struct head *h = l->h;
    const struct trainer *t = h->t;
    size_t skipped = (size_t)(t->config.reach - n_near(l)) * h->width;
    if (h->w->relative_key) {
        sum_near(l, l->s->d_scores);
        columns_backward(l, l->s->near, t->ld_near, key_rows(l), key_part(l) + skipped,
                         n_near(l));
    }
    if (h->w->relative_value) {
        sum_near(l, l->s->scores);
        add_to_part(l, value_part(l) + skipped, l->s->near, t->ld_near,
                    h->d_mixed + (size_t)l->first * h->d, h->d, n_near(l), 1.0f);
    }
    if (h->w->time_key) {
        sum_times(l);
        columns_backward(l, l->s->by_time, MODEL_TIME_BUCKETS, time_rows(l),
                         time_part(l), MODEL_TIME_BUCKETS);
    }
}

static void buckets_task(void *arg, int block, int thread)
{
    const struct layer_job *job = arg;
    const struct trainer *t = job->t;
    const uint8_t *rows = position_time_rows();
    const int length = t->options.length;
    const int from = block * BLOCK_ROWS, to = from + trainer_block_rows(t, block);
    (void)thread;
    for (int row = from; row < to; row++) {
        const int first = row / length * length;
        const int64_t now = trainer_time(t, row);
        uint8_t *bucket = t->buckets + (size_t)row * (size_t)length;
        for (int key = first; key <= row; key++)
            bucket[key - first] =
                (uint8_t)position_time_row(rows, now - trainer_time(t, key));
    }
}

void relation_find_buckets(struct trainer *t)
{
    struct layer_job job = {.t = t};
    if (t->buckets)
        pool_run(t->pool, buckets_task, &job, trainer_n_blocks(t));
}

void relation_begin(struct trainer *t)
{
    size_t heads = (size_t)t->options.batch * (size_t)t->config.n_heads;
    memset(t->relation_parts, 0, heads * t->n_relation * sizeof *t->relation_parts);
}

/* gradient [n] = the sum of the parts at `at` of the heads first, first + by, ... */
static void sum_parts(const struct trainer *t, float *gradient, size_t at, size_t n,
                      int first, int by)
{
    memset(gradient, 0, n * sizeof *gradient);
    for (int i = first; i < t->options.batch * t->config.n_heads; i += by) {
        const float *part = t->relation_parts + (size_t)i * t->n_relation + at;
        for (size_t j = 0; j < n; j++)
            gradient[j] += part[j];
    }
}

/* A table for each head. */
static void sum_by_head(const struct trainer *t, const float *table, size_t at,
                        size_t n)
{
    for (int head = 0; head < t->config.n_heads; head++)
        sum_parts(t, trainer_gradient_of(t, table) + (size_t)head * n, at, n, head,
                  t->config.n_heads);
}

void relation_gradients(struct trainer *t, int layer)
{
    const struct layer_weights *w = &t->at.layers[layer];
    size_t e = (size_t)t->config.d_model / (size_t)t->config.n_heads;
    size_t n = (size_t)t->config.reach * e, buckets = MODEL_TIME_BUCKETS * e;
    if (t->config.relative == RELATIVE_MUSIC)
        sum_by_head(t, w->relative_key, 0, n);
    if (t->config.relative == RELATIVE_SHAW) {
        sum_parts(t, trainer_gradient_of(t, w->relative_key), 0, n, 0, 1);
        sum_parts(t, trainer_gradient_of(t, w->relative_value), n, n, 0, 1);
    }
    if (w->time_key)
        sum_by_head(t, w->time_key, t->n_relation - buckets, buckets);
}
