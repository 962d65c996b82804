/* The part of a score that depends on the distance between query and key, by index (Shaw
 * et al. 2018; Huang et al. 2018) and by time. See struct relative_scores. */
#include "model/decoder/decoder_internal.h"
#include "model/decoder/position.h"

#include <string.h>

/* The columns of a row of products. A step computes whole panels, of which the first may
 * begin before the first row that is needed. */
static int padded(int n)
{
    return packed_panels(n) * PANEL + PANEL;
}

_Static_assert((MODEL_TIME_BUCKETS + PANEL - 1) / PANEL * PANEL + PANEL == LOOKED_UP,
               "a row of products is looked up in");

size_t relative_scratch(const struct decoder *d, int rows)
{
    int n_rows = d->c.max_distance * (d->c.n_encoder_layers ? 2 : 1);
    size_t n = d->c.max_distance ? (size_t)padded(n_rows) : 0;
    if (d->c.relative == RELATIVE_SHAW)
        n += (size_t)n_rows;
    if (d->c.time == TIME_BUCKETS)
        n += (size_t)padded(MODEL_TIME_BUCKETS);
    return n * (size_t)rows +
           ARENA_LINE; /* the last part is rounded up to a cache line */
}

/* The first row of a table that occurs. */
static const float *rows_of(const struct relative_scores *r, const float *table)
{
    return table + (size_t)relative_first_row(r) * r->d->d_head;
}

void relative_init(struct relative_scores *r, const struct decoder *d,
                   const struct kv_view *m, struct arena *scratch, int rows, int last)
{
    *r = (struct relative_scores){
        .d = d,
        .m = m,
        .n = m->n_rows,
        .zero = m->zero,
        .ld_time = padded(MODEL_TIME_BUCKETS),
    };
    if (m->causal) { /* no later keys, and only distances that occur */
        r->zero = least(last, m->zero);
        r->n = r->zero + 1;
    }
    r->ld_index = padded(r->n);
    if (m->relative_key)
        r->by_index = arena_floats(scratch, (size_t)rows * r->ld_index);
    if (m->time_key)
        r->by_time = arena_floats(scratch, (size_t)rows * r->ld_time);
    if (m->relative_value) {
        r->weights = arena_floats(scratch, (size_t)rows * r->n);
        memset(r->weights, 0, (size_t)rows * r->n * sizeof(float));
    }
}

/* y [rows, n], ld_y apart, = scale q table^T, with table [n, d_head]. Computes as many
 * columns at a time as the panels have room for. */
static void multiply(const struct relative_scores *r, float *y, int ld_y,
                     const float *q, int ld, int rows, const float *table, int n,
                     float scale, uint32_t *panels)
{
    const int e = r->d->d_head;
    for (int at = 0; at < n; at += PRODUCT_COLUMNS_MOST) {
        struct product p =
            product_of(rows, least(n - at, PRODUCT_COLUMNS_MOST), e, row_major(q, ld),
                       transposed(table + (size_t)at * e, e), y + at, ld_y);
        p.alpha = scale;
        r->d->products->multiply(&p, panels);
    }
}

void relative_multiply(const struct relative_scores *r, int head, const float *q,
                       int ld, int rows, float scale, uint32_t *panels)
{
    const struct kv_view *m = r->m;
    const size_t e = (size_t)r->d->d_head;
    size_t own = r->d->c.relative == RELATIVE_MUSIC ? (size_t)head : 0;
    if (r->by_index)
        multiply(r, r->by_index, r->ld_index, q, ld, rows,
                 rows_of(r, m->relative_key + own * (size_t)m->n_rows * e), r->n, scale,
                 panels);
    if (r->by_time)
        multiply(r, r->by_time, r->ld_time, q, ld, rows,
                 m->time_key + (size_t)head * MODEL_TIME_BUCKETS * e,
                 MODEL_TIME_BUCKETS, scale, panels);
}

void relative_multiply_few(struct relative_scores *r, int head,
                           const struct packed *index, const struct packed *time,
                           const float *q, int ldq, int n, float *room)
{
    const struct decoder *d = r->d;
    if (index && d->c.relative == RELATIVE_MUSIC)
        index += head;
    const struct packed *any = index ? index : time ? time + head : NULL;
    if (!any)
        return;
    const struct prepared ready =
        decoder_prepare(d, any->kind, room, q, ldq, n, d->d_head);
    if (time)
        decoder_multiply(d, r->by_time, r->ld_time, time + head, 0,
                         packed_panels(MODEL_TIME_BUCKETS), &ready, n);
    if (!index)
        return;
    const int first = relative_first_row(r), panel = first / PANEL;
    decoder_multiply(d, r->by_index, r->ld_index, index, panel,
                     packed_panels(first + r->n) - panel, &ready, n);
    r->by_index += first % PANEL; /* the first panel may begin with earlier rows */
}

void relative_add(const struct relative_scores *r, int row, int query, int key, int n,
                  const uint8_t *time_rows, float *scores)
{
    if (r->by_index)
        distances_read(position_distances(r->n, r->zero, query, key, n), r->d->k,
                       scores, r->by_index + (size_t)row * r->ld_index);
    if (r->by_time)
        r->d->k->add_looked_up(scores, r->by_time + (size_t)row * r->ld_time, time_rows,
                               n);
}

void relative_time_rows(const struct decoder *d, uint8_t *to, const struct kv_view *m,
                        int query, int key, int n)
{
    const int64_t now = m->query_times[query];
    for (int i = 0; i < n; i++)
        to[i] = (uint8_t)position_time_row(d->time_rows, now - m->times[key + i]);
}

void relative_collect(struct relative_scores *r, int row, int query, int key, int n,
                      const float *weights)
{
    if (r->weights)
        distances_sum(position_distances(r->n, r->zero, query, key, n), r->d->k,
                      r->weights + (size_t)row * r->n, weights);
}

void relative_shrink(struct relative_scores *r, int row, float by)
{
    if (r->weights)
        r->d->k->scale(r->weights + (size_t)row * r->n, by, r->n);
}

void relative_mix(const struct relative_scores *r, int row, float *mixed)
{
    if (!r->weights)
        return;
    const int e = r->d->d_head;
    const float *of = r->weights + (size_t)row * r->n;
    const float *value = rows_of(r, r->m->relative_value);
    for (int c = 0; c < r->n; c++, value += e)
        for (int i = 0; i < e; i++)
            mixed[i] += of[c] * value[i];
}
