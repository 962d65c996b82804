/* What a score owes to the distance between query and key, by index (Shaw et al.
 * 2018; Huang et al. 2018) and by time. See struct relation. */
#include "model/decoder_internal.h"
#include "model/position.h"

#include <cblas.h>
#include <string.h>

static bool has_values(const struct decoder *d)
{
    return d->c.relative == RELATIVE_SHAW;
}

size_t relation_scratch(const struct decoder *d, int rows)
{
    size_t n = (size_t)d->c.reach * (has_values(d) ? 2 : 1);
    if (d->c.time == TIME_BUCKETS)
        n += MODEL_TIME_BUCKETS;
    return n * (size_t)rows;
}

/* y [rows, n] = scale q table', table [n, d_head]. */
static void multiply(const struct decoder *d, float *y, const float *q, int ld,
                     int rows, const float *table, int n, float scale)
{
    if (rows == 1) {
        d->k->matvec(y, table, NULL, q, n, d->d_head);
        d->k->scale(y, scale, n);
        return;
    }
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, rows, n, d->d_head, scale, q,
                ld, table, d->d_head, 0.0f, y, n);
}

/* Of the table's rows, only those of distances that occur. */
static float *init_index(struct relation *r, int head, float *scratch, const float *q,
                         int ld, int rows, float scale)
{
    const struct decoder *d = r->d;
    const size_t e = (size_t)d->d_head, reach = (size_t)d->c.reach;
    size_t own = d->c.relative == RELATIVE_MUSIC ? (size_t)head * reach : 0;
    const float *table = r->w->relative_key + (own + reach - (size_t)r->n_near) * e;
    r->by_index = scratch;
    multiply(d, r->by_index, q, ld, rows, table, r->n_near, scale);
    return scratch + (size_t)rows * (size_t)r->n_near;
}

void relation_init(struct relation *r, const struct decoder *d,
                   const struct layer_weights *w, int head, float *scratch,
                   const float *q, int ld, int rows, int last, float scale)
{
    *r = (struct relation){.d = d, .w = w};
    r->n_near = last + 1 < d->c.reach ? last + 1 : d->c.reach;
    if (w->relative_key)
        scratch = init_index(r, head, scratch, q, ld, rows, scale);
    if (w->time_key) {
        size_t own = (size_t)head * MODEL_TIME_BUCKETS * (size_t)d->d_head;
        r->by_time = scratch;
        multiply(d, r->by_time, q, ld, rows, w->time_key + own, MODEL_TIME_BUCKETS,
                 scale);
        scratch += (size_t)rows * MODEL_TIME_BUCKETS;
    }
    if (has_values(d)) {
        r->weights = scratch;
        memset(scratch, 0, (size_t)rows * (size_t)r->n_near * sizeof *scratch);
    }
}

/* The column of the first of n keys, and how many of them are too far to have one
 * of their own: those use column 0. */
static int column_of(const struct relation *r, int query, int key, int n, int *n_far)
{
    int column = r->n_near - 1 - (query - key);
    *n_far = column >= 0 ? 0 : -column < n ? -column : n;
    return column + *n_far;
}

void relation_add(const struct relation *r, int row, int query, int key, int n,
                  float *scores)
{
    int n_far;
    if (r->by_index) {
        const float *of = r->by_index + (size_t)row * (size_t)r->n_near;
        int column = column_of(r, query, key, n, &n_far);
        for (int i = 0; i < n_far; i++)
            scores[i] += of[0];
        r->d->k->add(scores + n_far, of + column, n - n_far);
    }
    if (r->by_time) {
        const float *of = r->by_time + (size_t)row * MODEL_TIME_BUCKETS;
        const int32_t *times = r->d->times + key;
        int64_t now = r->d->times[query];
        for (int i = 0; i < n; i++)
            scores[i] += of[position_time_row(r->d->time_rows, now - times[i])];
    }
}

void relation_collect(struct relation *r, int row, int query, int key, int n,
                      const float *weights)
{
    int n_far;
    if (!r->weights)
        return;
    float *of = r->weights + (size_t)row * (size_t)r->n_near;
    int column = column_of(r, query, key, n, &n_far);
    for (int i = 0; i < n_far; i++)
        of[0] += weights[i];
    r->d->k->add(of + column, weights + n_far, n - n_far);
}

void relation_shrink(struct relation *r, int row, float by)
{
    if (r->weights)
        r->d->k->scale(r->weights + (size_t)row * (size_t)r->n_near, by, r->n_near);
}

void relation_mix(const struct relation *r, int row, float *mixed)
{
    if (!r->weights)
        return;
    const int e = r->d->d_head, reach = r->d->c.reach;
    const float *of = r->weights + (size_t)row * (size_t)r->n_near;
    const float *value = r->w->relative_value + (size_t)(reach - r->n_near) * (size_t)e;
    for (int c = 0; c < r->n_near; c++, value += e)
        for (int i = 0; i < e; i++)
            mixed[i] += of[c] * value[i];
}
