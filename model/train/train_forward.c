/* The network forwards, block of rows by block of rows: everything between
 * two attentions stays in one thread's cache. */
#include "model/kernels/kernels.h"
#include "model/decoder/position.h"
#include "model/train/train_internal.h"

#include <string.h>

int32_t trainer_time(const struct trainer *t, int row)
{
    return t->pass.times ? t->pass.times[row] : row % t->options.length;
}

float *branch_input(const struct trainer *t, const struct branch *b)
{
    return t->config.norm == NORM_PRE ? b->normed : b->in;
}

/* What its norm reads. */
static const float *branch_norm_input(const struct trainer *t, const struct branch *b)
{
    return t->config.norm == NORM_PRE ? b->in : b->sum;
}

float *branch_output(const struct trainer *t, const struct branch *b)
{
    return t->config.norm == NORM_PRE ? b->sum : b->normed;
}

struct norm_weights branch_norm(const struct trainer *t, int layer, int which)
{
    const struct layer_weights *w = &t->at.layers[layer];
    if (which == BRANCH_MIX)
        return (struct norm_weights){w->norm1_w, w->norm1_b};
    if (which == BRANCH_CROSS)
        return (struct norm_weights){w->norm_cross_w, w->norm_cross_b};
    return (struct norm_weights){w->norm2_w, w->norm2_b};
}

/* x = token_embedding[id], its place and its state. */
static void embed_row(const struct trainer *t, float *x, int row)
{
    int d = t->config.d_model, e = d / t->config.n_heads;
    int index = row % t->options.length;
    int32_t token = t->pass.tokens[row] < 0 ? 0 : t->pass.tokens[row]; /* 0: not seen */
    memcpy(x, t->at.token + (size_t)token * d, (size_t)d * sizeof *x);
    if (t->config.position == POSITION_SINUSOIDAL)
        position_add_sinusoid(x, index, d);
    for (int i = 0; t->at.position && i < d; i++)
        x[i] += t->at.position[(size_t)index * d + i];
    trainer_add_state(t, x, row);
    if (t->turns)
        position_set_turns(t->turns + (size_t)row * e, &t->config, index,
                           trainer_time(t, row));
    if (t->cross_turns)
        position_set_turns(t->cross_turns + (size_t)row * e, &t->config, 0,
                           trainer_time(t, row));
}

static void embed_task(void *arg, int block, int thread)
{
    const struct layer_job *job = arg;
    const struct trainer *t = job->t;
    int from = block * BLOCK_ROWS, rows = trainer_block_rows(t, block),
        d = t->config.d_model;
    float *x = t->x_first + (size_t)from * d;
    (void)thread;

    for (int r = 0; r < rows; r++)
        embed_row(t, x + (size_t)r * d, from + r);
    t->kernels->drop(x, x, (size_t)rows * d, trainer_dropout(t, 0), (uint32_t)from * d);
}

void trainer_embed(struct trainer *t)
{
    struct layer_job job = {.t = t};
    pool_run(t->pool, embed_task, &job, trainer_n_blocks(t));
    relation_find_buckets(t);
}

void turn_heads(const struct trainer *t, float *x, int ld, int n_heads,
                const float *turns, int rows, bool back)
{
    int e = t->config.d_model / t->config.n_heads;
    for (int r = 0; turns && r < rows; r++)
        for (int i = 0; i < n_heads; i++)
            t->kernels->turn(x + (size_t)r * ld + (size_t)i * e, turns + (size_t)r * e,
                             e, back);
}

void trainer_turn(const struct trainer *t, float *qkv, size_t from, int rows, bool back)
{
    int heads = t->config.n_heads, e = t->config.d_model / heads;
    if (t->turns)
        turn_heads(t, qkv, 3 * t->config.d_model, 2 * heads, t->turns + from * e, rows,
                   back);
}

static void norm_rows(const struct trainer *t, int layer, int which, size_t from,
                      int rows)
{
    const struct branch *b = &t->kept[layer].branches[which];
    struct norm_weights n = branch_norm(t, layer, which);
    size_t at = from * t->config.d_model;
    t->kernels->layer_norm(b->normed + at, b->stats + from * 2,
                           branch_norm_input(t, b) + at, n.w, n.b, rows,
                           t->config.d_model);
}

/* Before a branch; returns the rows that it reads. */
const float *branch_enter(const struct trainer *t, int layer, int which, size_t from,
                          int rows)
{
    if (t->config.norm == NORM_PRE)
        norm_rows(t, layer, which, from, rows);
    return branch_input(t, &t->kept[layer].branches[which]) + from * t->config.d_model;
}

/* After a branch, which gave `out`. */
void branch_leave(const struct trainer *t, int layer, int which, size_t from, int rows,
                  const float *out)
{
    const struct branch *b = &t->kept[layer].branches[which];
    size_t at = from * t->config.d_model;
    t->kernels->add_dropped(
        b->sum + at, b->in + at, out, (size_t)rows * t->config.d_model,
        trainer_dropout(t, 1 + N_BRANCHES * layer + which), (uint32_t)at);
    if (t->config.norm == NORM_POST)
        norm_rows(t, layer, which, from, rows);
}

static void project_task(void *arg, int block, int thread)
{
    const struct layer_job *job = arg;
    const struct trainer *t = job->t;
    const struct layer_weights *w = &t->at.layers[job->layer];
    float *qkv = t->kept[job->layer].qkv;
    size_t from = (size_t)block * BLOCK_ROWS;
    int rows = trainer_block_rows(t, block), d = t->config.d_model;
    const float *input = branch_enter(t, job->layer, BRANCH_MIX, from, rows);

    if (t->config.mixing == MIXING_FOURIER) {
        linear_forward(t, thread, qkv + from * 2 * d, 2 * d, input, t->waves, NULL,
                       rows, d, 2 * d);
        return;
    }
    linear_forward(t, thread, qkv + from * 3 * d, 3 * d, input, w->qkv_w, w->qkv_b,
                   rows, d, 3 * d);
    trainer_add_values(t, job->layer, qkv + from * 3 * d, from, rows);
    trainer_turn(t, qkv + from * 3 * d, from, rows, false);
}

/* What was mixed joins the stream; without an output projection just as it is. */
static void join_task(void *arg, int block, int thread)
{
    const struct layer_job *job = arg;
    const struct trainer *t = job->t;
    const struct layer_weights *w = &t->at.layers[job->layer];
    int rows = trainer_block_rows(t, block), d = t->config.d_model;
    size_t from = (size_t)block * BLOCK_ROWS;
    const float *mixed = t->kept[job->layer].mixed + from * d;
    float *out = t->scratch[thread].rows;
    if (w->out_w)
        linear_forward(t, thread, out, d, mixed, w->out_w, w->out_b, rows, d, d);
    branch_leave(t, job->layer, BRANCH_MIX, from, rows, w->out_w ? out : mixed);
}

/* hidden = activation(inner), and inner becomes its slope; it is hidden for ReLU. */
static void activation_forward(const struct trainer *t, float *hidden, float *inner,
                               size_t n)
{
    if (t->config.activation == ACTIVATION_RELU)
        t->kernels->relu(hidden, n);
    else
        kernels_best()->gelu_slope(hidden, inner, n);
}

static void feed_task(void *arg, int block, int thread)
{
    const struct layer_job *job = arg;
    const struct trainer *t = job->t;
    const struct layer_weights *w = &t->at.layers[job->layer];
    const struct layer_kept *kept = &t->kept[job->layer];
    int rows = trainer_block_rows(t, block), d = t->config.d_model, ff = t->config.d_ff;
    size_t from = (size_t)block * BLOCK_ROWS;
    float *hidden = kept->hidden + from * ff, *out = t->scratch[thread].rows;
    float *inner = kept->slope ? kept->slope + from * ff : hidden;

    const float *input = branch_enter(t, job->layer, BRANCH_FEED, from, rows);
    linear_forward(t, thread, inner, ff, input, w->ff1_w, w->ff1_b, rows, d, ff);
    activation_forward(t, hidden, inner, (size_t)rows * ff);
    linear_forward(t, thread, out, d, hidden, w->ff2_w, w->ff2_b, rows, ff, d);
    branch_leave(t, job->layer, BRANCH_FEED, from, rows, out);
}

/* Between two attentions a block of rows stays in one thread's cache. */
static void join_and_feed_task(void *arg, int block, int thread)
{
    join_task(arg, block, thread);
    feed_task(arg, block, thread);
}

const float *last_norm(const struct trainer *t, size_t from, int rows)
{
    int d = t->config.d_model;
    if (t->config.norm == NORM_POST)
        return t->x_last + from * d;
    t->kernels->layer_norm(t->normed_last + from * d, t->stats_last + from * 2,
                           t->x_last + from * d, t->at.norm_w, t->at.norm_b, rows, d);
    return t->normed_last + from * d;
}

/* Logits become nats and, in the same memory, the logits' gradient. */
static void head_task(void *arg, int block, int thread)
{
    const struct layer_job *job = arg;
    struct trainer *t = job->t;
    int rows = trainer_block_rows(t, block), d = t->config.d_model, ld = t->ld_logits;
    size_t from = (size_t)block * BLOCK_ROWS;
    float *logits = t->logits + from * ld;

    linear_forward(t, thread, logits, ld, last_norm(t, from, rows), t->at.head, NULL,
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

void activation_backward(const struct trainer *t, float *d_hidden, const float *slope,
                         const float *hidden, size_t n)
{
    if (t->config.activation == ACTIVATION_RELU)
        t->kernels->relu_backward(d_hidden, hidden, n);
    else
        t->kernels->multiply(d_hidden, slope, n);
}

void train_layers_forward(struct trainer *t)
{
    struct layer_job job = {.t = t};
    int blocks = trainer_n_blocks(t);
    for (; job.layer < t->config.n_layers; job.layer++) {
        linear_pack_layer(t, job.layer, true);
        pool_run(t->pool, project_task, &job, blocks);
        if (t->config.mixing == MIXING_FOURIER)
            fourier_forward(t, job.layer);
        else
            attention_forward(t, job.layer);
        if (!t->encoder) {
            pool_run(t->pool, join_and_feed_task, &job, blocks);
            continue;
        }
        pool_run(t->pool, join_task, &job, blocks);
        cross_forward(t, job.layer);
        pool_run(t->pool, feed_task, &job, blocks);
    }
}

void train_forward(struct trainer *t)
{
    struct layer_job job = {.t = t};
    trainer_embed(t);
    if (t->encoder) {
        encoder_forward(t);
        cross_find_buckets(t);
    }
    train_layers_forward(t);
    linear_pack_head(t, true);
    pool_run(t->pool, head_task, &job, trainer_n_blocks(t));
}
