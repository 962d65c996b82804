/* What a score owes to the distance between query and key, by index (Shaw et al.
 * 2018; Huang et al. 2018) and by time. See struct relation. */
#include "model/decoder_internal.h"
#include "model/position.h"

#include <cblas.h>
#include <string.h>

size_t relation_scratch(const struct decoder *d, int rows)
{
    size_t n_rows = (size_t)d->c.reach * (d->c.n_encoder_layers ? 2 : 1);
    size_t n = n_rows * (d->c.relative == RELATIVE_SHAW ? 2 : 1);
    if (d->c.time == TIME_BUCKETS)
        n += MODEL_TIME_BUCKETS;
    return n * (size_t)rows;
}

/* y [rows, n] = scale q table', table [n, d_head]. As few rows as a step has go by its
 * kernels: then it is nothing to a row how many others there are. */
static void multiply(const struct decoder *d, float *y, const float *q, int ld,
                     int rows, const float *table, int n, float scale)
{
    if (rows <= DECODER_MOST_TOGETHER) {
        d->k->matvec_many(
            &(struct matvec){y, table, NULL, q, n, ld, rows, n, d->d_head});
        d->k->scale(y, scale, rows * n);
        return;
    }
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, rows, n, d->d_head, scale, q,
                ld, table, d->d_head, 0.0f, y, n);
}

/* Of a table's rows, only those of distances that occur: causal queries up to `last`
 * need none after the row of distance 0. */
static void choose_rows(struct relation *r, int last)
{
    const struct memory *m = r->m;
    bool few = m->causal && last < m->zero;
    r->n = m->causal ? (few ? last : m->zero) + 1 : m->n_rows;
    r->zero = m->causal ? r->n - 1 : m->zero;
}

static const float *rows_of(const struct relation *r, const float *table)
{
    return table + (size_t)(r->m->zero - r->zero) * (size_t)r->d->d_head;
}

void relation_init(struct relation *r, const struct decoder *d, const struct memory *m,
                   int head, float *scratch, const float *q, int ld, int rows, int last,
                   float scale)
{
    const size_t e = (size_t)d->d_head;
    *r = (struct relation){.d = d, .m = m};
    choose_rows(r, last);
    if (m->relative_key) {
        size_t own = d->c.relative == RELATIVE_MUSIC ? (size_t)head : 0;
        const float *table = m->relative_key + own * (size_t)m->n_rows * e;
        r->by_index = scratch;
        multiply(d, r->by_index, q, ld, rows, rows_of(r, table), r->n, scale);
        scratch += (size_t)rows * (size_t)r->n;
    }
    if (m->time_key) {
        r->by_time = scratch;
        multiply(d, r->by_time, q, ld, rows,
                 m->time_key + (size_t)head * MODEL_TIME_BUCKETS * e,
                 MODEL_TIME_BUCKETS, scale);
        scratch += (size_t)rows * MODEL_TIME_BUCKETS;
    }
    if (m->relative_value) {
        r->weights = scratch;
        memset(scratch, 0, (size_t)rows * (size_t)r->n * sizeof *scratch);
    }
}

/* n keys from `key` on, cut in three: those too far back, which use the first column;
 * those with columns of their own, from `column` on; those too far ahead. */
struct reading {
    int n_before, n_own, n_after, column;
};

static struct reading read_from(const struct relation *r, int query, int key, int n)
{
    int column = r->zero + key - query;
    struct reading at = {.column = column > 0 ? column : 0};
    at.n_before = column >= 0 ? 0 : -column < n ? -column : n;
    int room = r->n - at.column, left = n - at.n_before;
    at.n_own = left < room ? left : room > 0 ? room : 0;
    at.n_after = left - at.n_own;
    return at;
}

void relation_add(const struct relation *r, int row, int query, int key, int n,
                  float *scores)
{
    if (r->by_index) {
        const float *of = r->by_index + (size_t)row * (size_t)r->n;
        struct reading at = read_from(r, query, key, n);
        for (int i = 0; i < at.n_before; i++)
            scores[i] += of[0];
        r->d->k->add(scores + at.n_before, of + at.column, at.n_own);
        for (int i = n - at.n_after; i < n; i++)
            scores[i] += of[r->n - 1];
    }
    if (r->by_time) {
        const float *of = r->by_time + (size_t)row * MODEL_TIME_BUCKETS;
        const int32_t *times = r->m->times + key;
        int64_t now = r->m->query_times[query];
        for (int i = 0; i < n; i++)
            scores[i] += of[position_time_row(r->d->time_rows, now - times[i])];
    }
}

void relation_collect(struct relation *r, int row, int query, int key, int n,
                      const float *weights)
{
    if (!r->weights)
        return;
    float *of = r->weights + (size_t)row * (size_t)r->n;
    struct reading at = read_from(r, query, key, n);
    for (int i = 0; i < at.n_before; i++)
        of[0] += weights[i];
    r->d->k->add(of + at.column, weights + at.n_before, at.n_own);
    for (int i = n - at.n_after; i < n; i++)
        of[r->n - 1] += weights[i];
}

void relation_shrink(struct relation *r, int row, float by)
{
    if (r->weights)
        r->d->k->scale(r->weights + (size_t)row * (size_t)r->n, by, r->n);
}

void relation_mix(const struct relation *r, int row, float *mixed)
{
    if (!r->weights)
        return;
    const int e = r->d->d_head;
    const float *of = r->weights + (size_t)row * (size_t)r->n;
    const float *value = rows_of(r, r->m->relative_value);
    for (int c = 0; c < r->n; c++, value += e)
        for (int i = 0; i < e; i++)
            mixed[i] += of[c] * value[i];
}
