/* The backward pass. deltas.stream is the gradient of the residual stream, to which every
 * branch adds. The gradients that a layer's weight gradients need are kept for the whole
 * batch; then one job computes the weight gradients of the layer. */
#include "model/kernels/kernels.h"
#include "model/train/train_internal.h"

#include <string.h>

static float *stream_of(const struct block *b)
{
    return b->t->deltas.stream + b->from * b->d;
}

static size_t n_numbers(const struct block *b)
{
    return (size_t)b->rows * b->d;
}

/* Adds the gradient of a norm's input to the stream. Stores this block's part of the
 * gradients of the norm's weights in norm_parts. */
static void norm_backward(const struct block *b, const float *dy, const float *x,
                          const float *stats, const float *w)
{
    float *part = b->t->norm_parts + (size_t)b->index * 2 * b->d;
    b->t->k->layer_norm_backward(stream_of(b), part, part + b->d, dy,
                                 x + b->from * b->d, stats + b->from * 2, w, b->rows,
                                 b->d);
}

/* Sums the gradients of a norm's weights, before norm_parts is used again. */
static void add_up_norm(struct trainer *t, const float *w, const float *b)
{
    int d = t->config.d_model, blocks = trainer_n_blocks(t);
    t->k->sum_columns(trainer_gradient_of(t, w), t->norm_parts, 2 * d, blocks, d);
    t->k->sum_columns(trainer_gradient_of(t, b), t->norm_parts + d, 2 * d, blocks, d);
}

static void add_up_branch(struct trainer *t, int layer, int which)
{
    const struct branch_weights w = branch_weights(t, layer, which);
    add_up_norm(t, w.norm_w, w.norm_b);
}

/* Norm "post": replaces the gradient of the norm's output, in the stream, by that of its
 * input. */
static void leave_task(void *arg, int index, int thread)
{
    const struct layer_job *job = arg;
    const struct block b = block_of(arg, index, thread);
    const struct branch *branch = &b.kept->branches[job->which];
    memcpy(b.room, stream_of(&b), n_numbers(&b) * sizeof *b.room);
    memset(stream_of(&b), 0, n_numbers(&b) * sizeof *b.room);
    norm_backward(&b, b.room, branch->sum, branch->stats,
                  branch_weights(b.t, b.layer, job->which).norm_w);
}

void branch_drop_backward(const struct block *b, int which, float *to)
{
    b->t->k->drop(to, stream_of(b), n_numbers(b),
                  trainer_dropout(b->t, 1 + N_BRANCHES * b->layer + which),
                  (uint32_t)(b->from * b->d));
}

void branch_enter_backward(const struct block *b, int which, const float *d_input)
{
    const struct branch *branch = &b->kept->branches[which];
    if (b->t->config.norm == NORM_POST)
        b->t->k->add(stream_of(b), d_input, (int)n_numbers(b));
    else
        norm_backward(b, d_input, branch->in, branch->stats,
                      branch_weights(b->t, b->layer, which).norm_w);
}

void last_norm_backward(const struct block *b, const float *d_normed)
{
    const struct trainer *t = b->t;
    const size_t n_bytes = n_numbers(b) * sizeof(float);
    if (t->config.norm == NORM_POST) {
        memcpy(stream_of(b), d_normed, n_bytes);
        return;
    }
    memset(stream_of(b), 0, n_bytes);
    norm_backward(b, d_normed, t->x_last, t->stats_last, t->at.norm_w);
}

void last_norm_add_up(struct trainer *t)
{
    if (t->at.norm_w)
        add_up_norm(t, t->at.norm_w, t->at.norm_b);
}

static void head_task(void *arg, int index, int thread)
{
    const struct block b = block_of(arg, index, thread);
    const int ld = b.t->ld_logits;
    linear_backward(&b, b.room, b.t->logits + b.from * ld, ld, b.t->at.head, b.d,
                    b.t->config.vocab);
    last_norm_backward(&b, b.room);
}

/* The feed-forward branch, from the gradient of its output to that of its input. */
static void feed_task(void *arg, int index, int thread)
{
    const struct block b = block_of(arg, index, thread);
    const struct kernels *k = b.t->k;
    const int ff = b.t->config.d_ff;
    const size_t at = b.from * ff, n = (size_t)b.rows * ff;
    float *d_feed = b.t->deltas.feed + b.from * b.d,
          *d_hidden = b.t->deltas.hidden + at;
    branch_drop_backward(&b, BRANCH_FEED, d_feed);
    linear_backward(&b, d_hidden, d_feed, b.d, b.w->ff2_w, ff, b.d);
    if (b.t->config.activation == ACTIVATION_RELU)
        k->relu_backward(d_hidden, b.kept->hidden + at, n);
    else
        k->multiply_each(d_hidden, b.kept->slope + at, n);
    linear_backward(&b, b.room, d_hidden, ff, b.w->ff1_w, b.d, ff);
    branch_enter_backward(&b, BRANCH_FEED, b.room);
}

/* Without an output projection the gradient of `mixed` is that of the branch's output. */
void join_backward_task(void *arg, int index, int thread)
{
    const struct layer_job *job = arg;
    const struct block b = block_of(arg, index, thread);
    const float *w = branch_weights(b.t, b.layer, job->which).out_w;
    const struct attention *delta = &b.t->deltas.attention[job->which];
    const size_t at = b.from * b.d;
    branch_drop_backward(&b, job->which, (w ? delta->out : delta->mixed) + at);
    if (w)
        linear_backward(&b, delta->mixed + at, delta->out + at, b.d, w, b.d, b.d);
}

static void project_task(void *arg, int index, int thread)
{
    const struct block b = block_of(arg, index, thread);
    const int width = b.w->qkv_w ? 3 * b.d : 2 * b.d;
    float *d_qkv = b.t->deltas.attention[BRANCH_MIX].q + b.from * width;
    rotate_heads(b.t, d_qkv, width, 2 * b.t->config.n_heads, b.t->rotations, b.from,
                 b.rows, true);
    linear_backward(&b, b.room, d_qkv, width, b.w->qkv_w ? b.w->qkv_w : b.t->waves, b.d,
                    width);
    branch_enter_backward(&b, BRANCH_MIX, b.room);
}

/* Before the backward pass of a branch: passes through the norm after it. */
void branch_leave_backward(struct trainer *t, int layer, int which)
{
    struct layer_job job = {t, layer, which};
    if (t->config.norm == NORM_PRE)
        return;
    pool_run(t->pool, leave_task, &job, trainer_n_blocks(t));
    add_up_branch(t, layer, which);
}

/* After the backward pass of a branch: sums the gradients of the norm before it. */
void branch_entered_backward(struct trainer *t, int layer, int which)
{
    if (t->config.norm == NORM_PRE)
        add_up_branch(t, layer, which);
}

static void layer_backward(struct trainer *t, int layer)
{
    struct layer_job job = {t, layer, BRANCH_MIX};
    const int blocks = trainer_n_blocks(t);
    struct linear all[MAX_LINEAR];

    linear_list(t, layer, all);
    linear_pack(t, all, MAX_LINEAR, false);
    branch_leave_backward(t, layer, BRANCH_FEED);
    pool_run(t->pool, feed_task, &job, blocks);
    branch_entered_backward(t, layer, BRANCH_FEED);

    if (t->encoder)
        cross_backward(t, layer);

    branch_leave_backward(t, layer, BRANCH_MIX);
    pool_run(t->pool, join_backward_task, &job, blocks);
    if (t->config.mixing == MIXING_FOURIER)
        fourier_backward(t, layer);
    else
        attention_backward(t, layer, BRANCH_MIX);
    trainer_values_backward(t, layer);
    pool_run(t->pool, project_task, &job, blocks);
    branch_entered_backward(t, layer, BRANCH_MIX);
    linear_gradients(t, all, MAX_LINEAR);
}

/* Clears the gradients of the tables of embeddings, to which rows are added. A tied head
 * has set those of the tokens already. */
static void clear_embeddings(struct trainer *t)
{
    int d = t->config.d_model;
    float *token = trainer_gradient_of(t, t->at.token);
    if (t->at.head != t->at.token)
        memset(token, 0, (size_t)t->config.vocab * d * sizeof *token);
    if (t->at.state)
        memset(trainer_gradient_of(t, t->at.state), 0,
               (size_t)t->config.state * d * sizeof *token);
    if (t->at.position)
        memset(trainer_gradient_of(t, t->at.position), 0,
               (size_t)t->config.context * d * sizeof *token);
}

void train_layers_backward(struct trainer *t)
{
    for (int layer = t->config.n_layers - 1; layer >= 0; layer--)
        layer_backward(t, layer);
}

void train_backward(struct trainer *t)
{
    struct layer_job job = {.t = t};
    const struct linear head = linear_head(t);
    linear_pack(t, &head, 1, false);
    pool_run(t->pool, head_task, &job, trainer_n_blocks(t));
    last_norm_add_up(t);
    linear_gradients(t, &head, 1);
    if (t->encoder)
        memset(t->encoder->deltas.stream, 0,
               (size_t)trainer_n_rows(t->encoder) * t->config.d_model * sizeof(float));
    train_layers_backward(t);
    clear_embeddings(t);
    trainer_embed_backward(t);
    if (t->encoder)
        encoder_backward(t);
}
