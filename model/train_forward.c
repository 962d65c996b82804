/* The network forwards, block of rows by block of rows: everything between
 * two attentions stays in one thread's cache. */
#include "model/train_internal.h"

#include <math.h>
#include <string.h>

/* x = token_embedding[id] + position_embedding[place] */
static void embed_row(const struct trainer *t, float *x, int row)
{
    int d = t->config.d_model;
    const float *token = t->at.token + (size_t)t->pass.tokens[row] * d;
    memcpy(x, token, (size_t)d * sizeof *x);
    if (!t->at.position)
        return;
    const float *place = t->at.position + (size_t)(row % t->options.length) * d;
    for (int i = 0; i < d; i++)
        x[i] += place[i];
}

static void embed_task(void *arg, int block, int thread)
{
    const struct layer_job *job = arg;
    const struct trainer *t = job->t;
    int from = block * BLOCK_ROWS, rows = trainer_block_rows(t, block),
        d = t->config.d_model;
    float *x = t->kept[0].x + (size_t)from * d;
    (void)thread;

    for (int r = 0; r < rows; r++)
        embed_row(t, x + (size_t)r * d, from + r);
    t->kernels->drop(x, x, (size_t)rows * d, trainer_dropout(t, 0), (uint32_t)from * d);
}

static void project_task(void *arg, int block, int thread)
{
    const struct layer_job *job = arg;
    const struct trainer *t = job->t;
    const struct layer_weights *w = &t->at.layers[job->layer];
    const struct layer_kept *kept = &t->kept[job->layer];
    size_t from = (size_t)block * BLOCK_ROWS;
    int rows = trainer_block_rows(t, block), d = t->config.d_model;

    t->kernels->layer_norm(kept->normed1 + from * d, kept->stats1 + from * 2,
                           kept->x + from * d, w->norm1_w, w->norm1_b, rows, d);
    linear_forward(t, thread, kept->qkv + from * 3 * d, 3 * d, kept->normed1 + from * d,
                   w->qkv_w, w->qkv_b, rows, d, 3 * d);
}

/* The feed-forward branch: its output, before dropout, goes to `out`. */
static void feed(const struct trainer *t, int thread, const struct layer_weights *w,
                 const struct layer_kept *kept, size_t from, int rows, float *out)
{
    int d = t->config.d_model, ff = t->config.d_ff;
    float *hidden = kept->hidden + from * ff;
    float *inner = kept->inner ? kept->inner + from * ff : hidden;

    t->kernels->layer_norm(kept->normed2 + from * d, kept->stats2 + from * 2,
                           kept->x_mid + from * d, w->norm2_w, w->norm2_b, rows, d);
    linear_forward(t, thread, inner, ff, kept->normed2 + from * d, w->ff1_w, w->ff1_b,
                   rows, d, ff);
    activation_forward(t, hidden, inner, (size_t)rows * ff);
    linear_forward(t, thread, out, d, hidden, w->ff2_w, w->ff2_b, rows, ff, d);
}

static void feed_task(void *arg, int block, int thread)
{
    const struct layer_job *job = arg;
    const struct trainer *t = job->t;
    int layer = job->layer, rows = trainer_block_rows(t, block), d = t->config.d_model;
    const struct layer_weights *w = &t->at.layers[layer];
    const struct layer_kept *kept = &t->kept[layer];
    float *branch = t->scratch[thread].rows;
    float *x_next = layer + 1 < t->config.n_layers ? t->kept[layer + 1].x : t->x_last;
    size_t from = (size_t)block * BLOCK_ROWS, at = from * d, n = (size_t)rows * d;

    linear_forward(t, thread, branch, d, kept->mixed + at, w->out_w, w->out_b, rows, d,
                   d);
    t->kernels->add_dropped(kept->x_mid + at, kept->x + at, branch, n,
                            trainer_dropout(t, 1 + 2 * layer), (uint32_t)at);
    feed(t, thread, w, kept, from, rows, branch);
    t->kernels->add_dropped(x_next + at, kept->x_mid + at, branch, n,
                            trainer_dropout(t, 2 + 2 * layer), (uint32_t)at);
}

/* Logits become nats and, in the same memory, the logits' gradient. */
static void head_task(void *arg, int block, int thread)
{
    const struct layer_job *job = arg;
    struct trainer *t = job->t;
    int rows = trainer_block_rows(t, block), d = t->config.d_model, ld = t->ld_logits;
    size_t from = (size_t)block * BLOCK_ROWS;
    float *logits = t->logits + from * ld;

    t->kernels->layer_norm(t->normed_last + from * d, t->stats_last + from * 2,
                           t->x_last + from * d, t->at.norm_w, t->at.norm_b, rows, d);
    linear_forward(t, thread, logits, ld, t->normed_last + from * d, t->at.head, NULL,
                   rows, d, t->config.vocab);
    for (int r = 0; r < rows; r++, logits += ld) {
        int target = t->pass.targets[from + r];
        t->nats[from + r] = 0.0f;
        if (target >= 0)
            t->nats[from + r] = t->kernels->cross_entropy(logits, t->config.vocab, ld,
                                                          target, t->pass.loss_scale);
        else
            memset(logits, 0, (size_t)ld * sizeof *logits);
    }
}

/* GELU as PyTorch means it by default: x times the normal distribution. */
static float gelu(float x)
{
    return 0.5f * x * (1.0f + erff(x * 0.70710678f));
}

static float gelu_slope(float x)
{
    return 0.5f * (1.0f + erff(x * 0.70710678f)) +
           x * 0.39894228f * expf(-0.5f * x * x);
}

void activation_forward(const struct trainer *t, float *hidden, const float *inner,
                        size_t n)
{
    if (t->config.activation == ACTIVATION_RELU) {
        t->kernels->relu(hidden, n);
        return;
    }
    for (size_t i = 0; i < n; i++)
        hidden[i] = gelu(inner[i]);
}

void activation_backward(const struct trainer *t, float *d_hidden, const float *inner,
                         const float *hidden, size_t n)
{
    if (t->config.activation == ACTIVATION_RELU) {
        t->kernels->relu_backward(d_hidden, hidden, n);
        return;
    }
    for (size_t i = 0; i < n; i++)
        d_hidden[i] *= gelu_slope(inner[i]);
}

void train_forward(struct trainer *t)
{
    struct layer_job job = {t, 0};
    int blocks = trainer_n_blocks(t);

    pool_run(t->pool, embed_task, &job, blocks);
    for (; job.layer < t->config.n_layers; job.layer++) {
        pool_run(t->pool, project_task, &job, blocks);
        attention_forward(t, job.layer);
        pool_run(t->pool, feed_task, &job, blocks);
    }
    pool_run(t->pool, head_task, &job, blocks);
}
