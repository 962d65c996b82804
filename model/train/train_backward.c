/* The network backwards. The residual stream's gradient lives in
 * deltas.stream and every branch adds to it. Gradients that the weights need
 * whole are kept for the batch, then each layer's weights are done in one job. */
#include "model/train/train_internal.h"

#include <string.h>

/* Adds a norm's input gradient to the stream; leaves this block's share of the
 * norm's own gradients in norm_parts. */
static void norm_backward(const struct trainer *t, int block, const float *dy,
                          const float *x, const float *stats, const float *w)
{
    int d = t->config.d_model;
    size_t from = (size_t)block * BLOCK_ROWS;
    float *part = t->norm_parts + (size_t)block * 2 * d;
    t->kernels->layer_norm_backward(t->deltas.stream + from * d, part, part + d, dy,
                                    x + from * d, stats + from * 2, w,
                                    trainer_block_rows(t, block), d);
}

static void add_up_norm(struct trainer *t, const float *w, const float *b)
{
    int d = t->config.d_model, blocks = trainer_n_blocks(t);
    t->kernels->sum_columns(trainer_gradient_of(t, w), t->norm_parts, 2 * d, blocks, d);
    t->kernels->sum_columns(trainer_gradient_of(t, b), t->norm_parts + d, 2 * d, blocks,
                            d);
}

/* The same where the norm stands in the stream: its input's gradient takes the place
 * of its output's. */
static void leave_task(void *arg, int block, int thread)
{
    const struct layer_job *job = arg;
    const struct trainer *t = job->t;
    const struct branch *b = &t->kept[job->layer].branches[job->which];
    size_t n = (size_t)trainer_block_rows(t, block) * t->config.d_model;
    float *stream = t->deltas.stream + (size_t)block * BLOCK_ROWS * t->config.d_model;
    float *dy = t->scratch[thread].rows;
    memcpy(dy, stream, n * sizeof *dy);
    memset(stream, 0, n * sizeof *stream);
    norm_backward(t, block, dy, b->sum, b->stats,
                  branch_norm(t, job->layer, job->which).w);
}

static void add_to_stream(const struct trainer *t, int block, const float *gradient)
{
    float *stream = t->deltas.stream + (size_t)block * BLOCK_ROWS * t->config.d_model;
    t->kernels->add_dropped(stream, stream, gradient,
                            (size_t)trainer_block_rows(t, block) * t->config.d_model,
                            (struct dropout){.scale = 1.0f}, 0);
}

void branch_enter_backward(const struct trainer *t, int layer, int which, int block,
                           const float *d_input)
{
    const struct branch *b = &t->kept[layer].branches[which];
    if (t->config.norm == NORM_POST)
        add_to_stream(t, block, d_input);
    else
        norm_backward(t, block, d_input, b->in, b->stats,
                      branch_norm(t, layer, which).w);
}

void last_norm_backward(const struct trainer *t, int block, const float *d_normed)
{
    size_t n = (size_t)trainer_block_rows(t, block) * t->config.d_model;
    float *stream = t->deltas.stream + (size_t)block * BLOCK_ROWS * t->config.d_model;
    if (t->config.norm == NORM_POST) {
        memcpy(stream, d_normed, n * sizeof *stream);
        return;
    }
    memset(stream, 0, n * sizeof *stream);
    norm_backward(t, block, d_normed, t->x_last, t->stats_last, t->at.norm_w);
}

void last_norm_add_up(struct trainer *t)
{
    if (t->at.norm_w)
        add_up_norm(t, t->at.norm_w, t->at.norm_b);
}

static void head_task(void *arg, int block, int thread)
{
    const struct layer_job *job = arg;
    struct trainer *t = job->t;
    int rows = trainer_block_rows(t, block), d = t->config.d_model;
    size_t from = (size_t)block * BLOCK_ROWS;
    float *d_normed = t->scratch[thread].rows;
    linear_backward(t, thread, d_normed, t->logits + from * t->ld_logits, t->ld_logits,
                    t->at.head, rows, d, t->config.vocab);
    last_norm_backward(t, block, d_normed);
}

/* Through the feed-forward branch, to what it reads. */
static void feed_task(void *arg, int block, int thread)
{
    const struct layer_job *job = arg;
    const struct trainer *t = job->t;
    const struct layer_weights *w = &t->at.layers[job->layer];
    const struct layer_kept *kept = &t->kept[job->layer];
    int rows = trainer_block_rows(t, block), d = t->config.d_model, ff = t->config.d_ff;
    size_t from = (size_t)block * BLOCK_ROWS;
    float *d_feed = t->deltas.feed + from * d, *d_hidden = t->deltas.hidden + from * ff;
    float *d_input = t->scratch[thread].rows;

    t->kernels->drop(d_feed, t->deltas.stream + from * d, (size_t)rows * d,
                     trainer_dropout(t, 1 + N_BRANCHES * job->layer + BRANCH_FEED),
                     (uint32_t)(from * d));
    linear_backward(t, thread, d_hidden, d_feed, d, w->ff2_w, rows, ff, d);
    activation_backward(t, d_hidden, kept->slope ? kept->slope + from * ff : NULL,
                        kept->hidden + from * ff, (size_t)rows * ff);
    linear_backward(t, thread, d_input, d_hidden, ff, w->ff1_w, rows, d, ff);
    branch_enter_backward(t, job->layer, BRANCH_FEED, block, d_input);
}

/* To what was mixed; without an output projection the branch is just that. */
static void out_task(void *arg, int block, int thread)
{
    const struct layer_job *job = arg;
    const struct trainer *t = job->t;
    const float *w = t->at.layers[job->layer].out_w;
    int rows = trainer_block_rows(t, block), d = t->config.d_model;
    size_t at = (size_t)block * BLOCK_ROWS * d;
    float *d_out = (w ? t->deltas.out : t->deltas.mixed) + at;

    t->kernels->drop(d_out, t->deltas.stream + at, (size_t)rows * d,
                     trainer_dropout(t, 1 + N_BRANCHES * job->layer + BRANCH_MIX),
                     (uint32_t)at);
    if (w)
        linear_backward(t, thread, t->deltas.mixed + at, d_out, d, w, rows, d, d);
}

static void project_task(void *arg, int block, int thread)
{
    const struct layer_job *job = arg;
    const struct trainer *t = job->t;
    const struct layer_weights *w = &t->at.layers[job->layer];
    int rows = trainer_block_rows(t, block), d = t->config.d_model;
    int width = w->qkv_w ? 3 * d : 2 * d;
    size_t from = (size_t)block * BLOCK_ROWS;
    float *d_input = t->scratch[thread].rows, *d_qkv = t->deltas.qkv + from * width;

    trainer_turn(t, d_qkv, from, rows, true);
    linear_backward(t, thread, d_input, d_qkv, width, w->qkv_w ? w->qkv_w : t->waves,
                    rows, d, width);
    branch_enter_backward(t, job->layer, BRANCH_MIX, block, d_input);
}

static void layer_gradients(struct trainer *t, int layer)
{
    const struct layer_weights *w = &t->at.layers[layer];
    const struct layer_kept *kept = &t->kept[layer];
    const struct layer_deltas *delta = &t->deltas;
    int d = t->config.d_model, ff = t->config.d_ff;
    struct linear_gradient g[4] = {
        {trainer_gradient_of(t, w->ff2_w), trainer_gradient_of(t, w->ff2_b),
         delta->feed, kept->hidden, d, ff, d},
        {trainer_gradient_of(t, w->ff1_w), trainer_gradient_of(t, w->ff1_b),
         delta->hidden, branch_input(t, &kept->branches[BRANCH_FEED]), ff, d, ff},
    };
    int n = 2;
    if (w->qkv_w) {
        g[n++] = (struct linear_gradient){trainer_gradient_of(t, w->qkv_w),
                                          trainer_gradient_of(t, w->qkv_b),
                                          delta->qkv,
                                          branch_input(t, &kept->branches[BRANCH_MIX]),
                                          3 * d,
                                          d,
                                          3 * d};
        g[n++] = (struct linear_gradient){trainer_gradient_of(t, w->out_w),
                                          trainer_gradient_of(t, w->out_b),
                                          delta->out,
                                          kept->mixed,
                                          d,
                                          d,
                                          d};
    }
    linear_gradients(t, g, n);
}

static void mix_backward(struct trainer *t, int layer)
{
    if (t->config.mixing == MIXING_FOURIER)
        fourier_backward(t, layer);
    else
        attention_backward(t, layer);
}

/* A norm's own gradients are added up before norm_parts are used again. */
static void add_up_branch(struct trainer *t, int layer, int which)
{
    struct norm_weights n = branch_norm(t, layer, which);
    add_up_norm(t, n.w, n.b);
}

/* Before a branch is gone through backwards: the norm that followed it. */
void branch_leave_backward(struct trainer *t, int layer, int which)
{
    struct layer_job job = {t, layer, which};
    if (t->config.norm == NORM_PRE)
        return;
    pool_run(t->pool, leave_task, &job, trainer_n_blocks(t));
    add_up_branch(t, layer, which);
}

/* And after: the norm that it began with. */
void branch_entered_backward(struct trainer *t, int layer, int which)
{
    if (t->config.norm == NORM_PRE)
        add_up_branch(t, layer, which);
}

static void layer_backward(struct trainer *t, int layer)
{
    struct layer_job job = {t, layer, 0};
    const int blocks = trainer_n_blocks(t);

    linear_pack_layer(t, layer, false);
    branch_leave_backward(t, layer, BRANCH_FEED);
    pool_run(t->pool, feed_task, &job, blocks);
    branch_entered_backward(t, layer, BRANCH_FEED);

    if (t->encoder)
        cross_backward(t, layer);

    branch_leave_backward(t, layer, BRANCH_MIX);
    pool_run(t->pool, out_task, &job, blocks);
    mix_backward(t, layer);
    trainer_values_backward(t, layer);
    pool_run(t->pool, project_task, &job, blocks);
    branch_entered_backward(t, layer, BRANCH_MIX);
    layer_gradients(t, layer);
    if (t->encoder)
        cross_gradients(t, layer);
}

static void head_backward(struct trainer *t)
{
    struct layer_job job = {.t = t};
    struct linear_gradient g = {
        .dw = trainer_gradient_of(t, t->at.head),
        .dy = t->logits,
        .x = t->config.norm == NORM_POST ? t->x_last : t->normed_last,
        .ld_dy = t->ld_logits,
        .n_in = t->config.d_model,
        .n_out = t->config.vocab,
    };
    linear_pack_head(t, false);
    pool_run(t->pool, head_task, &job, trainer_n_blocks(t));
    last_norm_add_up(t);
    linear_gradients(t, &g, 1);
}

/* What the embeddings' gradients are added to: the head has set its own. */
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
    head_backward(t);
    if (t->encoder)
        memset(t->encoder->deltas.stream, 0,
               (size_t)trainer_n_rows(t->encoder) * t->config.d_model * sizeof(float));
    train_layers_backward(t);
    clear_embeddings(t);
    trainer_embed_backward(t);
    if (t->encoder)
        encoder_backward(t);
}
