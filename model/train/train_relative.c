/* Score terms that depend on distance, forward and backward:
 * model/decoder/relative_scores.c for whole tiles.
 *
 * Forward, the tile's queries are multiplied by the table rows that can occur, and each
 * score reads its own product. For distances by index, Huang et al. 2018 call this
 * skewing. Backward, each score's gradient is added where the score was read; two
 * products then give the gradients of queries and table. Each sequence and head has its
 * own part of a table's gradient; the parts are summed at the end, in order, so threads
 * do not affect the sums. */
#include "model/decoder/position.h"
#include "model/train/train_internal.h"

#include <string.h>

/* Rows of the index table that the tile reads: all, or for causal queries those up to
 * distance 0 that can occur. */
static int n_near(const struct tile *l)
{
    const struct head *h = l->h;
    int most = l->first + l->rows;
    return !h->causal ? h->n_rows : most <= h->zero ? most : h->zero + 1;
}

/* The column of distance 0 among them. */
static int near_zero(const struct tile *l)
{
    return l->h->causal ? n_near(l) - 1 : l->h->zero;
}

/* Rows of a table, or of its gradient's part, before those. */
static size_t skipped(const struct tile *l)
{
    return (size_t)(l->h->zero - near_zero(l)) * l->h->width;
}

/* n rows of a table. `across` and `sums` may hold them packed, for times_table and for
 * add_table. */
struct table {
    const float *rows;
    int n;
    const uint32_t *across, *sums;
};

/* to [rows, n] = alpha x table^T; x [rows, width]. */
static void times_table(const struct tile *l, float *to, int ld_to, const float *x,
                        const struct table *table, float alpha)
{
    const int width = l->h->width;
    struct product p = product_of(l->rows, table->n, width, row_major(x, width),
                                  transposed(table->rows, width), to, ld_to);
    p.alpha = alpha;
    p.packed = table->across;
    l->h->t->products->multiply(&p, l->s->panels);
}

/* x [rows, width] += alpha from table; from [rows, n]. */
static void add_table(const struct tile *l, float *x, int ld, const float *from,
                      int ld_from, const struct table *table, float alpha)
{
    struct product p =
        product_of(l->rows, l->h->width, table->n, row_major(from, ld_from),
                   row_major(table->rows, l->h->width), x, ld);
    p.alpha = alpha;
    p.beta = 1.0f;
    p.packed = table->sums;
    l->h->t->products->multiply(&p, l->s->panels);
}

/* part [n, width] += alpha from^T x; sums: x packed. */
static void add_to_part(const struct tile *l, float *part, const float *from,
                        int ld_from, const float *x, const uint32_t *sums, int n,
                        float alpha)
{
    const int width = l->h->width;
    struct product p = product_of(n, width, l->rows, transposed(from, ld_from),
                                  row_major(x, width), part, width);
    p.alpha = alpha;
    p.packed = l->h->t->products->pack ? sums : NULL;
    p.beta = 1.0f;
    l->h->t->products->multiply(&p, l->s->panels);
}

/* Rows of an index table that the tile reads. */
static struct table near_rows(const struct tile *l, const float *table)
{
    return (struct table){.rows = table + skipped(l), .n = n_near(l)};
}

/* The rows of the head's time table that its sequence can read. */
static struct table time_rows(const struct head *h, const struct scratch *s)
{
    const bool is_packed = h->t->products->pack;
    return (struct table){
        .rows = h->time_key + (size_t)h->first_bucket * h->width,
        .n = MODEL_TIME_BUCKETS - h->first_bucket,
        .across = is_packed ? s->times : NULL,
        .sums = is_packed ? s->time_sums : NULL,
    };
}

void relative_pack(const struct head *h, const struct scratch *s, bool back)
{
    const struct product_set *set = h->t->products;
    if (!h->time_key || !set->pack)
        return;
    const struct table table = time_rows(h, s);
    set->pack(s->times, table.rows, h->width, true, table.n, h->width);
    if (back)
        set->pack(s->time_sums, table.rows, h->width, false, h->width, table.n);
}

/* The columns of the keys that a row of the tile sees. */
static struct distances distances_of(const struct tile *l, int row)
{
    int query = l->first + row, n = (l->h->causal ? query + 1 : l->end) - l->start;
    return position_distances(n_near(l), near_zero(l), query, l->start, n);
}

/* scores += near, each from the column of its distance. */
static void read_near(const struct tile *l, float *scores)
{
    const struct trainer *t = l->h->t;
    for (int r = 0; r < l->rows; r++) {
        struct distances at = distances_of(l, r);
        const float *near = l->s->near + (size_t)r * t->ld_near;
        float *row = scores + (size_t)r * l->h->ld_scores, *own = row + at.n_before;
        for (int i = 0; i < at.n_before; i++)
            row[i] += near[0];
        for (int i = 0; i < at.n_own; i++)
            own[i] += near[at.column + i];
        for (int i = 0; i < at.n_after; i++)
            own[at.n_own + i] += near[n_near(l) - 1];
    }
}

/* near = sums of scores, each in the column of its distance. */
static void sum_near(const struct tile *l, const float *scores)
{
    const struct trainer *t = l->h->t;
    for (int r = 0; r < l->rows; r++) {
        struct distances at = distances_of(l, r);
        float *near = l->s->near + (size_t)r * t->ld_near;
        const float *row = scores + (size_t)r * l->h->ld_scores,
                    *own = row + at.n_before;
        memset(near, 0, n_near(l) * sizeof *near);
        for (int i = 0; i < at.n_before; i++)
            near[0] += row[i];
        for (int i = 0; i < at.n_own; i++)
            near[at.column + i] += own[i];
        for (int i = 0; i < at.n_after; i++)
            near[n_near(l) - 1] += own[at.n_own + i];
    }
}

/* The buckets of the keys that a row of the tile sees, from `start` on; *n of them. */
static const uint8_t *buckets_of(const struct tile *l, int row, int *n)
{
    const struct head *h = l->h;
    const int query = l->first + row,
              end = h->causal && query < l->end ? query + 1 : l->end;
    *n = end - l->start;
    return h->buckets + (size_t)query * h->ld_buckets + l->start;
}

static void sum_times(const struct tile *l)
{
    const struct trainer *t = l->h->t;
    int n, last;
    const uint8_t *buckets = buckets_of(l, 0, &n);
    buckets_of(l, l->rows - 1, &last);
    t->kernels->sum_into_tables(l->s->d_by_time, LD_TIMES, l->s->d_scores,
                                l->h->ld_scores, buckets, l->h->ld_buckets, l->rows, n,
                                last > n);
}

/* The products with the time table, once for all keys. */
void relative_begin(const struct tile *l, bool back)
{
    const struct head *h = l->h;
    if (!h->time_key)
        return;
    const struct table times = time_rows(h, l->s);
    const size_t n_bytes = (MODEL_TIME_BUCKETS - h->first_bucket) * sizeof(float);
    times_table(l, l->s->by_time + h->first_bucket, LD_TIMES, l->s->queries, &times,
                h->scale);
    for (int r = 0; back && r < l->rows; r++)
        memset(l->s->d_by_time + (size_t)r * LD_TIMES + h->first_bucket, 0, n_bytes);
}

void relative_forward(const struct tile *l)
{
    const struct head *h = l->h;
    if (h->relative_key) {
        const struct table near = near_rows(l, h->relative_key);
        times_table(l, l->s->near, h->t->ld_near, l->s->queries, &near, h->scale);
        read_near(l, l->s->scores);
    }
    for (int r = 0, n; h->time_key && r < l->rows; r++) {
        const uint8_t *buckets = buckets_of(l, r, &n);
        /* Rows of buckets lie far apart, and processors do not see them coming. */
        for (int i = 0; i < l->end - l->start; i += 64)
            __builtin_prefetch(buckets + 4 * h->ld_buckets + i);
        h->t->k->add_looked_up(l->s->scores + (size_t)r * h->ld_scores,
                               l->s->by_time + (size_t)r * LD_TIMES, buckets, n);
    }
}

void relative_values_forward(const struct tile *l)
{
    const struct head *h = l->h;
    if (!h->relative_value)
        return;
    const struct table near = near_rows(l, h->relative_value);
    sum_near(l, l->s->scores);
    add_table(l, h->mixed + (size_t)l->first * h->d, h->d, l->s->near, h->t->ld_near,
              &near, 1.0f);
}

void relative_weights_backward(const struct tile *l)
{
    const struct head *h = l->h;
    if (!h->relative_value)
        return;
    const struct table near = near_rows(l, h->relative_value);
    times_table(l, l->s->near, h->t->ld_near, l->s->d_mixed, &near, 1.0f);
    read_near(l, l->s->d_scores);
}

/* From sums by column: adds to dq and to the gradients of the columns' rows. */
static void columns_backward(const struct tile *l, const float *sums, int ld_sums,
                             const struct table *table, float *part)
{
    const struct head *h = l->h;
    add_table(l, h->dq + (size_t)l->first * h->ld_q, h->ld_q, sums, ld_sums, table,
              h->scale);
    add_to_part(l, part, sums, ld_sums, l->s->queries, l->s->query_sums, table->n,
                h->scale);
}

void relative_backward(const struct tile *l)
{
    const struct head *h = l->h;
    const struct trainer *t = h->t;
    if (h->relative_key) {
        const struct table near = near_rows(l, h->relative_key);
        sum_near(l, l->s->d_scores);
        columns_backward(l, l->s->near, t->ld_near, &near, h->key_part + skipped(l));
    }
    if (h->relative_value) {
        sum_near(l, l->s->scores);
        add_to_part(l, h->value_part + skipped(l), l->s->near, t->ld_near,
                    l->s->d_mixed, l->s->d_mixed_sums, n_near(l), 1.0f);
    }
    if (h->time_key)
        sum_times(l);
}

void relative_end(const struct tile *l)
{
    const struct head *h = l->h;
    if (!h->time_key)
        return;
    const struct table times = time_rows(h, l->s);
    columns_backward(l, l->s->d_by_time + h->first_bucket, LD_TIMES, &times,
                     h->time_part + (size_t)h->first_bucket * h->width);
}
