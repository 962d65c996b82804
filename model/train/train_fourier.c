/* Fourier mixing in training; model/kernels/fourier.h has the equations. The transform of
 * a token is a product with constant waves (train_forward.c). Here one task per sequence
 * mixes the transforms, TILE results at a time, by two products with the tile's rows of
 * FNet's matrix: cosines and sines. */
#include "model/kernels/fourier.h"
#include "model/train/train_internal.h"

#include <string.h>

/* The results from row `first` on, which read the tokens from `start` on. */
struct mixed_tile {
    struct trainer *t;
    const struct scratch *s;
    float *spectra; /* [length, 2d] the sequence's transforms, or their gradients */
    int first, rows, start;
};

/* Makes the tile's rows of the matrix: cosines in scores, negative sines in d_scores. */
static void build_rows(const struct mixed_tile *m)
{
    const int w = m->t->config.block, ld = m->t->ld_scores;
    const float *cosine = m->t->circle, *sine = cosine + w;
    for (int r = 0; r < m->rows; r++)
        for (int j = m->start; j < m->first + m->rows; j++) {
            int t = m->first + r;
            bool seen = j <= t && j > t - w;
            int step = fourier_step(t, j, w);
            size_t at = (size_t)r * ld + (size_t)(j - m->start);
            m->s->scores[at] = seen ? cosine[step] : 0.0f;
            m->s->d_scores[at] = seen ? -sine[step] : 0.0f;
        }
}

static struct mixed_tile mixing_at(struct trainer *t, const struct scratch *s,
                                   float *spectra, int first)
{
    struct mixed_tile m = {t,
                           s,
                           spectra,
                           first,
                           least(t->options.length - first, TILE),
                           fourier_first(first, t->config.block)};
    build_rows(&m);
    return m;
}

/* y [rows, d] = or += the weighted sum of rows of one half of the transforms. */
static void gather(const struct mixed_tile *m, float *y, const float *weights, int half,
                   float beta)
{
    int d = m->t->config.d_model;
    struct product p = product_of(
        m->rows, d, m->first + m->rows - m->start, row_major(weights, m->t->ld_scores),
        row_major(m->spectra + (size_t)m->start * 2 * d + (size_t)half * d, 2 * d), y,
        d);
    p.beta = beta;
    m->t->products->multiply(&p, m->s->panels);
}

/* The reverse: adds dy, by these weights, to the gradient of one half of the transforms. */
static void scatter(const struct mixed_tile *m, const float *dy, const float *weights,
                    int half)
{
    int d = m->t->config.d_model;
    struct product p =
        product_of(m->first + m->rows - m->start, d, m->rows,
                   transposed(weights, m->t->ld_scores), row_major(dy, d),
                   m->spectra + (size_t)m->start * 2 * d + (size_t)half * d, 2 * d);
    p.beta = 1.0f;
    m->t->products->multiply(&p, m->s->panels);
}

static void forward_task(void *arg, int sequence, int thread)
{
    const struct layer_job *job = arg;
    struct trainer *t = job->t;
    const int d = t->config.d_model, length = t->options.length;
    size_t row = (size_t)sequence * length;
    const struct attention *kept = &t->kept[job->layer].attention[BRANCH_MIX];
    float *spectra = kept->q + row * 2 * d, *mixed = kept->mixed + row * d;
    for (int first = 0; first < length; first += TILE, mixed += (size_t)TILE * d) {
        struct mixed_tile m = mixing_at(t, &t->scratch[thread], spectra, first);
        gather(&m, mixed, m.s->scores, 0, 0.0f);
        gather(&m, mixed, m.s->d_scores, 1, 1.0f);
    }
}

static void backward_task(void *arg, int sequence, int thread)
{
    const struct layer_job *job = arg;
    struct trainer *t = job->t;
    const int d = t->config.d_model, length = t->options.length;
    size_t row = (size_t)sequence * length;
    const struct attention *delta = &t->deltas.attention[BRANCH_MIX];
    float *spectra = delta->q + row * 2 * d;
    const float *d_mixed = delta->mixed + row * d;
    memset(spectra, 0, (size_t)length * 2 * d * sizeof *spectra);
    for (int first = 0; first < length; first += TILE) {
        struct mixed_tile m = mixing_at(t, &t->scratch[thread], spectra, first);
        scatter(&m, d_mixed + (size_t)first * d, m.s->scores, 0);
        scatter(&m, d_mixed + (size_t)first * d, m.s->d_scores, 1);
    }
}

void fourier_forward(struct trainer *t, int layer)
{
    struct layer_job job = {.t = t, .layer = layer};
    pool_run(t->pool, forward_task, &job, t->options.batch);
}

void fourier_backward(struct trainer *t, int layer)
{
    struct layer_job job = {.t = t, .layer = layer};
    pool_run(t->pool, backward_task, &job, t->options.batch);
}
