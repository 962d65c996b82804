/* Around the tiles of model/train/train_relative.c: the buckets of a pass, and the
 * gradients of a layer's tables, summed from the parts of its heads. */
#include "model/decoder/position.h"
#include "model/train/train_internal.h"

#include <string.h>

/* The buckets of a block's rows and the keys of their sequence: the rows themselves, or
 * those of the source. */
static void buckets_task(void *arg, int block, int thread)
{
    const struct layer_job *job = arg;
    const struct trainer *t = job->t, *keys = job->which ? t->encoder : t;
    const uint8_t *rows = position_time_rows();
    const int n = keys->options.length;
    const int from = block * BLOCK_ROWS, to = from + trainer_block_rows(t, block);
    (void)thread;
    for (int row = from; row < to; row++) {
        const int first = row / t->options.length * n;
        const int last = keys->both_ways ? first + n - 1 : row;
        const int64_t now = trainer_time(t, row);
        uint8_t *bucket =
            (job->which ? t->cross_buckets : t->buckets) + (size_t)row * (size_t)n;
        for (int key = first; key <= last; key++)
            bucket[key - first] =
                (uint8_t)position_time_row(rows, now - trainer_time(keys, key));
    }
}

/* If no key comes later than its query, only half of the rows can occur. */
static int find_first_bucket(const struct trainer *t, int sequence)
{
    const int first = sequence * t->options.length;
    if (t->both_ways)
        return 0;
    for (int i = 1; i < t->options.length; i++)
        if (trainer_time(t, first + i) < trainer_time(t, first + i - 1))
            return 0;
    return position_time_row(position_time_rows(), 0);
}

void relative_find_buckets(struct trainer *t)
{
    struct layer_job job = {.t = t};
    if (!t->buckets)
        return;
    for (int i = 0; i < t->options.batch; i++)
        t->first_bucket[i] = find_first_bucket(t, i);
    pool_run(t->pool, buckets_task, &job, trainer_n_blocks(t));
    job.which = BRANCH_CROSS;
    if (t->cross_buckets)
        pool_run(t->pool, buckets_task, &job, trainer_n_blocks(t));
}

int trainer_n_distances(const struct trainer *t)
{
    int max_distance = t->config.max_distance;
    return max_distance && t->both_ways ? 2 * max_distance - 1 : max_distance;
}

float *relative_part(const struct trainer *t, int index)
{
    return t->relative_parts + (size_t)index * t->n_relative;
}

static void clear_task(void *arg, int i, int thread)
{
    const struct trainer *t = arg;
    (void)thread;
    memset(relative_part(t, i), 0, t->n_relative * sizeof *t->relative_parts);
}

void relative_begin(struct trainer *t)
{
    if (t->n_relative)
        pool_run(t->pool, clear_task, t, t->options.batch * t->config.n_heads);
}

/* gradient [n] = the sum of the parts at `at` of the heads first, first + by, ... */
static void sum_parts(const struct trainer *t, float *gradient, size_t at, size_t n,
                      int first, int by)
{
    memset(gradient, 0, n * sizeof *gradient);
    for (int i = first; i < t->options.batch * t->config.n_heads; i += by) {
        const float *part = t->relative_parts + (size_t)i * t->n_relative + at;
        for (size_t j = 0; j < n; j++)
            gradient[j] += part[j];
    }
}

struct sum_job {
    const struct trainer *t;
    float *gradient;
    size_t at, n;
};

static void sum_task(void *arg, int head, int thread)
{
    const struct sum_job *job = arg;
    (void)thread;
    sum_parts(job->t, job->gradient + (size_t)head * job->n, job->at, job->n, head,
              job->t->config.n_heads);
}

/* Sums the parts at `at` of a table of [n] floats a head. */
static void sum_by_head(const struct trainer *t, const float *table, size_t at,
                        size_t n)
{
    struct sum_job job = {t, trainer_gradient_of(t, table), at, n};
    pool_run(t->pool, sum_task, &job, t->config.n_heads);
}

void relative_gradients(struct trainer *t, int layer, int which)
{
    const struct layer_weights *w = &t->at.layers[layer];
    size_t e = (size_t)t->config.d_model / (size_t)t->config.n_heads;
    size_t n = (size_t)trainer_n_distances(t) * e, buckets = MODEL_TIME_BUCKETS * e;
    if (which == BRANCH_CROSS) {
        if (w->cross_time_key)
            sum_by_head(t, w->cross_time_key, 0, buckets);
        return;
    }
    if (t->config.relative == RELATIVE_MUSIC)
        sum_by_head(t, w->relative_key, 0, n);
    if (t->config.relative == RELATIVE_SHAW) {
        sum_parts(t, trainer_gradient_of(t, w->relative_key), 0, n, 0, 1);
        sum_parts(t, trainer_gradient_of(t, w->relative_value), n, n, 0, 1);
    }
    if (w->time_key)
        sum_by_head(t, w->time_key, t->n_relative - buckets, buckets);
}
