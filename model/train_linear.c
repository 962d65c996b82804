/* The matrix products of training, through OpenBLAS on one thread each: the
 * pool cuts the work, always in the same places, so a sum never depends on who
 * computes it. */
#include "model/train_internal.h"

#include <cblas.h>
#include <string.h>

void linear_forward(float *y, int ld_y, const float *x, const float *w, const float *b,
                    int rows, int n_in, int n_out)
{
    for (int r = 0; b && r < rows; r++)
        memcpy(y + (size_t)r * ld_y, b, (size_t)n_out * sizeof *y);
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, rows, n_out, n_in, 1.0f, x,
                n_in, w, n_in, b ? 1.0f : 0.0f, y, ld_y);
}

void linear_backward(float *dx, const float *dy, int ld_dy, const float *w, int rows,
                     int n_in, int n_out)
{
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, n_in, n_out, 1.0f, dy,
                ld_dy, w, n_in, 0.0f, dx, n_in);
}

struct gradient_job {
    struct trainer *t;
    const struct linear_gradient *g;
    int n;
};

static int n_parts(const struct linear_gradient *g)
{
    return (g->n_out + BLOCK_OUT - 1) / BLOCK_OUT;
}

static void gradient_part(struct trainer *t, const struct linear_gradient *g, int part)
{
    int from = part * BLOCK_OUT, rows = trainer_n_rows(t);
    int n = g->n_out - from < BLOCK_OUT ? g->n_out - from : BLOCK_OUT;

    cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, n, g->n_in, rows, 1.0f,
                g->dy + from, g->ld_dy, g->x, g->n_in, 0.0f,
                g->dw + (size_t)from * g->n_in, g->n_in);
    if (g->db)
        t->kernels->sum_columns(g->db + from, g->dy + from, g->ld_dy, rows, n);
}

static void gradient_task(void *arg, int i, int thread)
{
    const struct gradient_job *job = arg;
    const struct linear_gradient *g = job->g;
    (void)thread;
    for (; i >= n_parts(g); g++)
        i -= n_parts(g);
    gradient_part(job->t, g, i);
}

void linear_gradients(struct trainer *t, const struct linear_gradient *g, int n)
{
    struct gradient_job job = {t, g, n};
    int tasks = 0;
    for (int i = 0; i < n; i++)
        tasks += n_parts(&g[i]);
    pool_run(t->pool, gradient_task, &job, tasks);
}
