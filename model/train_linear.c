/* Linear layers. The pool cuts the work, always in the same places, so a sum
 * never depends on who computes it. */
#include "model/train_internal.h"

#include <string.h>

void linear_forward(const struct trainer *t, int thread, float *y, int ld_y,
                    const float *x, const float *w, const float *b, int rows, int n_in,
                    int n_out)
{
    for (int r = 0; b && r < rows; r++)
        memcpy(y + (size_t)r * ld_y, b, (size_t)n_out * sizeof *y);
    struct product p = {
        .m = rows,
        .n = n_out,
        .k = n_in,
        .alpha = 1.0f,
        .a = x,
        .ld_a = n_in,
        .b = w,
        .ld_b = n_in,
        .b_across = true,
        .beta = b ? 1.0f : 0.0f,
        .c = y,
        .ld_c = ld_y,
    };
    t->multiply(&p, t->scratch[thread].panels);
}

void linear_backward(const struct trainer *t, int thread, float *dx, const float *dy,
                     int ld_dy, const float *w, int rows, int n_in, int n_out)
{
    struct product p = {
        .m = rows,
        .n = n_in,
        .k = n_out,
        .alpha = 1.0f,
        .a = dy,
        .ld_a = ld_dy,
        .b = w,
        .ld_b = n_in,
        .c = dx,
        .ld_c = n_in,
    };
    t->multiply(&p, t->scratch[thread].panels);
}

struct gradient_job {
    struct trainer *t;
    const struct linear_gradient *g;
};

static int n_parts(const struct linear_gradient *g)
{
    return (g->n_out + BLOCK_OUT - 1) / BLOCK_OUT;
}

static void gradient_part(struct trainer *t, const struct linear_gradient *g, int part,
                          int thread)
{
    int from = part * BLOCK_OUT, rows = trainer_n_rows(t);
    int n = g->n_out - from < BLOCK_OUT ? g->n_out - from : BLOCK_OUT;
    struct product p = {
        .m = n,
        .n = g->n_in,
        .k = rows,
        .alpha = 1.0f,
        .a = g->dy + from,
        .ld_a = g->ld_dy,
        .a_across = true,
        .b = g->x,
        .ld_b = g->n_in,
        .c = g->dw + (size_t)from * g->n_in,
        .ld_c = g->n_in,
    };
    t->multiply(&p, t->scratch[thread].panels);
    if (g->db)
        t->kernels->sum_columns(g->db + from, g->dy + from, g->ld_dy, rows, n);
}

static void gradient_task(void *arg, int i, int thread)
{
    const struct gradient_job *job = arg;
    const struct linear_gradient *g = job->g;
    for (; i >= n_parts(g); g++)
        i -= n_parts(g);
    gradient_part(job->t, g, i, thread);
}

void linear_gradients(struct trainer *t, const struct linear_gradient *g, int n)
{
    struct gradient_job job = {t, g};
    int tasks = 0;
    for (int i = 0; i < n; i++)
        tasks += n_parts(&g[i]);
    pool_run(t->pool, gradient_task, &job, tasks);
}
