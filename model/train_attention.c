/* Causal attention of whole sequences, one task per sequence and head.
 *
 * Queries go in tiles of TILE against the keys up to the tile's end, so most
 * of the upper triangle is never computed. Forward keeps only the logarithm of
 * each row's sum; backward makes the probabilities again from it, which costs
 * less than writing them to memory and reading them back (Dao et al. 2022). */
#include "model/train_internal.h"

#include <cblas.h>
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

/* scores [rows, keys] of the queries from `first` on. */
static void tile_scores(const struct head *h, float *scores, int ld, int first,
                        int rows)
{
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, rows, first + rows, h->width,
                h->scale, h->q + (size_t)first * h->ld, h->ld, h->k, h->ld, 0.0f,
                scores, ld);
}

static void forward_tile(const struct trainer *t, const struct head *h, float *scores,
                         int first)
{
    int rows = tile_rows(h, first), keys = first + rows, ld = t->ld_scores;
    float inverse[TILE];
    float *out = h->mixed + (size_t)first * h->d;

    tile_scores(h, scores, ld, first, rows);
    t->kernels->softmax_causal(scores, ld, rows, first, keys, h->log_sums + first,
                               inverse);
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, h->width, keys, 1.0f,
                scores, ld, h->v, h->ld, 0.0f, out, h->d);
    for (int r = 0; r < rows; r++)
        for (int i = 0; i < h->width; i++)
            out[(size_t)r * h->d + i] *= inverse[r];
}

static void forward_task(void *arg, int i, int thread)
{
    const struct attention_job *job = arg;
    struct head h = head_at(job->t, job->layer, i);
    for (int first = 0; first < h.length; first += TILE)
        forward_tile(job->t, &h, job->t->scratch[thread].scores, first);
}

/* With p the probabilities and dp = d_mixed v^T: the scores' gradient is
 * p (dp - inner), where inner = d_mixed . mixed for each row. */
static void backward_tile(const struct trainer *t, const struct head *h,
                          const struct scratch *s, int first)
{
    int rows = tile_rows(h, first), keys = first + rows, ld = t->ld_scores;
    const float *d_mixed = h->d_mixed + (size_t)first * h->d;
    float beta = first + rows < h->length ? 1.0f : 0.0f; /* the last tile comes first */
    float inner[TILE];

    for (int r = 0; r < rows; r++)
        inner[r] = t->kernels->dot(d_mixed + (size_t)r * h->d,
                                   h->mixed + (size_t)(first + r) * h->d, h->width);
    tile_scores(h, s->scores, ld, first, rows);
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, rows, keys, h->width, 1.0f,
                d_mixed, h->d, h->v, h->ld, 0.0f, s->d_scores, ld);
    t->kernels->softmax_causal_backward(s->scores, s->d_scores, ld, rows, first, keys,
                                        h->log_sums + first, inner);

    cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, keys, h->width, rows, 1.0f,
                s->scores, ld, d_mixed, h->d, beta, h->dv, h->ld);
    cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, keys, h->width, rows, h->scale,
                s->d_scores, ld, h->q + (size_t)first * h->ld, h->ld, beta, h->dk,
                h->ld);
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, h->width, keys,
                h->scale, s->d_scores, ld, h->k, h->ld, 0.0f,
                h->dq + (size_t)first * h->ld, h->ld);
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
