/* Attention to a source, in training (Vaswani et al. 2017, section 3.2.3): queries from
 * the decoder's rows, keys and values from the encoder's output, which every layer of
 * the decoder projects for itself. Places mean nothing across, times do. */
#include "model/decoder/position.h"
#include "model/train/train_internal.h"

#include <math.h>
#include <string.h>

static void query_task(void *arg, int block, int thread)
{
    const struct layer_job *job = arg;
    const struct trainer *t = job->t;
    const struct layer_weights *w = &t->at.layers[job->layer];
    int rows = trainer_block_rows(t, block), d = t->config.d_model,
        e = d / t->config.n_heads;
    size_t from = (size_t)block * BLOCK_ROWS;
    float *q = t->kept[job->layer].cross_q + from * d;
    const float *input = branch_enter(t, job->layer, BRANCH_CROSS, from, rows);
    linear_forward(t, thread, q, d, input, w->cross_q_w, w->cross_q_b, rows, d, d);
    if (t->cross_turns)
        turn_heads(t, q, d, t->config.n_heads, t->cross_turns + from * e, rows, false);
}

/* Keys of a source turn by its times alone. */
static void turn_keys(const struct trainer *t, float *kv, size_t from, int rows,
                      bool back)
{
    const struct trainer *encoder = t->encoder;
    float turns[1 << 14];
    for (int r = 0; t->cross_turns && r < rows; r++) {
        position_set_turns(turns, &t->config, 0, trainer_time(encoder, (int)from + r));
        turn_heads(t, kv + (size_t)r * 2 * t->config.d_model, 0, t->config.n_heads,
                   turns, 1, back);
    }
}

static void keys_task(void *arg, int block, int thread)
{
    const struct layer_job *job = arg;
    const struct trainer *t = job->t, *encoder = t->encoder;
    const struct layer_weights *w = &t->at.layers[job->layer];
    int rows = trainer_block_rows(encoder, block), d = t->config.d_model;
    size_t from = (size_t)block * BLOCK_ROWS;
    float *kv = t->kept[job->layer].cross_kv + from * 2 * d;
    linear_forward(t, thread, kv, 2 * d, encoder_output(t) + from * d, w->cross_kv_w,
                   w->cross_kv_b, rows, d, 2 * d);
    turn_keys(t, kv, from, rows, false);
}

static struct head head_at(const struct trainer *t, int layer, int index)
{
    const struct layer_kept *kept = &t->kept[layer];
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
        .time_part = relation_part(t, index),
    };
    if (w->cross_time_key) {
        h.time_key = w->cross_time_key + (size_t)head * MODEL_TIME_BUCKETS * width;
        h.buckets = t->cross_buckets +
                    (size_t)sequence * t->options.length * t->options.source_length;
    }
    return h;
}

static void forward_task(void *arg, int i, int thread)
{
    const struct layer_job *job = arg;
    struct head h = head_at(job->t, job->layer, i);
    attend_forward(&h, &job->t->scratch[thread]);
}

static void out_task(void *arg, int block, int thread)
{
    const struct layer_job *job = arg;
    const struct trainer *t = job->t;
    const struct layer_weights *w = &t->at.layers[job->layer];
    int rows = trainer_block_rows(t, block), d = t->config.d_model;
    size_t from = (size_t)block * BLOCK_ROWS;
    float *out = t->scratch[thread].rows;
    linear_forward(t, thread, out, d, t->kept[job->layer].cross_mixed + from * d,
                   w->cross_out_w, w->cross_out_b, rows, d, d);
    branch_leave(t, job->layer, BRANCH_CROSS, from, rows, out);
}

void cross_forward(struct trainer *t, int layer)
{
    struct layer_job job = {.t = t, .layer = layer};
    int blocks = trainer_n_blocks(t);
    pool_run(t->pool, query_task, &job, blocks);
    pool_run(t->pool, keys_task, &job, trainer_n_blocks(t->encoder));
    pool_run(t->pool, forward_task, &job, t->options.batch * t->config.n_heads);
    pool_run(t->pool, out_task, &job, blocks);
}

static void out_backward_task(void *arg, int block, int thread)
{
    const struct layer_job *job = arg;
    const struct trainer *t = job->t;
    int rows = trainer_block_rows(t, block), d = t->config.d_model;
    size_t at = (size_t)block * BLOCK_ROWS * d;
    t->kernels->drop(t->deltas.cross_out + at, t->deltas.stream + at, (size_t)rows * d,
                     trainer_dropout(t, 1 + N_BRANCHES * job->layer + BRANCH_CROSS),
                     (uint32_t)at);
    linear_backward(t, thread, t->deltas.cross_mixed + at, t->deltas.cross_out + at, d,
                    t->at.layers[job->layer].cross_out_w, rows, d, d);
}

static void backward_task(void *arg, int i, int thread)
{
    const struct layer_job *job = arg;
    struct head h = head_at(job->t, job->layer, i);
    attend_backward(&h, &job->t->scratch[thread]);
}

static void query_backward_task(void *arg, int block, int thread)
{
    const struct layer_job *job = arg;
    const struct trainer *t = job->t;
    int rows = trainer_block_rows(t, block), d = t->config.d_model,
        e = d / t->config.n_heads;
    size_t from = (size_t)block * BLOCK_ROWS;
    float *d_q = t->deltas.cross_q + from * d, *d_input = t->scratch[thread].rows;
    if (t->cross_turns)
        turn_heads(t, d_q, d, t->config.n_heads, t->cross_turns + from * e, rows, true);
    linear_backward(t, thread, d_input, d_q, d, t->at.layers[job->layer].cross_q_w,
                    rows, d, d);
    branch_enter_backward(t, job->layer, BRANCH_CROSS, block, d_input);
}

/* What every layer of the decoder asks of the source is summed in the encoder's
 * stream. */
static void keys_backward_task(void *arg, int block, int thread)
{
    const struct layer_job *job = arg;
    const struct trainer *t = job->t;
    int rows = trainer_block_rows(t->encoder, block), d = t->config.d_model;
    size_t from = (size_t)block * BLOCK_ROWS;
    float *d_kv = t->deltas.cross_kv + from * 2 * d;
    float *stream = t->encoder->deltas.stream + from * d,
          *d_rows = t->scratch[thread].rows;
    turn_keys(t, d_kv, from, rows, true);
    linear_backward(t, thread, d_rows, d_kv, 2 * d, t->at.layers[job->layer].cross_kv_w,
                    rows, d, 2 * d);
    t->kernels->add_dropped(stream, stream, d_rows, (size_t)rows * d,
                            (struct dropout){.scale = 1.0f}, 0);
}

static void sum_time_parts(struct trainer *t, int layer)
{
    const float *table = t->at.layers[layer].cross_time_key;
    size_t e = (size_t)t->config.d_model / (size_t)t->config.n_heads;
    if (table)
        relation_sum_by_head(t, table, 0, MODEL_TIME_BUCKETS * e);
}

void cross_backward(struct trainer *t, int layer)
{
    struct layer_job job = {.t = t, .layer = layer};
    const int blocks = trainer_n_blocks(t),
              source_blocks = trainer_n_blocks(t->encoder);
    const size_t n = (size_t)trainer_n_rows(t->encoder) * 2 * t->config.d_model;

    branch_leave_backward(t, layer, BRANCH_CROSS);
    pool_run(t->pool, out_backward_task, &job, blocks);
    relation_begin(t);
    memset(t->deltas.cross_kv, 0, n * sizeof(float));
    pool_run(t->pool, backward_task, &job, t->options.batch * t->config.n_heads);
    sum_time_parts(t, layer);
    pool_run(t->pool, query_backward_task, &job, blocks);
    branch_entered_backward(t, layer, BRANCH_CROSS);
    pool_run(t->pool, keys_backward_task, &job, source_blocks);
}

void cross_gradients(struct trainer *t, int layer)
{
    const struct layer_weights *w = &t->at.layers[layer];
    const struct layer_kept *kept = &t->kept[layer];
    const int d = t->config.d_model;
    const struct linear_gradient own[] = {
        {trainer_gradient_of(t, w->cross_q_w), trainer_gradient_of(t, w->cross_q_b),
         t->deltas.cross_q, branch_input(t, &kept->branches[BRANCH_CROSS]), d, d, d},
        {trainer_gradient_of(t, w->cross_out_w), trainer_gradient_of(t, w->cross_out_b),
         t->deltas.cross_out, kept->cross_mixed, d, d, d},
    };
    const struct linear_gradient source = {trainer_gradient_of(t, w->cross_kv_w),
                                           trainer_gradient_of(t, w->cross_kv_b),
                                           t->deltas.cross_kv,
                                           encoder_output(t),
                                           2 * d,
                                           d,
                                           2 * d};
    linear_gradients(t, own, 2);
    linear_gradients(t->encoder, &source, 1);
}

static void buckets_task(void *arg, int block, int thread)
{
    const struct layer_job *job = arg;
    const struct trainer *t = job->t;
    const uint8_t *rows = position_time_rows();
    const int n = t->options.source_length, from = block * BLOCK_ROWS;
    (void)thread;
    for (int row = from; row < from + trainer_block_rows(t, block); row++) {
        const int first = row / t->options.length * n;
        const int64_t now = trainer_time(t, row);
        uint8_t *bucket = t->cross_buckets + (size_t)row * (size_t)n;
        for (int i = 0; i < n; i++)
            bucket[i] = (uint8_t)position_time_row(
                rows, now - trainer_time(t->encoder, first + i));
    }
}

void cross_find_buckets(struct trainer *t)
{
    struct layer_job job = {.t = t};
    if (t->cross_buckets)
        pool_run(t->pool, buckets_task, &job, trainer_n_blocks(t));
}
