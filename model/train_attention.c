/* Causal attention of whole sequences, one task per sequence and head.
 *
 * Queries go in tiles of TILE against the keys up to the tile's end, so most
 * of the upper triangle is never computed. Forward keeps only the logarithm of
 * each row's sum; backward makes the probabilities again from it, which costs
 * less than writing them to memory and reading them back (Dao et al. 2022). */
#include "model/train_internal.h"

#include <math.h>

/* One sequence and head: strided views into the batch. */
struct head {
    const float *q, *k, *v; /* rows 3d apart */
    float *dq, *dk, *dv;    /* the same shape */
    float *mixed;           /* rows d apart */
    const float *d_mixed;
    float *log_sums; /* [length] */
    int d, ld, width, length;
    float scale;
};

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

static int tile_rows(const struct head *h, int first)
{
    return h->length - first < TILE ? h->length - first : TILE;
}

/* scores [rows, first + rows] = a b^T, a the tile's rows of queries or output
 * gradients, b all rows of keys or values up to its end. */
static void against_past(const struct trainer *t, const struct scratch *s,
                         float *scores, const struct head *h, int first, const float *a,
                         int ld_a, const float *b, float alpha)
{
    int rows = tile_rows(h, first);
    struct product p = {
        .m = rows,
        .n = first + rows,
        .k = h->width,
        .alpha = alpha,
        .a = a,
        .ld_a = ld_a,
        .b = b,
        .ld_b = h->ld,
        .b_across = true,
        .c = scores,
        .ld_c = t->ld_scores,
    };
    t->multiply(&p, s->panels);
}

/* out [rows, width] = alpha scores b, b all rows of keys or values. */
static void gather_past(const struct trainer *t, const struct scratch *s, float *out,
                        int ld_out, const struct head *h, int first,
                        const float *scores, const float *b, float alpha)
{
    int rows = tile_rows(h, first);
    struct product p = {
        .m = rows,
        .n = h->width,
        .k = first + rows,
        .alpha = alpha,
        .a = scores,
        .ld_a = t->ld_scores,
        .b = b,
        .ld_b = h->ld,
        .c = out,
        .ld_c = ld_out,
    };
    t->multiply(&p, s->panels);
}

/* past [first + rows, width] += alpha scores^T b, b the tile's rows. Tiles go
 * from the last, which sets what it adds to. */
static void scatter_past(const struct trainer *t, const struct scratch *s, float *past,
                         const struct head *h, int first, const float *scores,
                         const float *b, int ld_b, float alpha)
{
    int rows = tile_rows(h, first);
    struct product p = {
        .m = first + rows,
        .n = h->width,
        .k = rows,
        .alpha = alpha,
        .a = scores,
        .ld_a = t->ld_scores,
        .a_across = true,
        .b = b,
        .ld_b = ld_b,
        .beta = first + rows < h->length ? 1.0f : 0.0f,
        .c = past,
        .ld_c = h->ld,
    };
    t->multiply(&p, s->panels);
}

static void forward_tile(const struct trainer *t, const struct head *h,
                         const struct scratch *s, int first)
{
    int rows = tile_rows(h, first);
    float inverse[TILE];
    float *out = h->mixed + (size_t)first * h->d;

    against_past(t, s, s->scores, h, first, h->q + (size_t)first * h->ld, h->ld, h->k,
                 h->scale);
    t->kernels->softmax_causal(s->scores, t->ld_scores, rows, first, first + rows,
                               h->log_sums + first, inverse);
    gather_past(t, s, out, h->d, h, first, s->scores, h->v, 1.0f);
    for (int r = 0; r < rows; r++)
        for (int i = 0; i < h->width; i++)
            out[(size_t)r * h->d + i] *= inverse[r];
}

static void forward_task(void *arg, int i, int thread)
{
    const struct attention_job *job = arg;
    struct head h = head_at(job->t, job->layer, i);
    for (int first = 0; first < h.length; first += TILE)
        forward_tile(job->t, &h, &job->t->scratch[thread], first);
}

/* With p the probabilities and dp = d_mixed v^T: the scores' gradient is
 * p (dp - inner), where inner = d_mixed . mixed for each row. */
static void backward_tile(const struct trainer *t, const struct head *h,
                          const struct scratch *s, int first)
{
    int rows = tile_rows(h, first);
    const float *q = h->q + (size_t)first * h->ld;
    const float *d_mixed = h->d_mixed + (size_t)first * h->d;
    float inner[TILE];

    for (int r = 0; r < rows; r++)
        inner[r] = t->kernels->dot(d_mixed + (size_t)r * h->d,
                                   h->mixed + (size_t)(first + r) * h->d, h->width);
    against_past(t, s, s->scores, h, first, q, h->ld, h->k, h->scale);
    against_past(t, s, s->d_scores, h, first, d_mixed, h->d, h->v, 1.0f);
    t->kernels->softmax_causal_backward(s->scores, s->d_scores, t->ld_scores, rows,
                                        first, first + rows, h->log_sums + first,
                                        inner);
    scatter_past(t, s, h->dv, h, first, s->scores, d_mixed, h->d, 1.0f);
    scatter_past(t, s, h->dk, h, first, s->d_scores, q, h->ld, h->scale);
    gather_past(t, s, h->dq + (size_t)first * h->ld, h->ld, h, first, s->d_scores, h->k,
                h->scale);
}

static void backward_task(void *arg, int i, int thread)
{
    const struct attention_job *job = arg;
    struct head h = head_at(job->t, job->layer, i);
    for (int first = (h.length - 1) / TILE * TILE; first >= 0; first -= TILE)
        backward_tile(job->t, &h, &job->t->scratch[thread], first);
}

void attention_forward(struct trainer *t, int layer)
{
    struct attention_job job = {t, layer};
    pool_run(t->pool, forward_task, &job, t->options.batch * t->config.n_heads);
}

void attention_backward(struct trainer *t, int layer)
{
    struct attention_job job = {t, layer};
    pool_run(t->pool, backward_task, &job, t->options.batch * t->config.n_heads);
}
