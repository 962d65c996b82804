/* The optimisers and the learning-rate schedule.
 *
 * AdamW (Loshchilov & Hutter 2019) clips gradients by their global norm. It works on spans
 * of parameters, each within one tensor; they do not depend on the number of threads.
 *
 * Muon (Jordan 2024) updates the matrices within layers: the step of a matrix is its
 * momentum, made orthogonal, so that the weights learn equally in all directions. Steps are
 * scaled to the size of AdamW's and decay as they do (Liu et al. 2025, "Muon is scalable
 * for LLM training"). Queries, keys and values share a tensor but are separate matrices. A
 * matrix is one task of the pool, so its sums run in a fixed order; train_arena.c plans the
 * memory of a thread. */
#include "model/train/train_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const float AS_ADAM =
    0.2f; /* the root mean square of a step of AdamW at rate 1 */

/* The number of matrices in a tensor that Muon updates; 0: AdamW updates the tensor. */
static int muon_parts(const struct trainer *t, const struct model_tensor *tensor)
{
    if (t->options.optimiser != OPTIMISER_MUON || !tensor->is_linear)
        return 0;
    return strstr(tensor->name, ".qkv.") ? 3 : strstr(tensor->name, ".kv.") ? 2 : 1;
}

static size_t matrix_size(const struct muon_matrix *m)
{
    return (size_t)m->m * m->n;
}

/* Sorts the largest matrices first, so that the pool ends with small tasks. */
static int by_size(const void *a, const void *b)
{
    const struct muon_matrix *x = a, *y = b;
    if (matrix_size(x) != matrix_size(y))
        return matrix_size(x) < matrix_size(y) ? 1 : -1;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

enum model_status optimiser_plan(struct trainer *t)
{
    const size_t most = t->n_floats / SPAN + t->n_tensors;
    int n_matrices = 0;
    for (size_t i = 0; i < t->n_tensors; i++)
        n_matrices += muon_parts(t, &t->tensors[i]);
    t->matrices = calloc((size_t)n_matrices + 1, sizeof *t->matrices);
    t->spans = calloc(most, sizeof *t->spans);
    t->span_squares = calloc(most, sizeof *t->span_squares);
    if (!t->matrices || !t->spans || !t->span_squares)
        return MODEL_NO_MEMORY;
    for (size_t i = 0; i < t->n_tensors; i++) {
        const struct model_tensor *of = &t->tensors[i];
        const size_t n = model_tensor_size(of);
        const int parts = muon_parts(t, of),
                  rows = parts ? (int)of->shape[0] / parts : 0,
                  columns = (int)of->shape[1];
        for (int p = 0; p < parts; p++) {
            struct muon_matrix *m = &t->matrices[t->n_matrices++];
            m->is_tall = rows > columns;
            m->m = m->is_tall ? columns : rows;
            m->n = m->is_tall ? rows : columns;
            m->offset = of->offset + (size_t)p * matrix_size(m);
        }
        for (size_t from = 0; from < n; from += SPAN)
            t->spans[t->n_spans++] =
                (struct span){of->offset + from, n - from < SPAN ? n - from : SPAN,
                              of->decays, parts > 0};
    }
    qsort(t->matrices, (size_t)t->n_matrices, sizeof *t->matrices, by_size);
    return MODEL_OK;
}

const char *const train_optimisers[] = {"adamw", "muon", NULL};
const char *const train_schedules[] = {"cosine", "linear", NULL};

float optimiser_rate(const struct train_options *o, int64_t step)
{
    const int64_t span = o->max_steps - o->warmup_steps, done = step - o->warmup_steps,
                  left = step < o->max_steps ? o->max_steps - step : 0;
    if (done < 0)
        return o->lr * (float)(step + 1) / (float)o->warmup_steps;
    if (o->schedule == SCHEDULE_LINEAR) {
        if (o->cooldown_steps <= 0 || left >= o->cooldown_steps)
            return o->lr;
        double share = (double)left / (double)o->cooldown_steps;
        return (float)(o->min_lr + (o->lr - o->min_lr) * share);
    }
    if (done >= span)
        return o->min_lr;
    double turn = cos(acos(-1.0) * (double)done / (double)span);
    return (float)(o->min_lr + 0.5 * (o->lr - o->min_lr) * (1.0 + turn));
}

/* to [m, n] = from, transposed if `turn`. */
static void copy_matrix(float *to, int ld_to, const float *from, int ld_from, int m,
                        int n, bool turn)
{
    if (turn)
        transpose(to, ld_to, from, ld_from, n, m);
    for (int r = 0; !turn && r < m; r++, to += ld_to, from += ld_from)
        memcpy(to, from, n * sizeof *to);
}

/* Makes a step orthogonal. A tall matrix is transposed for that. */
static void make_orthogonal(const struct trainer *t, const struct muon_matrix *m,
                            float *step, const struct newton_schulz *at)
{
    const int ld = newton_schulz_ld(m->n), columns = m->is_tall ? m->m : m->n;
    const double squares = t->k->sum_squares(step, matrix_size(m));
    copy_matrix(at->x, ld, step, columns, m->m, m->n, m->is_tall);
    newton_schulz(t->products, at, m->m, m->n, squares);
    copy_matrix(step, columns, at->x, ld, m->is_tall ? m->n : m->m, columns,
                m->is_tall);
}

/* Updates one matrix. The step overwrites the gradient, which nothing reads afterwards. */
static void muon_update(const struct trainer *t, const struct muon_matrix *m,
                        float rate, int thread)
{
    const struct train_options *o = &t->options;
    const size_t n = matrix_size(m);
    float *step = t->gradients + m->offset;
    t->k->nesterov(step, t->moment1 + m->offset, n, o->momentum);
    make_orthogonal(t, m, step, &t->scratch[thread].muon);
    t->k->descend(t->weights + m->offset, step, n, 1.0f - rate * o->weight_decay,
                  rate * AS_ADAM * sqrtf((float)m->n));
}

static void squares_task(void *arg, int i, int thread)
{
    struct trainer *t = arg;
    (void)thread;
    t->span_squares[i] =
        t->k->sum_squares(t->gradients + t->spans[i].offset, t->spans[i].n);
}

struct update_job {
    struct trainer *t;
    struct adam adam;
    float rate; /* Muon's */
};

/* Updates one of Muon's matrices, which are the longer tasks and come first, or one span
 * by AdamW. */
static void update_task(void *arg, int i, int thread)
{
    const struct update_job *job = arg;
    const struct trainer *t = job->t;
    struct adam adam = job->adam;
    if (i < t->n_matrices) {
        muon_update(t, &t->matrices[i], job->rate, thread);
        return;
    }
    const struct span *s = &t->spans[i - t->n_matrices];
    if (s->by_muon)
        return;
    if (!s->decay)
        adam.shrink = 1.0f;
    t->k->adam(t->weights + s->offset, t->moment1 + s->offset, t->moment2 + s->offset,
               t->gradients + s->offset, s->n, &adam);
}

void optimiser_step(struct trainer *t)
{
    const struct train_options *o = &t->options;
    const float rate = optimiser_rate(o, t->n_steps),
                adam_rate =
                    o->optimiser == OPTIMISER_MUON ? rate * o->adam_share : rate;
    const double count = (double)++t->n_steps;
    struct update_job job = {
        .t = t,
        .adam = {.rate = adam_rate,
                 .beta1 = o->beta1,
                 .beta2 = o->beta2,
                 .eps = o->eps,
                 .shrink = 1.0f - adam_rate * o->weight_decay,
                 .correct1 = (float)(1.0 / (1.0 - pow(o->beta1, count))),
                 .correct2 = (float)(1.0 / (1.0 - pow(o->beta2, count))),
                 .grad_scale = 1.0f},
        .rate = rate,
    };
    double squares = 0.0;
    pool_run(t->pool, squares_task, t, t->n_spans);
    for (int i = 0; i < t->n_spans; i++)
        squares += t->span_squares[i];
    t->gradient_norm = (float)sqrt(squares);
    if (!isfinite(t->gradient_norm))
        return; /* skips a bad step; taking it would spoil the model */
    if (o->clip > 0.0f && t->gradient_norm > o->clip)
        job.adam.grad_scale = o->clip / t->gradient_norm;
    pool_run(t->pool, update_task, &job, t->n_matrices + t->n_spans);
}
