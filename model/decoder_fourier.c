/* Fourier mixing of a chunk or of one token: model/fourier.h has what it computes. The
 * cache keeps every token's transform. */
#include "model/decoder_internal.h"
#include "model/fourier.h"

#include <cblas.h>
#include <string.h>

enum { COLUMNS_A_TASK = 64 };

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
        int step = fourier_step(t, j, w);
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
