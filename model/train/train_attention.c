/* Attention of whole sequences, one task per sequence and head.
 *
 * Tiles of TILE queries meet the keys they see, so causal attention skips most of the
 * upper triangle. Forward keeps only the logarithm of each row's sum. Backward computes
 * the probabilities again from it, which costs less than writing and reading them (Dao
 * et al. 2022). */
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

/* Packs keys or values for products with their rows (`across`) or for sums of rows. */
static void pack_past(const struct head *h, uint32_t *panels, const float *b,
                      bool across)
{
    const struct product_set *set = h->t->products;
    if (set->pack)
        set->pack(panels, b, h->ld_kv, across, across ? h->n_keys : h->width,
                  across ? h->width : h->n_keys);
}

/* scores [rows, keys] = a b^T. a: the tile's queries or output gradients. b: all keys
 * or values that the tile sees. */
static void against_past(const struct tile *l, float *scores, const float *a, int ld_a,
                         const float *b, const uint32_t *panels, float alpha)
{
    const struct head *h = l->h;
    struct product p = product_of(
        l->rows, l->end - l->start, h->width, row_major(a, ld_a),
        transposed(b + (size_t)l->start * h->ld_kv, h->ld_kv), scores, h->t->ld_scores);
    p.alpha = alpha;
    p.packed = panels + (size_t)l->start * product_words(h->t->products, h->width);
    h->t->products->multiply(&p, l->s->panels);
}

/* out [rows, width] = alpha scores b. b: all keys or values that the tile sees. */
static void gather_past(const struct tile *l, float *out, int ld_out,
                        const float *scores, const float *b, float alpha)
{
    const struct head *h = l->h;
    const struct product_set *set = h->t->products;
    struct product p = product_of(
        l->rows, h->width, l->end - l->start, row_major(scores, h->t->ld_scores),
        row_major(b + (size_t)l->start * h->ld_kv, h->ld_kv), out, ld_out);
    p.alpha = alpha;
    p.packed = l->s->sums + product_words(set, l->start) * PRODUCT_COLUMNS;
    p.panel = product_words(set, h->n_keys) * PRODUCT_COLUMNS;
    h->t->products->multiply(&p, l->s->panels);
}

/* past [keys, width] += alpha scores^T b. b: the tile's rows. */
static void scatter_past(const struct tile *l, float *past, const float *scores,
                         const float *b, int ld_b, float alpha)
{
    const struct head *h = l->h;
    struct product p = product_of(
        l->end - l->start, h->width, l->rows, transposed(scores, h->t->ld_scores),
        row_major(b, ld_b), past + (size_t)l->start * h->ld_kv, h->ld_kv);
    p.alpha = alpha;
    p.beta = 1.0f;
    h->t->products->multiply(&p, l->s->panels);
}

/* The scores of the tile's queries, for forward and backward. */
static void score_tile(const struct tile *l)
{
    const struct head *h = l->h;
    against_past(l, l->s->scores, h->q + (size_t)l->first * h->ld_q, h->ld_q, h->k,
                 l->s->keys, h->scale);
    relative_forward(l);
}

/* How many keys the tile's first row sees. Without causality it is all of them, for
 * every row; otherwise each row sees one more. */
static int n_first(const struct tile *l)
{
    return l->h->causal ? l->first - l->start + 1 : l->end - l->start;
}

static void forward_tile(const struct tile *l)
{
    const struct head *h = l->h;
    float inverse[TILE];
    float *out = h->mixed + (size_t)l->first * h->d;

    score_tile(l);
    h->t->kernels->softmax(l->s->scores, h->t->ld_scores, l->rows, n_first(l),
                           h->causal, l->end - l->start, h->log_sums + l->first,
                           inverse);
    gather_past(l, out, h->d, l->s->scores, h->v, 1.0f);
    relative_values_forward(l);
    for (int r = 0; r < l->rows; r++)
        for (int i = 0; i < h->width; i++)
            out[(size_t)r * h->d + i] *= inverse[r];
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
static void backward_tile(const struct tile *l)
{
    const struct head *h = l->h;
    const struct scratch *s = l->s;
    const struct train_kernels *k = h->t->kernels;
    const float *q = h->q + (size_t)l->first * h->ld_q;
    const float *d_mixed = h->d_mixed + (size_t)l->first * h->d;
    float inner[TILE];

    for (int r = 0; r < l->rows; r++)
        inner[r] = k->dot(d_mixed + (size_t)r * h->d,
                          h->mixed + (size_t)(l->first + r) * h->d, h->width);
    score_tile(l);
    against_past(l, s->d_scores, d_mixed, h->d, h->v, s->values, 1.0f);
    relative_weights_backward(l);
    k->softmax_backward(s->scores, s->d_scores, h->t->ld_scores, l->rows, n_first(l),
                        h->causal, l->end - l->start, h->log_sums + l->first, inner);
    scatter_past(l, h->dv, s->scores, d_mixed, h->d, 1.0f);
    scatter_past(l, h->dk, s->d_scores, q, h->ld_q, h->scale);
    gather_past(l, h->dq + (size_t)l->first * h->ld_q, h->ld_q, s->d_scores, h->k,
                h->scale);
    relative_backward(l);
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
