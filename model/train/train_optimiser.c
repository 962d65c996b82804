/* AdamW (Loshchilov & Hutter 2019) with gradients clipped by global norm, Muon beside
 * it (train_muon.c), and the learning-rate schedule. AdamW works on spans of the
 * parameters, each within one tensor; they do not depend on the number of threads. */
#include "model/train/train_internal.h"

#include <math.h>
#include <stdlib.h>

static int cut_tensor(struct span *spans, const struct model_tensor *tensor,
                      bool by_muon)
{
    size_t n = model_tensor_size(tensor);
    int count = 0;
    for (size_t from = 0; from < n; from += SPAN, count++)
        if (spans)
            spans[count] =
                (struct span){tensor->offset + from, n - from < SPAN ? n - from : SPAN,
                              tensor->decays, by_muon};
    return count;
}

enum model_status optimiser_plan(struct trainer *t)
{
    int n = 0;
    for (size_t i = 0; i < t->n_tensors; i++)
        n += cut_tensor(NULL, &t->tensors[i], false);
    t->spans = calloc((size_t)n + 1, sizeof *t->spans);
    t->span_squares = calloc((size_t)n + 1, sizeof *t->span_squares);
    if (!t->spans || !t->span_squares)
        return MODEL_NO_MEMORY;
    for (size_t i = 0; i < t->n_tensors; i++)
        t->n_spans += cut_tensor(t->spans + t->n_spans, &t->tensors[i],
                                 muon_parts(t, &t->tensors[i]) > 0);
    return MODEL_OK;
}

const char *const train_optimisers[] = {"adamw", "muon", NULL};
const char *const train_schedules[] = {"cosine", "linear", NULL};

/* The linear schedule's rate at a step. */
static float linear_rate(const struct train_options *o, int64_t step)
{
    int64_t left = step < o->max_steps ? o->max_steps - step : 0;
    if (o->cooldown_steps <= 0 || left >= o->cooldown_steps)
        return o->lr;
    double share = (double)left / (double)o->cooldown_steps;
    return (float)(o->min_lr + (o->lr - o->min_lr) * share);
}

float optimiser_rate(const struct train_options *o, int64_t step)
{
    if (step < o->warmup_steps)
        return o->lr * (float)(step + 1) / (float)o->warmup_steps;
    if (o->schedule == SCHEDULE_LINEAR)
        return linear_rate(o, step);
    int64_t span = o->max_steps - o->warmup_steps, done = step - o->warmup_steps;
    if (done >= span)
        return o->min_lr;
    double turn = cos(acos(-1.0) * (double)done / (double)span);
    return (float)(o->min_lr + 0.5 * (o->lr - o->min_lr) * (1.0 + turn));
}

static void squares_task(void *arg, int i, int thread)
{
    struct trainer *t = arg;
    (void)thread;
    t->span_squares[i] =
        t->kernels->sum_squares(t->gradients + t->spans[i].offset, t->spans[i].n);
}

static float global_norm(struct trainer *t)
{
    double total = 0.0;
    pool_run(t->pool, squares_task, t, t->n_spans);
    for (int i = 0; i < t->n_spans; i++)
        total += t->span_squares[i];
    return (float)sqrt(total);
}

struct update_job {
    struct trainer *t;
    struct adam adam;
    float rate; /* Muon's */
};

static void update_span(const struct update_job *job, const struct span *s)
{
    const struct trainer *t = job->t;
    struct adam adam = job->adam;
    if (s->by_muon)
        return;
    if (!s->decay)
        adam.shrink = 1.0f;
    t->kernels->adam(t->weights + s->offset, t->moment1 + s->offset,
                     t->moment2 + s->offset, t->gradients + s->offset, s->n, &adam);
}

/* Muon's matrices are the longer tasks, so they come first. */
static void update_task(void *arg, int i, int thread)
{
    const struct update_job *job = arg;
    const struct trainer *t = job->t;
    if (i < t->n_matrices)
        muon_update(t, &t->matrices[i], job->rate, thread);
    else
        update_span(job, &t->spans[i - t->n_matrices]);
}

static struct adam adam_of(const struct train_options *o, float rate, double count)
{
    return (struct adam){
        .rate = rate,
        .beta1 = o->beta1,
        .beta2 = o->beta2,
        .eps = o->eps,
        .shrink = 1.0f - rate * o->weight_decay,
        .correct1 = (float)(1.0 / (1.0 - pow(o->beta1, count))),
        .correct2 = (float)(1.0 / (1.0 - pow(o->beta2, count))),
        .grad_scale = 1.0f,
    };
}

void optimiser_step(struct trainer *t)
{
    const struct train_options *o = &t->options;
    const float rate = optimiser_rate(o, t->n_steps);
    const bool muon = o->optimiser == OPTIMISER_MUON;
    struct update_job job = {
        .t = t,
        .adam =
            adam_of(o, muon ? rate * o->adam_share : rate, (double)(t->n_steps + 1)),
        .rate = rate,
    };
    t->gradient_norm = global_norm(t);
    t->n_steps++;
    if (!isfinite(t->gradient_norm))
        return; /* skips a bad step rather than lose the model */
    if (o->clip > 0.0f && t->gradient_norm > o->clip)
        job.adam.grad_scale = o->clip / t->gradient_norm;
    pool_run(t->pool, update_task, &job, t->n_matrices + t->n_spans);
}
