/* The network backwards. The residual stream's gradient lives in
 * deltas.stream and every branch adds to it. Gradients that the weights need
 * whole are kept for the batch, then each layer's weights are done in one job. */
#include "model/train_internal.h"

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

static void head_task(void *arg, int block, int thread)
{
    const struct layer_job *job = arg;
    struct trainer *t = job->t;
    int rows = trainer_block_rows(t, block), d = t->config.d_model;
    size_t from = (size_t)block * BLOCK_ROWS;
    float *d_normed = t->scratch[thread].rows;

    memset(t->deltas.stream + from * d, 0, (size_t)rows * d * sizeof *t->deltas.stream);
    linear_backward(t, thread, d_normed, t->logits + from * t->ld_logits, t->ld_logits,
                    t->at.head, rows, d, t->config.vocab);
    norm_backward(t, block, d_normed, t->x_last, t->stats_last, t->at.norm_w);
}

/* Through the feed-forward branch, down to the attention branch's norm2. */
static void feed_task(void *arg, int block, int thread)
{
    const struct layer_job *job = arg;
    const struct trainer *t = job->t;
    const struct layer_weights *w = &t->at.layers[job->layer];
    const struct layer_kept *kept = &t->kept[job->layer];
    int rows = trainer_block_rows(t, block), d = t->config.d_model, ff = t->config.d_ff;
    size_t from = (size_t)block * BLOCK_ROWS;
    float *d_feed = t->deltas.feed + from * d, *d_hidden = t->deltas.hidden + from * ff;
    float *d_normed = t->scratch[thread].rows;

    t->kernels->drop(d_feed, t->deltas.stream + from * d, (size_t)rows * d,
                     trainer_dropout(t, 2 + 2 * job->layer), (uint32_t)(from * d));
    linear_backward(t, thread, d_hidden, d_feed, d, w->ff2_w, rows, ff, d);
    activation_backward(t, d_hidden, kept->inner ? kept->inner + from * ff : NULL,
                        kept->hidden + from * ff, (size_t)rows * ff);
    linear_backward(t, thread, d_normed, d_hidden, ff, w->ff1_w, rows, d, ff);
    norm_backward(t, block, d_normed, kept->x_mid, kept->stats2, w->norm2_w);
}

static void out_task(void *arg, int block, int thread)
{
    const struct layer_job *job = arg;
    const struct trainer *t = job->t;
    int rows = trainer_block_rows(t, block), d = t->config.d_model;
    size_t at = (size_t)block * BLOCK_ROWS * d;

    t->kernels->drop(t->deltas.out + at, t->deltas.stream + at, (size_t)rows * d,
                     trainer_dropout(t, 1 + 2 * job->layer), (uint32_t)at);
    linear_backward(t, thread, t->deltas.mixed + at, t->deltas.out + at, d,
                    t->at.layers[job->layer].out_w, rows, d, d);
}

static void project_task(void *arg, int block, int thread)
{
    const struct layer_job *job = arg;
    const struct trainer *t = job->t;
    const struct layer_weights *w = &t->at.layers[job->layer];
    const struct layer_kept *kept = &t->kept[job->layer];
    int d = t->config.d_model;
    size_t from = (size_t)block * BLOCK_ROWS;
    float *d_normed = t->scratch[thread].rows;

    linear_backward(t, thread, d_normed, t->deltas.qkv + from * 3 * d, 3 * d, w->qkv_w,
                    trainer_block_rows(t, block), d, 3 * d);
    norm_backward(t, block, d_normed, kept->x, kept->stats1, w->norm1_w);
}

static void layer_gradients(struct trainer *t, int layer)
{
    const struct layer_weights *w = &t->at.layers[layer];
    const struct layer_kept *kept = &t->kept[layer];
    const struct layer_deltas *delta = &t->deltas;
    int d = t->config.d_model, ff = t->config.d_ff;
    struct linear_gradient g[] = {
        {trainer_gradient_of(t, w->ff2_w), trainer_gradient_of(t, w->ff2_b),
         delta->feed, kept->hidden, d, ff, d},
        {trainer_gradient_of(t, w->ff1_w), trainer_gradient_of(t, w->ff1_b),
         delta->hidden, kept->normed2, ff, d, ff},
        {trainer_gradient_of(t, w->qkv_w), trainer_gradient_of(t, w->qkv_b), delta->qkv,
         kept->normed1, 3 * d, d, 3 * d},
        {trainer_gradient_of(t, w->out_w), trainer_gradient_of(t, w->out_b), delta->out,
         kept->mixed, d, d, d},
    };
    linear_gradients(t, g, (int)(sizeof g / sizeof *g));
}

static void layer_backward(struct trainer *t, int layer)
{
    struct layer_job job = {t, layer};
    const struct layer_weights *w = &t->at.layers[layer];
    int blocks = trainer_n_blocks(t);

    pool_run(t->pool, feed_task, &job, blocks);
    add_up_norm(t, w->norm2_w, w->norm2_b);
    pool_run(t->pool, out_task, &job, blocks);
    attention_backward(t, layer);
    pool_run(t->pool, project_task, &job, blocks);
    add_up_norm(t, w->norm1_w, w->norm1_b);
    layer_gradients(t, layer);
}

static void head_backward(struct trainer *t)
{
    struct layer_job job = {t, 0};
    struct linear_gradient g = {
        .dw = trainer_gradient_of(t, t->at.head),
        .dy = t->logits,
        .x = t->normed_last,
        .ld_dy = t->ld_logits,
        .n_in = t->config.d_model,
        .n_out = t->config.vocab,
    };
    pool_run(t->pool, head_task, &job, trainer_n_blocks(t));
    add_up_norm(t, t->at.norm_w, t->at.norm_b);
    linear_gradients(t, &g, 1);
}

static void add_row(float *to, const float *from, int d)
{
    for (int i = 0; i < d; i++)
        to[i] += from[i];
}

/* Rows in order on one thread: a thousandth of the step, and tokens collide. */
static void embedding_backward(struct trainer *t)
{
    int d = t->config.d_model, rows = trainer_n_rows(t);
    float *stream = t->deltas.stream, *token = trainer_gradient_of(t, t->at.token);
    float *place = t->at.position ? trainer_gradient_of(t, t->at.position) : NULL;

    if (t->at.head != t->at.token)
        memset(token, 0, (size_t)t->config.vocab * d * sizeof *token);
    if (place)
        memset(place, 0, (size_t)t->config.context * d * sizeof *place);
    t->kernels->drop(stream, stream, (size_t)rows * d, trainer_dropout(t, 0), 0);
    for (int r = 0; r < rows; r++) {
        add_row(token + (size_t)t->pass.tokens[r] * d, stream + (size_t)r * d, d);
        if (place)
            add_row(place + (size_t)(r % t->options.length) * d, stream + (size_t)r * d,
                    d);
    }
}

void train_backward(struct trainer *t)
{
    head_backward(t);
    for (int layer = t->config.n_layers - 1; layer >= 0; layer--)
        layer_backward(t, layer);
    embedding_backward(t);
}
