/* AdamW (Loshchilov & Hutter 2019) with gradients clipped by global norm, Muon beside
 * it (train_muon.c), and the learning-rate schedule. AdamW works on spans of the
 * parameters, each within one tensor; they do not depend on the number of threads. */
#include "model/train/train_internal.h"

#include <math.h>
#include <stdlib.h>

enum model_status optimiser_plan(struct trainer *t)
{
    const size_t most = t->n_floats / SPAN + t->n_tensors;
    t->spans = calloc(most, sizeof *t->spans);
    t->span_squares = calloc(most, sizeof *t->span_squares);
    if (!t->spans || !t->span_squares)
        return MODEL_NO_MEMORY;
    for (size_t i = 0; i < t->n_tensors; i++) {
        const struct model_tensor *of = &t->tensors[i];
        const size_t n = model_tensor_size(of);
        const bool by_muon = muon_parts(t, of) > 0;
        for (size_t from = 0; from < n; from += SPAN)
            t->spans[t->n_spans++] =
                (struct span){of->offset + from, n - from < SPAN ? n - from : SPAN,
                              of->decays, by_muon};
    }
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

/* Muon's matrices are the longer tasks, so they come first. */
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
        return; /* skips a bad step rather than lose the model */
    if (o->clip > 0.0f && t->gradient_norm > o->clip)
        job.adam.grad_scale = o->clip / t->gradient_norm;
    pool_run(t->pool, update_task, &job, t->n_matrices + t->n_spans);
}
