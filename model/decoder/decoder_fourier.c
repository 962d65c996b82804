/* Fourier mixing of a chunk, or of one token for each of some decoders.
 * model/kernels/fourier.h has the equations. The cache holds the transform of every
 * token. */
#include "model/decoder/decoder_internal.h"
#include "model/kernels/fourier.h"

#include <cblas.h>
#include <string.h>

enum { COLUMNS_A_TASK = 64 };

/* The mixing of some rows of one decoder, the first of which is at `position`. */
struct fourier_job {
    const struct decoder *d;
    float *spectra; /* [context, 2d] the layer's transforms */
    float *mixed;   /* [rows, d] */
    int position, rows;
};

static float *spectra_of(const struct decoder *d, int layer)
{
    return d->spectra + (size_t)layer * d->c.context * 2 * d->c.d_model;
}

static int n_tasks(const struct decoder *d)
{
    return n_parts(d->c.d_model, COLUMNS_A_TASK);
}

/* y[n] = columns `column` to column + n of the mix at position t. */
static void mix_row(const struct fourier_job *job, float *y, int t, int column, int n)
{
    const struct decoder *d = job->d;
    const int w = d->c.block, width = d->c.d_model;
    memset(y, 0, n * sizeof *y);
    for (int j = fourier_first(t, w); j <= t; j++) {
        int step = fourier_step(t, j, w);
        float cosine = d->circle[step], sine = d->circle[w + step];
        const float *c = job->spectra + (size_t)j * 2 * width + column;
        const float *s = c + width;
        for (int i = 0; i < n; i++)
            y[i] += cosine * c[i] - sine * s[i];
    }
}

/* arg is a list of jobs with n_tasks each. */
static void columns_task(void *arg, int i, int thread)
{
    const struct fourier_job *jobs = arg;
    const struct fourier_job *job = &jobs[i / n_tasks(jobs->d)];
    const int width = job->d->c.d_model, part = i % n_tasks(jobs->d),
              column = part * COLUMNS_A_TASK,
              n = part_size(width, COLUMNS_A_TASK, part);
    (void)thread;
    for (int r = 0; r < job->rows; r++)
        mix_row(job, job->mixed + (size_t)r * width + column, job->position + r, column,
                n);
}

void decoder_fourier(struct decoder *d, int layer, int position, int rows,
                     const float *x)
{
    const int n = d->c.d_model;
    struct fourier_job job = {d, spectra_of(d, layer), d->mixed, position, rows};
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, rows, 2 * n, n, 1.0f, x, n,
                d->waves, n, 0.0f, job.spectra + (size_t)position * 2 * n, 2 * n);
    pool_run(d->pool, columns_task, &job, n_tasks(d));
}

void decoder_fourier_step(const struct step_batch *t, int layer, const float *x)
{
    struct decoder *lead = t->d[0];
    const struct packed *w = &lead->packed_waves;
    const size_t n = (size_t)lead->c.d_model;
    struct fourier_job jobs[DECODER_MAX_BATCH];
    const struct prepared ready =
        decoder_prepare(lead, WEIGHTS_F32, lead->mixed, x, (int)n, t->n, (int)n);
    decoder_multiply(lead, lead->qkv, w->rows, w, 0, w->rows / PANEL, &ready, t->n);
    for (int r = 0; r < t->n; r++) {
        struct decoder *d = t->d[r];
        jobs[r] = (struct fourier_job){d, spectra_of(d, layer),
                                       lead->mixed + (size_t)r * n, d->length, 1};
        memcpy(jobs[r].spectra + (size_t)d->length * 2 * n,
               lead->qkv + (size_t)r * w->rows, 2 * n * sizeof *lead->qkv);
    }
    pool_run(lead->pool, columns_task, jobs, t->n * n_tasks(lead));
}
