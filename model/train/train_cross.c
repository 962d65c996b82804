/* Cross-attention in training (Vaswani et al. 2017, section 3.2.3). Queries come from
 * the decoder's rows. Keys and values come from the encoder's output, which each
 * decoder layer projects for itself. Across sequences only times have a meaning. */
#include "model/decoder/position.h"
#include "model/kernels/kernels.h"
#include "model/train/train_internal.h"

#include <math.h>
#include <string.h>

static void rotate_queries(const struct block *b, float *q, bool back)
{
    const int heads = b->t->config.n_heads;
    if (b->t->cross_rotations)
        rotate_heads(b->t, q, b->d, heads,
                     b->t->cross_rotations + b->from * (b->d / heads), b->rows, back);
}

static void query_task(void *arg, int index, int thread)
{
    const struct block b = block_of(arg, index, thread);
    float *q = b.kept->cross_q + b.from * b.d;
    linear_forward(&b, q, b.d, branch_enter(&b, BRANCH_CROSS), b.w->cross_q_w,
                   b.w->cross_q_b, b.d, b.d);
    rotate_queries(&b, q, false);
}

/* A block of the source's rows, for a decoder layer. */
static struct block source_block(const void *arg, int index, int thread)
{
    const struct layer_job *job = arg;
    const struct layer_job of_source = {.t = job->t->encoder};
    struct block b = block_of(&of_source, index, thread);
    b.t = job->t;
    b.layer = job->layer;
    b.w = &b.t->at.layers[b.layer];
    b.kept = &b.t->kept[b.layer];
    return b;
}

/* Rotates a source's keys, by their times alone. */
static void rotate_keys(const struct trainer *t, float *kv, size_t from, int rows,
                        bool back)
{
    const struct trainer *encoder = t->encoder;
    float rotations[1 << 14];
    for (int r = 0; t->cross_rotations && r < rows; r++) {
        position_set_rotation(rotations, &t->config, 0,
                              trainer_time(encoder, (int)from + r));
        rotate_heads(t, kv + (size_t)r * 2 * t->config.d_model, 0, t->config.n_heads,
                     rotations, 1, back);
    }
}

static void keys_task(void *arg, int index, int thread)
{
    const struct block b = source_block(arg, index, thread);
    float *kv = b.kept->cross_kv + b.from * 2 * b.d;
    linear_forward(&b, kv, 2 * b.d, encoder_output(b.t) + b.from * b.d, b.w->cross_kv_w,
                   b.w->cross_kv_b, b.d, 2 * b.d);
    rotate_keys(b.t, kv, b.from, b.rows, false);
}

struct head cross_head(const struct trainer *t, int layer, int index)
{
    const struct layer_activations *kept = &t->kept[layer];
    const struct layer_weights *w = &t->at.layers[layer];
    const int heads = t->config.n_heads, d = t->config.d_model, width = d / heads;
    const int sequence = index / heads, head = index % heads;
    const size_t at = (size_t)sequence * t->options.length * d + (size_t)head * width;
    const size_t at_kv =
        (size_t)sequence * t->options.source_length * 2 * d + (size_t)head * width;
    struct head h = {
        .t = t,
        .q = kept->cross_q + at,
        .k = kept->cross_kv + at_kv,
        .v = kept->cross_kv + at_kv + d,
        .dq = t->deltas.cross_q + at,
        .dk = t->deltas.cross_kv + at_kv,
        .dv = t->deltas.cross_kv + at_kv + d,
        .mixed = kept->cross_mixed + at,
        .d_mixed = t->deltas.cross_mixed + at,
        .log_sums = kept->cross_log_sums + (size_t)index * t->options.length,
        .d = d,
        .ld_q = d,
        .ld_kv = 2 * d,
        .width = width,
        .length = t->options.length,
        .n_keys = t->encoder->n_keys[sequence],
        .scale = 1.0f / sqrtf((float)width),
        .ld_buckets = t->options.source_length,
        .time_part = relative_part(t, index),
    };
    if (w->cross_time_key) {
        h.time_key = w->cross_time_key + (size_t)head * MODEL_TIME_BUCKETS * width;
        h.buckets = t->cross_buckets +
                    (size_t)sequence * t->options.length * t->options.source_length;
    }
    return h;
}

static void out_task(void *arg, int index, int thread)
{
    const struct block b = block_of(arg, index, thread);
    linear_forward(&b, b.room, b.d, b.kept->cross_mixed + b.from * b.d,
                   b.w->cross_out_w, b.w->cross_out_b, b.d, b.d);
    branch_leave(&b, BRANCH_CROSS, b.room);
}

void cross_forward(struct trainer *t, int layer)
{
    struct layer_job job = {.t = t, .layer = layer};
    int blocks = trainer_n_blocks(t);
    pool_run(t->pool, query_task, &job, blocks);
    pool_run(t->pool, keys_task, &job, trainer_n_blocks(t->encoder));
    attention_forward(t, layer, BRANCH_CROSS);
    pool_run(t->pool, out_task, &job, blocks);
}

static void out_backward_task(void *arg, int index, int thread)
{
    const struct block b = block_of(arg, index, thread);
    const size_t at = b.from * b.d;
    branch_drop_backward(&b, BRANCH_CROSS, b.t->deltas.cross_out + at);
    linear_backward(&b, b.t->deltas.cross_mixed + at, b.t->deltas.cross_out + at, b.d,
                    b.w->cross_out_w, b.d, b.d);
}

static void query_backward_task(void *arg, int index, int thread)
{
    const struct block b = block_of(arg, index, thread);
    float *d_q = b.t->deltas.cross_q + b.from * b.d;
    rotate_queries(&b, d_q, true);
    linear_backward(&b, b.room, d_q, b.d, b.w->cross_q_w, b.d, b.d);
    branch_enter_backward(&b, BRANCH_CROSS, b.room);
}

/* Adds a decoder layer's gradient of the encoder's output to the encoder's stream. */
static void keys_backward_task(void *arg, int index, int thread)
{
    const struct block b = source_block(arg, index, thread);
    float *d_kv = b.t->deltas.cross_kv + b.from * 2 * b.d;
    rotate_keys(b.t, d_kv, b.from, b.rows, true);
    linear_backward(&b, b.room, d_kv, 2 * b.d, b.w->cross_kv_w, b.d, 2 * b.d);
    kernels_best()->add(b.t->encoder->deltas.stream + b.from * b.d, b.room,
                        b.rows * b.d);
}

void cross_backward(struct trainer *t, int layer)
{
    struct layer_job job = {.t = t, .layer = layer};
    const int blocks = trainer_n_blocks(t),
              source_blocks = trainer_n_blocks(t->encoder);
    const size_t n = (size_t)trainer_n_rows(t->encoder) * 2 * t->config.d_model;

    branch_leave_backward(t, layer, BRANCH_CROSS);
    pool_run(t->pool, out_backward_task, &job, blocks);
    memset(t->deltas.cross_kv, 0, n * sizeof(float));
    attention_backward(t, layer, BRANCH_CROSS);
    pool_run(t->pool, query_backward_task, &job, blocks);
    branch_entered_backward(t, layer, BRANCH_CROSS);
    pool_run(t->pool, keys_backward_task, &job, source_blocks);
}

void cross_gradients(struct trainer *t, int layer)
{
    const struct layer_weights *w = &t->at.layers[layer];
    const struct layer_activations *kept = &t->kept[layer];
    const int d = t->config.d_model;
    const struct linear_gradient own[] = {
        {w->cross_q_w, w->cross_q_b, t->deltas.cross_q,
         branch_input(t, &kept->branches[BRANCH_CROSS]), d, d, d},
        {w->cross_out_w, w->cross_out_b, t->deltas.cross_out, kept->cross_mixed, d, d,
         d},
    };
    const struct linear_gradient source = {
        w->cross_kv_w, w->cross_kv_b, t->deltas.cross_kv, encoder_output(t), 2 * d, d,
        2 * d};
    linear_gradients(t, own, 2);
    linear_gradients(t->encoder, &source, 1);
}
