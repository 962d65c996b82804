/* Attention over whole sequences, one task per sequence and head.
 *
 * A tile of TILE queries meets the keys that it sees, KEYS at a time. So the scores stay
 * in a cache near the processor however long the sequence is, and causal attention skips
 * most of the upper triangle. The forward pass keeps the maximum and the sum so far of
 * each query, and scales what it has mixed when the maximum grows (Milakov & Gimelshein
 * 2018). For the backward pass it stores only the logarithm of the sum; the backward pass
 * computes the probabilities again from it, which takes less time than writing and
 * reading them (Dao et al. 2022).
 *
 * The terms that depend on distance are those of model/decoder/relative_scores.c, for
 * whole tiles. In the forward pass the tile's queries are multiplied with the table rows
 * that can occur, and each score reads the product of its distance. For distances by
 * index, Huang et al. 2018 call this skewing. In the backward pass each score's gradient
 * is added where the score was read, and two products then give the gradients of the
 * queries and of the table. Each sequence and head has its own part of a table's
 * gradient. The parts are summed at the end (train_tables.c), in order, so the sums do
 * not depend on the threads. */
#include "model/decoder/position.h"
#include "model/train/train_internal.h"

#include <math.h>
#include <string.h>

/* One sequence and head: views of the batch, and the head's tables of distances. */
struct head {
    const struct trainer *t;
    const float *q, *k, *v; /* rows ld_q or ld_kv apart */
    float *dq, *dk, *dv;    /* likewise */
    float *mixed;           /* rows d apart */
    const float *d_mixed;
    float *log_sums; /* [length] */
    int d, ld_q, ld_kv, ld_scores, width, length;
    int n_keys; /* the keys that exist */
    bool causal;
    float scale;
    /* This head's own tables, or NULL: tables by index have n_rows, of which row `zero`
     * is distance 0. buckets [length, ld_buckets]. This head's parts of the tables'
     * gradients. */
    const float *relative_key, *relative_value, *time_key;
    int n_rows, zero, ld_buckets, first_bucket;
    const uint8_t *buckets;
    float *key_part, *value_part, *time_part;
};

/* One tile of a head's queries, and the keys from `start` to `end`, which are some or all
 * of those that the tile sees. */
struct tile {
    const struct head *h;
    const struct scratch *s;
    int first, rows, start, end;
};

/* Sets the head's tables and its parts of their gradients. Self-attention has distances
 * by index and by time, cross-attention by time only. */
static void find_tables(struct head *h, const struct layer_job *job, int index)
{
    const struct trainer *t = job->t;
    const struct layer_weights *w = &t->at.layers[job->layer];
    const bool cross = job->which == BRANCH_CROSS;
    const float *time_key = cross ? w->cross_time_key : w->time_key;
    const size_t e = (size_t)h->width, head = (size_t)(index % t->config.n_heads),
                 sequence = (size_t)(index / t->config.n_heads);
    h->n_rows = trainer_n_distances(t);
    h->zero = t->config.max_distance - 1;
    h->key_part = t->relative_parts + (size_t)index * t->n_relative;
    h->value_part = h->key_part + (size_t)h->n_rows * e;
    if (w->relative_key && !cross)
        h->relative_key =
            w->relative_key +
            (t->config.relative == RELATIVE_MUSIC ? head * h->n_rows * e : 0);
    h->relative_value = cross ? NULL : w->relative_value;
    if (!time_key)
        return;
    h->time_part = h->key_part + (cross ? 0 : t->n_relative - MODEL_TIME_BUCKETS * e);
    h->time_key = time_key + head * MODEL_TIME_BUCKETS * e;
    h->ld_buckets = cross ? t->options.source_length : t->options.length;
    h->buckets =
        (cross ? t->cross_buckets : t->buckets) + sequence * h->length * h->ld_buckets;
    h->first_bucket = cross ? 0 : t->first_bucket[sequence];
}

static struct head head_of(const struct layer_job *job, int index)
{
    const struct trainer *t = job->t;
    const struct attention *kept = &t->kept[job->layer].attention[job->which],
                           *delta = &t->deltas.attention[job->which];
    const bool cross = job->which == BRANCH_CROSS;
    const int heads = t->config.n_heads, d = t->config.d_model, width = d / heads,
              length = t->options.length, sequence = index / heads;
    const struct trainer *past = cross ? t->encoder : t;
    const int ld_q = cross ? d : 3 * d, ld_kv = cross ? 2 * d : 3 * d;
    const size_t row = (size_t)sequence * length,
                 column = (size_t)(index % heads) * width;
    const size_t at_q = row * ld_q + column, at_mixed = row * d + column;
    const size_t at_k =
        (size_t)sequence * past->options.length * ld_kv + column + (cross ? 0 : d);
    struct head h = {
        .t = t,
        .q = kept->q + at_q,
        .k = kept->kv + at_k,
        .v = kept->kv + at_k + d,
        .dq = delta->q + at_q,
        .dk = delta->kv + at_k,
        .dv = delta->kv + at_k + d,
        .mixed = kept->mixed + at_mixed,
        .d_mixed = delta->mixed + at_mixed,
        .log_sums = kept->log_sums + (size_t)index * length,
        .d = d,
        .ld_q = ld_q,
        .ld_kv = ld_kv,
        .width = width,
        .length = length,
        .n_keys = past->both_ways ? past->n_keys[sequence] : length,
        .causal = !past->both_ways,
        .scale = 1.0f / sqrtf((float)width),
    };
    find_tables(&h, job, index);
    h.ld_scores = h.relative_key || h.relative_value ? t->ld_scores : LD_KEYS;
    return h;
}

/* The tile of queries from `first` on, with all keys that it sees. It lies within one
 * block of local attention. */
static struct tile tile_at(const struct head *h, const struct scratch *s, int first)
{
    int rows = least(h->length - first, TILE);
    int block = h->causal ? h->t->config.block : 0;
    return (struct tile){h,
                         s,
                         first,
                         rows,
                         position_first_key(block, first),
                         h->causal ? first + rows : h->n_keys};
}

/* The part of a tile whose keys begin at `start`. The last part has all keys that only
 * some of the tile's queries see. Distances by index need all keys at once. */
static struct tile part_at(const struct tile *l, int start)
{
    struct tile part = *l;
    part.start = start;
    if (!l->h->relative_key && !l->h->relative_value)
        part.end = least(l->end, start + KEYS);
    return part;
}

/* -- Products of a tile with rows of its head: keys, values or the rows of a table -- */

/* n rows [n, width], ld apart. `across` and `sums` may hold them packed, for products
 * with each row and for sums of rows. The panels of `sums` are `panel` words apart
 * (product.h). */
struct rows {
    const float *at;
    int n, ld;
    const uint32_t *across, *sums;
    size_t panel;
};

static void pack_rows(const struct head *h, uint32_t *panels, const float *rows, int ld,
                      int n, bool across)
{
    const struct product_set *set = h->t->products;
    if (set->pack)
        set->pack(panels, rows, ld, across, across ? n : h->width,
                  across ? h->width : n);
}

/* The keys or the values that the tile sees. The thread's `sums` are of whichever the
 * pass needs. */
static struct rows past_rows(const struct tile *l, const float *past,
                             const uint32_t *across)
{
    const struct head *h = l->h;
    const struct product_set *set = h->t->products;
    return (struct rows){
        .at = past + (size_t)l->start * h->ld_kv,
        .n = l->end - l->start,
        .ld = h->ld_kv,
        .across = across + (size_t)l->start * product_words(set, h->width),
        .sums = l->s->sums + product_words(set, l->start) * PRODUCT_COLUMNS,
        .panel = product_words(set, h->n_keys) * PRODUCT_COLUMNS,
    };
}

/* to [rows, n] = alpha x b^T, where x [rows, width] are the tile's queries or the
 * gradients of its output. */
static void multiply_rows(const struct tile *l, float *to, int ld_to, const float *x,
                          const struct rows *b, float alpha)
{
    const int width = l->h->width;
    struct product p = product_of(l->rows, b->n, width, row_major(x, width),
                                  transposed(b->at, b->ld), to, ld_to);
    p.alpha = alpha;
    p.packed = b->across;
    l->h->t->products->multiply(&p, l->s->panels);
}

/* to [rows, width] = or += alpha weights b, with weights [rows, n]. */
static void gather_rows(const struct tile *l, float *to, int ld_to,
                        const float *weights, int ld, const struct rows *b, float alpha,
                        bool add)
{
    struct product p = product_of(l->rows, l->h->width, b->n, row_major(weights, ld),
                                  row_major(b->at, b->ld), to, ld_to);
    p.alpha = alpha;
    p.beta = add ? 1.0f : 0.0f;
    p.packed = b->sums;
    p.panel = b->panel;
    l->h->t->products->multiply(&p, l->s->panels);
}

/* to [n, width] += alpha weights^T x, with x as above, packed in `sums`. */
static void scatter_rows(const struct tile *l, float *to, int ld_to, int n,
                         const float *weights, int ld, const float *x,
                         const uint32_t *sums, float alpha)
{
    const int width = l->h->width;
    struct product p = product_of(n, width, l->rows, transposed(weights, ld),
                                  row_major(x, width), to, ld_to);
    p.alpha = alpha;
    p.beta = 1.0f;
    p.packed = sums;
    l->h->t->products->multiply(&p, l->s->panels);
}

/* -- Distances -- */

/* The number of rows of the index table that the tile reads: all, or for causal queries
 * those that can occur, up to distance 0. */
static int n_near(const struct tile *l)
{
    const struct head *h = l->h;
    return h->causal ? least(l->first + l->rows, h->zero + 1) : h->n_rows;
}

/* The column of distance 0 among them. */
static int near_zero(const struct tile *l)
{
    return l->h->causal ? n_near(l) - 1 : l->h->zero;
}

/* The floats of a table, or of its gradient, before those rows. */
static size_t skipped(const struct tile *l)
{
    return (size_t)(l->h->zero - near_zero(l)) * l->h->width;
}

static struct rows near_rows(const struct tile *l, const float *table)
{
    return (struct rows){.at = table + skipped(l), .n = n_near(l), .ld = l->h->width};
}

/* The rows of the head's time table that its sequence can read. */
static struct rows time_rows(const struct head *h, const struct scratch *s)
{
    return (struct rows){.at = h->time_key + (size_t)h->first_bucket * h->width,
                         .n = MODEL_TIME_BUCKETS - h->first_bucket,
                         .ld = h->width,
                         .across = s->times,
                         .sums = s->time_sums};
}

/* The columns that a row of the tile reads for the keys that it sees. */
static struct distances distances_of(const struct tile *l, int row)
{
    int query = l->first + row, n = (l->h->causal ? query + 1 : l->end) - l->start;
    return position_distances(n_near(l), near_zero(l), query, l->start, n);
}

/* scores += the products in `near`, each from the column of its distance. */
static void read_near(const struct tile *l, float *scores)
{
    const struct trainer *t = l->h->t;
    for (int r = 0; r < l->rows; r++)
        distances_read(distances_of(l, r), t->k, scores + (size_t)r * l->h->ld_scores,
                       l->s->near + (size_t)r * t->ld_near);
}

/* near = the sums of scores, each in the column of its distance. */
static void sum_near(const struct tile *l, const float *scores)
{
    const struct trainer *t = l->h->t;
    float *near = l->s->near;
    for (int r = 0; r < l->rows; r++, near += t->ld_near) {
        memset(near, 0, n_near(l) * sizeof *near);
        distances_sum(distances_of(l, r), t->k, near,
                      scores + (size_t)r * l->h->ld_scores);
    }
}

/* The buckets of the keys from `start` on that a row of the tile sees; *n is their
 * number. */
static const uint8_t *buckets_of(const struct tile *l, int row, int *n)
{
    const struct head *h = l->h;
    const int query = l->first + row;
    *n = (h->causal ? least(query + 1, l->end) : l->end) - l->start;
    return h->buckets + (size_t)query * h->ld_buckets + l->start;
}

/* From sums by column: adds to dq, and to the gradients of the table's rows. */
static void columns_backward(const struct tile *l, const float *sums, int ld_sums,
                             const struct rows *table, float *part)
{
    const struct head *h = l->h;
    gather_rows(l, h->dq + (size_t)l->first * h->ld_q, h->ld_q, sums, ld_sums, table,
                h->scale, true);
    scatter_rows(l, part, h->width, table->n, sums, ld_sums, l->s->queries,
                 l->s->query_sums, h->scale);
}

/* From the weights and the scores' gradient: adds to dq and to the parts of the tables'
 * gradients. What concerns times is summed by bucket until the tile ends. */
static void distances_backward(const struct tile *l)
{
    const struct head *h = l->h;
    const struct trainer *t = h->t;
    if (h->relative_key) {
        const struct rows near = near_rows(l, h->relative_key);
        sum_near(l, l->s->d_scores);
        columns_backward(l, l->s->near, t->ld_near, &near, h->key_part + skipped(l));
    }
    if (h->relative_value) {
        sum_near(l, l->s->scores);
        scatter_rows(l, h->value_part + skipped(l), h->width, n_near(l), l->s->near,
                     t->ld_near, l->s->d_mixed, l->s->d_mixed_sums, 1.0f);
    }
    if (h->time_key) {
        int n, last;
        const uint8_t *buckets = buckets_of(l, 0, &n);
        buckets_of(l, l->rows - 1, &last);
        t->k->sum_into_tables(l->s->d_by_time, LD_TIMES, l->s->d_scores, h->ld_scores,
                              buckets, h->ld_buckets, l->rows, n, last > n);
    }
}

/* -- Tiles -- */

/* Copies the tile's rows of x, which lie far apart, and packs them for sums of rows
 * unless `panels` is NULL. */
static void take_rows(const struct tile *l, float *to, uint32_t *panels, const float *x,
                      int ld)
{
    const int width = l->h->width;
    for (int r = 0; r < l->rows; r++)
        memcpy(to + (size_t)r * width, x + (size_t)r * ld, width * sizeof *to);
    if (panels)
        pack_rows(l->h, panels, to, width, l->rows, false);
}

/* Copies the tile's queries and multiplies them with the time table, once for all keys. */
static void begin_tile(const struct tile *l, bool back)
{
    const struct head *h = l->h;
    take_rows(l, l->s->queries, back ? l->s->query_sums : NULL,
              h->q + (size_t)l->first * h->ld_q, h->ld_q);
    if (!h->time_key)
        return;
    const struct rows times = time_rows(h, l->s);
    multiply_rows(l, l->s->by_time + h->first_bucket, LD_TIMES, l->s->queries, &times,
                  h->scale);
    for (int r = 0; back && r < l->rows; r++)
        memset(l->s->d_by_time + (size_t)r * LD_TIMES + h->first_bucket, 0,
               times.n * sizeof *l->s->d_by_time);
}

/* Computes the scores of the tile's queries, in both passes. */
static void score_tile(const struct tile *l)
{
    const struct head *h = l->h;
    const struct rows keys = past_rows(l, h->k, l->s->keys);
    multiply_rows(l, l->s->scores, h->ld_scores, l->s->queries, &keys, h->scale);
    if (h->relative_key) {
        const struct rows near = near_rows(l, h->relative_key);
        multiply_rows(l, l->s->near, h->t->ld_near, l->s->queries, &near, h->scale);
        read_near(l, l->s->scores);
    }
    for (int r = 0, n; h->time_key && r < l->rows; r++) {
        const uint8_t *buckets = buckets_of(l, r, &n);
        /* Rows of buckets lie far apart, which no processor foresees. */
        for (int i = 0; i < l->end - l->start; i += 64)
            __builtin_prefetch(buckets + 4 * h->ld_buckets + i);
        h->t->k->add_looked_up(l->s->scores + (size_t)r * h->ld_scores,
                               l->s->by_time + (size_t)r * LD_TIMES, buckets, n);
    }
}

/* Whether each row sees one key more than the row before. */
static bool is_diagonal(const struct tile *l)
{
    return l->h->causal && l->end > l->first + 1;
}

/* How many keys the first row sees. */
static int n_first(const struct tile *l)
{
    return is_diagonal(l) ? l->first - l->start + 1 : l->end - l->start;
}

/* Multiplies each row of the tile's `mixed`. */
static void scale_rows(const struct tile *l, const float *by)
{
    const struct head *h = l->h;
    float *out = h->mixed + (size_t)l->first * h->d;
    for (int r = 0; r < l->rows; r++, out += h->d)
        if (by[r] != 1.0f)
            h->t->k->scale(out, by[r], h->width);
}

static void forward_tile(const struct tile *l)
{
    const struct head *h = l->h;
    float high[TILE] = {0}, sums[TILE] = {0}, factors[TILE];
    float *mixed = h->mixed + (size_t)l->first * h->d;

    begin_tile(l, false);
    for (struct tile p = part_at(l, l->start); p.start < l->end;
         p = part_at(l, p.end)) {
        const bool begun = p.start > l->start;
        const struct rows values = past_rows(&p, h->v, l->s->values);
        score_tile(&p);
        h->t->k->softmax(l->s->scores, h->ld_scores, l->rows, n_first(&p),
                         is_diagonal(&p), p.end - p.start, begun, high, sums, factors);
        if (begun)
            scale_rows(l, factors);
        gather_rows(&p, mixed, h->d, l->s->scores, h->ld_scores, &values, 1.0f, begun);
        if (h->relative_value) {
            const struct rows near = near_rows(&p, h->relative_value);
            sum_near(&p, l->s->scores);
            gather_rows(&p, mixed, h->d, l->s->near, h->t->ld_near, &near, 1.0f, true);
        }
    }
    for (int r = 0; r < l->rows; r++) {
        h->log_sums[l->first + r] = high[r] + logf(sums[r]);
        factors[r] = 1.0f / sums[r];
    }
    scale_rows(l, factors);
}

static void forward_task(void *arg, int i, int thread)
{
    const struct layer_job *job = arg;
    const struct scratch *s = &job->t->scratch[thread];
    const struct head h = head_of(job, i);
    pack_rows(&h, s->keys, h.k, h.ld_kv, h.n_keys, true);
    pack_rows(&h, s->sums, h.v, h.ld_kv, h.n_keys, false);
    if (h.time_key) {
        const struct rows times = time_rows(&h, s);
        pack_rows(&h, s->times, times.at, times.ld, times.n, true);
    }
    for (int first = 0; first < h.length; first += TILE) {
        struct tile l = tile_at(&h, s, first);
        forward_tile(&l);
    }
}

/* With the probabilities p, and dp = d_mixed v^T, the scores' gradient is p (dp - inner),
 * where inner = d_mixed . mixed for each row. */
static void backward_part(const struct tile *l, const float *inner, bool begun)
{
    const struct head *h = l->h;
    const struct scratch *s = l->s;
    const struct rows keys = past_rows(l, h->k, s->keys),
                      values = past_rows(l, h->v, s->values);
    const size_t past = (size_t)l->start * h->ld_kv;
    score_tile(l);
    multiply_rows(l, s->d_scores, h->ld_scores, s->d_mixed, &values, 1.0f);
    if (h->relative_value) {
        const struct rows near = near_rows(l, h->relative_value);
        multiply_rows(l, s->near, h->t->ld_near, s->d_mixed, &near, 1.0f);
        read_near(l, s->d_scores);
    }
    h->t->k->softmax_backward(s->scores, s->d_scores, h->ld_scores, l->rows, n_first(l),
                              is_diagonal(l), keys.n, h->log_sums + l->first, inner);
    scatter_rows(l, h->dv + past, h->ld_kv, keys.n, s->scores, h->ld_scores, s->d_mixed,
                 s->d_mixed_sums, 1.0f);
    scatter_rows(l, h->dk + past, h->ld_kv, keys.n, s->d_scores, h->ld_scores,
                 s->queries, s->query_sums, h->scale);
    gather_rows(l, h->dq + (size_t)l->first * h->ld_q, h->ld_q, s->d_scores,
                h->ld_scores, &keys, h->scale, begun);
    distances_backward(l);
}

static void backward_tile(const struct tile *l)
{
    const struct head *h = l->h;
    const struct scratch *s = l->s;
    float inner[TILE];

    begin_tile(l, true);
    take_rows(l, s->d_mixed, s->d_mixed_sums, h->d_mixed + (size_t)l->first * h->d,
              h->d);
    for (int r = 0; r < l->rows; r++)
        inner[r] = h->t->k->dot(s->d_mixed + (size_t)r * h->width,
                                h->mixed + (size_t)(l->first + r) * h->d, h->width);
    for (struct tile p = part_at(l, l->start); p.start < l->end; p = part_at(l, p.end))
        backward_part(&p, inner, p.start > l->start);
    if (!h->time_key)
        return;
    const struct rows times = time_rows(h, s);
    columns_backward(l, s->d_by_time + h->first_bucket, LD_TIMES, &times,
                     h->time_part + (size_t)h->first_bucket * h->width);
}

/* Clears the head's parts of the tables' gradients and, in self-attention, the gradients
 * of its keys and values. */
static void backward_task(void *arg, int i, int thread)
{
    const struct layer_job *job = arg;
    const struct scratch *s = &job->t->scratch[thread];
    const struct head h = head_of(job, i);
    memset(h.key_part, 0, job->t->n_relative * sizeof *h.key_part);
    for (int r = 0; job->which == BRANCH_MIX && r < h.length; r++) {
        memset(h.dk + (size_t)r * h.ld_kv, 0, h.width * sizeof *h.dk);
        memset(h.dv + (size_t)r * h.ld_kv, 0, h.width * sizeof *h.dv);
    }
    pack_rows(&h, s->keys, h.k, h.ld_kv, h.n_keys, true);
    pack_rows(&h, s->values, h.v, h.ld_kv, h.n_keys, true);
    pack_rows(&h, s->sums, h.k, h.ld_kv, h.n_keys, false);
    if (h.time_key) {
        const struct rows times = time_rows(&h, s);
        pack_rows(&h, s->times, times.at, times.ld, times.n, true);
        pack_rows(&h, s->time_sums, times.at, times.ld, times.n, false);
    }
    for (int first = 0; first < h.length; first += TILE) {
        struct tile l = tile_at(&h, s, first);
        backward_tile(&l);
    }
}

void attention_forward(struct trainer *t, int layer, int which)
{
    struct layer_job job = {t, layer, which};
    pool_run(t->pool, forward_task, &job, t->options.batch * t->config.n_heads);
}

void attention_backward(struct trainer *t, int layer, int which)
{
    struct layer_job job = {t, layer, which};
    pool_run(t->pool, backward_task, &job, t->options.batch * t->config.n_heads);
    relative_gradients(t, layer, which);
}
