/* Causal attention of whole sequences, one task per sequence and head.
 *
 * Queries go in tiles of TILE against the keys up to the tile's end, so most
 * of the upper triangle is never computed. Forward keeps only the logarithm of
 * each row's sum; backward makes the probabilities again from it, which costs
 * less than writing them to memory and reading them back (Dao et al. 2022). */
#include "model/train_internal.h"

#include <math.h>
#include <string.h>

struct attention_job {
    struct trainer *t;
    int layer;
};

static struct head head_at(const struct trainer *t, int layer, int index)
{
    const struct layer_kept *kept = &t->kept[layer];
    int heads = t->config.n_heads, d = t->config.d_model, width = d / heads;
    int length = t->options.length;
    size_t row = (size_t)(index / heads) * length,
           column = (size_t)(index % heads) * width;
    size_t at_qkv = row * 3 * d + column, at_mixed = row * d + column;

    return (struct head){
        .t = t,
        .w = &t->at.layers[layer],
        .index = index,
        .q = kept->qkv + at_qkv,
        .k = kept->qkv + at_qkv + d,
        .v = kept->qkv + at_qkv + 2 * (size_t)d,
        .dq = t->deltas.qkv + at_qkv,
        .dk = t->deltas.qkv + at_qkv + d,
        .dv = t->deltas.qkv + at_qkv + 2 * (size_t)d,
        .mixed = kept->mixed + at_mixed,
        .d_mixed = t->deltas.mixed + at_mixed,
        .log_sums = kept->log_sums + (size_t)index * length,
        .d = d,
        .ld = 3 * d,
        .width = width,
        .length = length,
        .scale = 1.0f / sqrtf((float)width),
    };
}

/* Local attention sees its own block and the one before; a tile is within one. */
static struct tile tile_at(const struct head *h, const struct scratch *s, int first)
{
    int rows = h->length - first < TILE ? h->length - first : TILE;
    int block = h->t->config.block;
    int start = block && first >= block ? (first / block - 1) * block : 0;
    return (struct tile){h, s, first, rows, start};
}

/* scores [rows, keys] = a b^T, a the tile's rows of queries or output gradients, b
 * all rows of keys or values that it sees. */
static void against_past(const struct tile *l, float *scores, const float *a, int ld_a,
                         const float *b, float alpha)
{
    const struct head *h = l->h;
    struct product p = {
        .m = l->rows,
        .n = l->first + l->rows - l->start,
        .k = h->width,
        .alpha = alpha,
        .a = a,
        .ld_a = ld_a,
        .b = b + (size_t)l->start * h->ld,
        .ld_b = h->ld,
        .b_across = true,
        .c = scores,
        .ld_c = h->t->ld_scores,
    };
    h->t->multiply(&p, l->s->panels);
}

/* out [rows, width] = alpha scores b, b all rows of keys or values seen. */
static void gather_past(const struct tile *l, float *out, int ld_out,
                        const float *scores, const float *b, float alpha)
{
    const struct head *h = l->h;
    struct product p = {
        .m = l->rows,
        .n = h->width,
        .k = l->first + l->rows - l->start,
        .alpha = alpha,
        .a = scores,
        .ld_a = h->t->ld_scores,
        .b = b + (size_t)l->start * h->ld,
        .ld_b = h->ld,
        .c = out,
        .ld_c = ld_out,
    };
    h->t->multiply(&p, l->s->panels);
}

/* past [keys, width] += alpha scores^T b, b the tile's rows. Tiles go from the last,
 * which sets what it adds to, unless it cannot reach all. */
static void scatter_past(const struct tile *l, float *past, const float *scores,
                         const float *b, int ld_b, float alpha)
{
    const struct head *h = l->h;
    bool sets = l->first + l->rows == h->length && !h->t->config.block;
    struct product p = {
        .m = l->first + l->rows - l->start,
        .n = h->width,
        .k = l->rows,
        .alpha = alpha,
        .a = scores,
        .ld_a = h->t->ld_scores,
        .a_across = true,
        .b = b,
        .ld_b = ld_b,
        .beta = sets ? 0.0f : 1.0f,
        .c = past + (size_t)l->start * h->ld,
        .ld_c = h->ld,
    };
    h->t->multiply(&p, l->s->panels);
}

/* The scores of the tile's queries, as forward and backward both need them. */
static void score_tile(const struct tile *l)
{
    const struct head *h = l->h;
    against_past(l, l->s->scores, h->q + (size_t)l->first * h->ld, h->ld, h->k,
                 h->scale);
    relation_forward(l);
}

static void forward_tile(const struct tile *l)
{
    const struct head *h = l->h;
    float inverse[TILE];
    float *out = h->mixed + (size_t)l->first * h->d;

    score_tile(l);
    h->t->kernels->softmax_causal(l->s->scores, h->t->ld_scores, l->rows,
                                  l->first - l->start, l->first + l->rows - l->start,
                                  h->log_sums + l->first, inverse);
    gather_past(l, out, h->d, l->s->scores, h->v, 1.0f);
    relation_values_forward(l);
    for (int r = 0; r < l->rows; r++)
        for (int i = 0; i < h->width; i++)
            out[(size_t)r * h->d + i] *= inverse[r];
}

static void forward_task(void *arg, int i, int thread)
{
    const struct attention_job *job = arg;
    struct head h = head_at(job->t, job->layer, i);
    for (int first = 0; first < h.length; first += TILE) {
        struct tile l = tile_at(&h, &job->t->scratch[thread], first);
        forward_tile(&l);
    }
}

/* With p the probabilities and dp = d_mixed v^T: the scores' gradient is
 * p (dp - inner), where inner = d_mixed . mixed for each row. */
static void backward_tile(const struct tile *l)
{
    const struct head *h = l->h;
    const struct scratch *s = l->s;
    const struct train_kernels *k = h->t->kernels;
    const float *q = h->q + (size_t)l->first * h->ld;
    const float *d_mixed = h->d_mixed + (size_t)l->first * h->d;
    float inner[TILE];

    for (int r = 0; r < l->rows; r++)
        inner[r] = k->dot(d_mixed + (size_t)r * h->d,
                          h->mixed + (size_t)(l->first + r) * h->d, h->width);
    score_tile(l);
    against_past(l, s->d_scores, d_mixed, h->d, h->v, 1.0f);
    relation_weights_backward(l);
    k->softmax_causal_backward(s->scores, s->d_scores, h->t->ld_scores, l->rows,
                               l->first - l->start, l->first + l->rows - l->start,
                               h->log_sums + l->first, inner);
    scatter_past(l, h->dv, s->scores, d_mixed, h->d, 1.0f);
    scatter_past(l, h->dk, s->d_scores, q, h->ld, h->scale);
    gather_past(l, h->dq + (size_t)l->first * h->ld, h->ld, s->d_scores, h->k,
                h->scale);
    relation_backward(l);
}

static void clear_rows(const struct head *h, float *rows)
{
    for (int r = 0; r < h->length; r++)
        memset(rows + (size_t)r * h->ld, 0, (size_t)h->width * sizeof *rows);
}

static void backward_task(void *arg, int i, int thread)
{
    const struct attention_job *job = arg;
    struct head h = head_at(job->t, job->layer, i);
    if (job->t->config.block) {
        clear_rows(&h, h.dk);
        clear_rows(&h, h.dv);
    }
    for (int first = (h.length - 1) / TILE * TILE; first >= 0; first -= TILE) {
        struct tile l = tile_at(&h, &job->t->scratch[thread], first);
        backward_tile(&l);
    }
}

void attention_forward(struct trainer *t, int layer)
{
    struct attention_job job = {t, layer};
    pool_run(t->pool, forward_task, &job, t->options.batch * t->config.n_heads);
}

void attention_backward(struct trainer *t, int layer)
{
    struct attention_job job = {t, layer};
    relation_begin(t);
    pool_run(t->pool, backward_task, &job, t->options.batch * t->config.n_heads);
    relation_gradients(t, layer);
}
