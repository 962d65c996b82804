/* Attention of whole sequences, one task per sequence and head.
 *
 * A tile of TILE queries meets the keys that it sees, KEYS at a time, so that the scores
 * stay in a near cache however long the sequence is; causal attention skips most of the
 * upper triangle. Forward keeps the maximum and the sum so far of each row, and scales
 * what it has mixed when the maximum grows (Milakov & Gimelshein 2018); it keeps only
 * the logarithm of the sum. Backward computes the probabilities again from it, which
 * costs less than writing and reading them (Dao et al. 2022). */
#include "model/train/train_internal.h"

#include <math.h>
#include <string.h>

/* Sets this head's tables and the addresses for its parts of their gradients. Tokens of
 * the past have distances by index and by time, those of a source only by time. */
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
    const struct layer_activations *kept = &t->kept[job->layer];
    const struct layer_deltas *delta = &t->deltas;
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
    const float *kv = cross ? kept->cross_kv : kept->qkv;
    float *d_kv = cross ? delta->cross_kv : delta->qkv;
    struct head h = {
        .t = t,
        .q = (cross ? kept->cross_q : kept->qkv) + at_q,
        .k = kv + at_k,
        .v = kv + at_k + d,
        .dq = (cross ? delta->cross_q : delta->qkv) + at_q,
        .dk = d_kv + at_k,
        .dv = d_kv + at_k + d,
        .mixed = (cross ? kept->cross_mixed : kept->mixed) + at_mixed,
        .d_mixed = (cross ? delta->cross_mixed : delta->mixed) + at_mixed,
        .log_sums =
            (cross ? kept->cross_log_sums : kept->log_sums) + (size_t)index * length,
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

/* Local attention sees its own block and the one before. A tile lies within one block
 * and begins at a panel of keys. */
static struct tile tile_at(const struct head *h, const struct scratch *s, int first)
{
    int rows = h->length - first < TILE ? h->length - first : TILE;
    int block = h->causal ? h->t->config.block : 0;
    int start = block && first >= block ? (first / block - 1) * block : 0;
    return (struct tile){h,    s,     first,
                         rows, start, h->causal ? first + rows : h->n_keys};
}

/* The part of a tile whose keys begin at `start`. Its last part has all the keys that
 * the tile's rows see partly. Distances by index need all keys at once. */
static struct tile part_at(const struct tile *l, int start)
{
    struct tile part = *l;
    part.start = start;
    if (!l->h->relative_key && !l->h->relative_value && l->end - start > KEYS)
        part.end = start + KEYS;
    return part;
}

/* Packs keys or values for products with their rows (`across`) or for sums of rows. */
static void pack_past(const struct head *h, uint32_t *panels, const float *b,
                      bool across)
{
    const struct product_set *set = h->t->products;
    if (set->pack)
        set->pack(panels, b, h->ld_kv, across, across ? h->n_keys : h->width,
                  across ? h->width : h->n_keys);
}

/* Copies the tile's rows of x, which lie far apart, and packs them for sums. */
static void take_rows(const struct tile *l, float *to, uint32_t *panels, const float *x,
                      int ld)
{
    const struct head *h = l->h;
    const struct product_set *set = h->t->products;
    for (int r = 0; r < l->rows; r++)
        memcpy(to + (size_t)r * h->width, x + (size_t)r * ld, h->width * sizeof *to);
    if (panels && set->pack)
        set->pack(panels, to, h->width, false, h->width, l->rows);
}

/* scores [rows, keys] = a b^T. a: the tile's queries or output gradients. b: all keys
 * or values that the tile sees. */
static void against_past(const struct tile *l, float *scores, const float *a,
                         const float *b, const uint32_t *panels, float alpha)
{
    const struct head *h = l->h;
    struct product p = product_of(
        l->rows, l->end - l->start, h->width, row_major(a, h->width),
        transposed(b + (size_t)l->start * h->ld_kv, h->ld_kv), scores, h->ld_scores);
    p.alpha = alpha;
    p.packed = panels + (size_t)l->start * product_words(h->t->products, h->width);
    h->t->products->multiply(&p, l->s->panels);
}

/* out [rows, width] += alpha scores b. b: all keys or values that the tile sees. */
static void gather_past(const struct tile *l, float *out, int ld_out,
                        const float *scores, const float *b, float alpha, bool add)
{
    const struct head *h = l->h;
    const struct product_set *set = h->t->products;
    struct product p = product_of(
        l->rows, h->width, l->end - l->start, row_major(scores, h->ld_scores),
        row_major(b + (size_t)l->start * h->ld_kv, h->ld_kv), out, ld_out);
    p.alpha = alpha;
    p.beta = add ? 1.0f : 0.0f;
    p.packed = l->s->sums + product_words(set, l->start) * PRODUCT_COLUMNS;
    p.panel = product_words(set, h->n_keys) * PRODUCT_COLUMNS;
    h->t->products->multiply(&p, l->s->panels);
}

/* past [keys, width] += alpha scores^T b. b: the tile's rows. */
static void scatter_past(const struct tile *l, float *past, const float *scores,
                         const float *b, const uint32_t *panels, float alpha)
{
    const struct head *h = l->h;
    struct product p = product_of(
        l->end - l->start, h->width, l->rows, transposed(scores, h->ld_scores),
        row_major(b, h->width), past + (size_t)l->start * h->ld_kv, h->ld_kv);
    p.alpha = alpha;
    p.beta = 1.0f;
    p.packed = h->t->products->pack ? panels : NULL;
    h->t->products->multiply(&p, l->s->panels);
}

/* The scores of the tile's queries, for forward and backward. */
static void score_tile(const struct tile *l)
{
    const struct head *h = l->h;
    against_past(l, l->s->scores, l->s->queries, h->k, l->s->keys, h->scale);
    relative_forward(l);
}

/* Whether each row sees one key more than the one before. */
static bool is_diagonal(const struct tile *l)
{
    return l->h->causal && l->end > l->first + 1;
}

/* How many keys the first row sees. */
static int n_first(const struct tile *l)
{
    return is_diagonal(l) ? l->first - l->start + 1 : l->end - l->start;
}

static void scale_rows(const struct tile *l, const float *by)
{
    const struct head *h = l->h;
    float *out = h->mixed + (size_t)l->first * h->d;
    for (int r = 0; r < l->rows; r++, out += h->d)
        for (int i = 0; by[r] != 1.0f && i < h->width; i++)
            out[i] *= by[r];
}

static void forward_tile(const struct tile *l)
{
    const struct head *h = l->h;
    float high[TILE] = {0}, sums[TILE] = {0}, factors[TILE];

    take_rows(l, l->s->queries, NULL, h->q + (size_t)l->first * h->ld_q, h->ld_q);
    relative_begin(l, false);
    for (struct tile p = part_at(l, l->start); p.start < l->end;
         p = part_at(l, p.end)) {
        const bool begun = p.start > l->start;
        score_tile(&p);
        h->t->kernels->softmax(l->s->scores, h->ld_scores, l->rows, n_first(&p),
                               is_diagonal(&p), p.end - p.start, begun, high, sums,
                               factors);
        if (begun)
            scale_rows(l, factors);
        gather_past(&p, h->mixed + (size_t)l->first * h->d, h->d, l->s->scores, h->v,
                    1.0f, begun);
        relative_values_forward(&p);
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
    pack_past(&h, s->keys, h.k, true);
    pack_past(&h, s->sums, h.v, false);
    relative_pack(&h, s, false);
    for (int first = 0; first < h.length; first += TILE) {
        struct tile l = tile_at(&h, s, first);
        forward_tile(&l);
    }
}

/* With p the probabilities and dp = d_mixed v^T, the scores' gradient is p (dp -
 * inner), where inner = d_mixed . mixed for each row. */
static void backward_part(const struct tile *l, const float *inner, bool begun)
{
    const struct head *h = l->h;
    const struct scratch *s = l->s;
    score_tile(l);
    against_past(l, s->d_scores, s->d_mixed, h->v, s->values, 1.0f);
    relative_weights_backward(l);
    h->t->kernels->softmax_backward(s->scores, s->d_scores, h->ld_scores, l->rows,
                                    n_first(l), is_diagonal(l), l->end - l->start,
                                    h->log_sums + l->first, inner);
    scatter_past(l, h->dv, s->scores, s->d_mixed, s->d_mixed_sums, 1.0f);
    scatter_past(l, h->dk, s->d_scores, s->queries, s->query_sums, h->scale);
    gather_past(l, h->dq + (size_t)l->first * h->ld_q, h->ld_q, s->d_scores, h->k,
                h->scale, begun);
    relative_backward(l);
}

static void backward_tile(const struct tile *l)
{
    const struct head *h = l->h;
    const struct scratch *s = l->s;
    float inner[TILE];

    take_rows(l, s->queries, s->query_sums, h->q + (size_t)l->first * h->ld_q, h->ld_q);
    take_rows(l, s->d_mixed, s->d_mixed_sums, h->d_mixed + (size_t)l->first * h->d,
              h->d);
    for (int r = 0; r < l->rows; r++)
        inner[r] =
            h->t->kernels->dot(s->d_mixed + (size_t)r * h->width,
                               h->mixed + (size_t)(l->first + r) * h->d, h->width);
    relative_begin(l, true);
    for (struct tile p = part_at(l, l->start); p.start < l->end; p = part_at(l, p.end))
        backward_part(&p, inner, p.start > l->start);
    relative_end(l);
}

/* Clears its parts of the tables' gradients, and the gradient rows of the sequence's own
 * keys, also of those past n_keys. */
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
    pack_past(&h, s->keys, h.k, true);
    pack_past(&h, s->values, h.v, true);
    pack_past(&h, s->sums, h.k, false);
    relative_pack(&h, s, true);
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
