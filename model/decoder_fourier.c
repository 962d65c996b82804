/* Fourier mixing that is causal and bounded, in the place of attention.
 *
 * FNet (Lee-Thorp et al. 2022, eq. 1-3) mixes a sequence of n tokens by the real part
 * of a Fourier transform over its d dimensions and then over its n places: the weight
 * of token j in the result at t is exp(-2 pi i t j / n). Every token sees every other
 * one, so nothing can be decoded token by token. Here places are counted round a
 * circle of W = block steps, and t sees the W last tokens, itself included:
 *
 *   [c, s][j] = the transform of token j: c_a = sum_b x_b cos(2 pi a b / d), s_a with sin
 *   y[t] = sum over t - W < j <= t of (cos w(t j) c[j] - sin w(t j) s[j]) / sqrt(W d)
 *   w(t j) = 2 pi ((t mod W) (j mod W) mod W) / W
 *
 * which is FNet's own matrix of size W, its rows in turn, the future cut off. No
 * weights; W d products for a token; c and s are what the cache keeps. */
#include "model/decoder_internal.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

enum { COLUMNS_A_TASK = 64 };

void decoder_fourier_init(struct decoder *d)
{
    const double turn = 2 * 3.14159265358979323846;
    const int n = d->c.d_model, w = d->c.block;
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++) {
            double angle = turn * (double)((int64_t)a * b % n) / n;
            d->waves[(size_t)a * n + b] = (float)(cos(angle) / sqrt((double)w * n));
            d->waves[(size_t)(n + a) * n + b] =
                (float)(sin(angle) / sqrt((double)w * n));
        }
    for (int i = 0; i < w; i++) {
        d->circle[i] = (float)cos(turn * i / w);
        d->circle[w + i] = (float)sin(turn * i / w);
    }
}

struct fourier_job {
    struct decoder *d;
    float *spectra; /* [context, 2d] of the layer */
    int position, rows;
};

/* y[n] at place t, of the columns from `column` on. */
static void mix_row(const struct fourier_job *job, float *y, int t, int column, int n)
{
    const struct decoder *d = job->d;
    const int w = d->c.block, width = d->c.d_model;
    memset(y, 0, (size_t)n * sizeof *y);
    for (int j = t < w ? 0 : t - w + 1; j <= t; j++) {
        int step = (int)((int64_t)(t % w) * (j % w) % w);
        float cosine = d->circle[step], sine = d->circle[w + step];
        const float *c = job->spectra + (size_t)j * 2 * (size_t)width + column;
        const float *s = c + width;
        for (int i = 0; i < n; i++)
            y[i] += cosine * c[i] - sine * s[i];
    }
}

static void columns_task(void *arg, int i, int thread)
{
    const struct fourier_job *job = arg;
    const int width = job->d->c.d_model, column = i * COLUMNS_A_TASK;
    const int n = width - column < COLUMNS_A_TASK ? width - column : COLUMNS_A_TASK;
    (void)thread;
    for (int r = 0; r < job->rows; r++)
        mix_row(job, job->d->mixed + (size_t)r * (size_t)width + column,
                job->position + r, column, n);
}

void decoder_fourier(struct decoder *d, int layer, int position, int rows,
                     const float *x)
{
    const int n = d->c.d_model;
    float *spectra = d->spectra + (size_t)layer * (size_t)d->c.context * 2 * (size_t)n;
    struct fourier_job job = {d, spectra, position, rows};
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, rows, 2 * n, n, 1.0f, x, n,
                d->waves, n, 0.0f, spectra + (size_t)position * 2 * (size_t)n, 2 * n);
    pool_run(d->pool, columns_task, &job, (n + COLUMNS_A_TASK - 1) / COLUMNS_A_TASK);
}
