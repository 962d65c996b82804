/* The forward pass, by blocks of rows. All work between two attentions is one task, so
 * that a block stays in one thread's cache. */
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

float *branch_output(const struct trainer *t, const struct branch *b)
{
    return t->config.norm == NORM_PRE ? b->sum : b->normed;
}

struct branch_weights branch_weights(const struct trainer *t, int layer, int which)
{
    const struct layer_weights *w = &t->at.layers[layer];
    if (which == BRANCH_MIX)
        return (struct branch_weights){w->norm1_w, w->norm1_b, w->out_w, w->out_b};
    if (which == BRANCH_CROSS)
        return (struct branch_weights){w->norm_cross_w, w->norm_cross_b, w->cross_out_w,
                                       w->cross_out_b};
    return (struct branch_weights){w->norm2_w, w->norm2_b, w->ff2_w, w->ff2_b};
}

/* x = the embedding of the row's token + its position + the rows of its state. Sets the
 * row's rotations as well. */
static void embed_row(const struct trainer *t, float *x, int row)
{
    int d = t->config.d_model, e = d / t->config.n_heads;
    int index = row % t->options.length;
    int32_t token = t->pass.tokens[row] < 0 ? 0 : t->pass.tokens[row]; /* padding */
    memcpy(x, t->at.token + (size_t)token * d, d * sizeof *x);
    if (t->config.position == POSITION_SINUSOIDAL)
        position_add_sinusoid(x, index, d);
    for (int i = 0; t->at.position && i < d; i++)
        x[i] += t->at.position[(size_t)index * d + i];
    trainer_add_state(t, x, row);
    if (t->rotations)
        position_set_rotation(t->rotations + (size_t)row * e, &t->config, index,
                              trainer_time(t, row));
    if (t->cross_rotations)
        position_set_rotation(t->cross_rotations + (size_t)row * e, &t->config, 0,
                              trainer_time(t, row));
}

static void embed_task(void *arg, int index, int thread)
{
    const struct block b = block_of(arg, index, thread);
    float *x = b.t->x_first + b.from * b.d;
    for (int r = 0; r < b.rows; r++)
        embed_row(b.t, x + (size_t)r * b.d, (int)b.from + r);
    b.t->k->drop(x, x, (size_t)b.rows * b.d, trainer_dropout(b.t, 0),
                 (uint32_t)(b.from * b.d));
}

void trainer_embed(struct trainer *t)
{
    struct layer_job job = {.t = t};
    pool_run(t->pool, embed_task, &job, trainer_n_blocks(t));
    relative_find_buckets(t);
}

void rotate_heads(const struct trainer *t, float *x, int ld, int n_heads,
                  const float *rotations, size_t from, int rows, bool back)
{
    int e = t->config.d_model / t->config.n_heads;
    t->k->rotate(x, ld, n_heads, rotations ? rotations + from * e : NULL, e, rows,
                 back);
}

static void norm_rows(const struct block *b, int which)
{
    const struct branch *branch = &b->kept->branches[which];
    const float *x = b->t->config.norm == NORM_PRE ? branch->in : branch->sum;
    struct branch_weights w = branch_weights(b->t, b->layer, which);
    size_t at = b->from * b->d;
    b->t->k->layer_norm(branch->normed + at, branch->stats + b->from * 2, x + at,
                        w.norm_w, w.norm_b, b->rows, b->d);
}

/* Applies the norm before a branch, if there is one. Returns the rows that the branch
 * reads. */
const float *branch_enter(const struct block *b, int which)
{
    if (b->t->config.norm == NORM_PRE)
        norm_rows(b, which);
    return branch_input(b->t, &b->kept->branches[which]) + b->from * b->d;
}

/* Adds a branch's output to the stream, after dropout, and applies the norm after it, if
 * there is one. */
void branch_leave(const struct block *b, int which, const float *out)
{
    const struct branch *branch = &b->kept->branches[which];
    size_t at = b->from * b->d;
    b->t->k->add_dropped(branch->sum + at, branch->in + at, out, (size_t)b->rows * b->d,
                         trainer_dropout(b->t, 1 + N_BRANCHES * b->layer + which),
                         (uint32_t)at);
    if (b->t->config.norm == NORM_POST)
        norm_rows(b, which);
}

static void project_task(void *arg, int index, int thread)
{
    const struct block b = block_of(arg, index, thread);
    const int d = b.d, width = b.w->qkv_w ? 3 * d : 2 * d;
    float *qkv = b.kept->attention[BRANCH_MIX].q + b.from * width;
    linear_forward(&b, qkv, width, branch_enter(&b, BRANCH_MIX),
                   b.w->qkv_w ? b.w->qkv_w : b.t->waves, b.w->qkv_b, d, width);
    if (!b.w->qkv_w)
        return;
    trainer_add_values(b.t, b.layer, qkv, b.from, b.rows);
    rotate_heads(b.t, qkv, width, 2 * b.t->config.n_heads, b.t->rotations, b.from,
                 b.rows, false);
}

/* Adds the mixed rows to the stream, after the output projection if there is one. */
void join_task(void *arg, int index, int thread)
{
    const struct layer_job *job = arg;
    const struct block b = block_of(arg, index, thread);
    const struct branch_weights w = branch_weights(b.t, b.layer, job->which);
    const float *mixed = b.kept->attention[job->which].mixed + b.from * b.d;
    if (w.out_w)
        linear_forward(&b, b.room, b.d, mixed, w.out_w, w.out_b, b.d, b.d);
    branch_leave(&b, job->which, w.out_w ? b.room : mixed);
}

/* The feed-forward branch. GELU's input becomes its slope; ReLU's slope follows from its
 * output. */
static void feed_task(void *arg, int index, int thread)
{
    const struct block b = block_of(arg, index, thread);
    const int ff = b.t->config.d_ff;
    float *hidden = b.kept->hidden + b.from * ff;
    float *inner = b.kept->slope ? b.kept->slope + b.from * ff : hidden;
    linear_forward(&b, inner, ff, branch_enter(&b, BRANCH_FEED), b.w->ff1_w, b.w->ff1_b,
                   b.d, ff);
    if (b.t->config.activation == ACTIVATION_RELU)
        b.t->k->relu(hidden, b.rows * ff);
    else
        b.t->k->gelu_slope(hidden, inner, (size_t)b.rows * ff);
    linear_forward(&b, b.room, b.d, hidden, b.w->ff2_w, b.w->ff2_b, ff, b.d);
    branch_leave(&b, BRANCH_FEED, b.room);
}

/* The work between two attentions: a block of rows stays in one thread's cache. */
static void join_and_feed_task(void *arg, int block, int thread)
{
    join_task(arg, block, thread);
    feed_task(arg, block, thread);
}

const float *last_norm(const struct block *b)
{
    const struct trainer *t = b->t;
    size_t at = b->from * b->d;
    if (t->config.norm == NORM_POST)
        return t->x_last + at;
    t->k->layer_norm(t->normed_last + at, t->stats_last + b->from * 2, t->x_last + at,
                     t->at.norm_w, t->at.norm_b, b->rows, b->d);
    return t->normed_last + at;
}

/* Computes logits and from them the nats and, in place, the logits' gradient. */
static void head_task(void *arg, int index, int thread)
{
    const struct block b = block_of(arg, index, thread);
    struct trainer *t = b.t;
    const int ld = t->ld_logits, vocab = t->config.vocab;
    float *logits = t->logits + b.from * ld;
    linear_forward(&b, logits, ld, last_norm(&b), t->at.head, NULL, b.d, vocab);
    for (size_t row = b.from; row < b.from + (size_t)b.rows; row++, logits += ld) {
        int target = t->pass.targets[row];
        t->nats[row] = 0.0f;
        if (target >= 0)
            t->nats[row] =
                t->k->cross_entropy(logits, vocab, ld, target, t->pass.loss_scale);
        else
            memset(logits, 0, ld * sizeof *logits);
    }
}

void train_layers_forward(struct trainer *t)
{
    struct layer_job job = {.t = t};
    struct linear all[MAX_LINEAR];
    int blocks = trainer_n_blocks(t);
    for (; job.layer < t->config.n_layers; job.layer++) {
        linear_list(t, job.layer, all);
        linear_pack(t, all, MAX_LINEAR, true);
        pool_run(t->pool, project_task, &job, blocks);
        if (t->config.mixing == MIXING_FOURIER)
            fourier_forward(t, job.layer);
        else
            attention_forward(t, job.layer, BRANCH_MIX);
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
    const struct linear head = linear_head(t);
    trainer_embed(t);
    if (t->encoder)
        encoder_forward(t);
    train_layers_forward(t);
    linear_pack(t, &head, 1, true);
    pool_run(t->pool, head_task, &job, trainer_n_blocks(t));
}
