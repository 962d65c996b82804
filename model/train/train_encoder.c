/* The encoder in training: a trainer over the source's rows, with the encoder's layers.
 * Its attention sees the whole source. It has no head: the decoder's layers read its
 * output, and add the output's gradient to its stream.
 *
 * They do so by cross-attention (Vaswani et al. 2017, section 3.2.3). The queries come
 * from the decoder's rows. Each decoder layer projects its own keys and values from the
 * encoder's output. Only times have a meaning across the two sequences, so only times
 * rotate. */
#include "model/decoder/position.h"
#include "model/kernels/kernels.h"
#include "model/train/train_internal.h"

#include <stdlib.h>
#include <string.h>

enum { ENCODER_SITES = 1 << 16 }; /* the first dropout site, beyond the decoder's */

enum model_status encoder_create(struct trainer *t)
{
    if (!t->config.n_encoder_layers)
        return MODEL_OK;
    struct trainer *e = calloc(1, sizeof *e);
    if (!e)
        return MODEL_NO_MEMORY;
    *e = *t;
    e->kind = NULL;
    e->config.n_layers = t->config.n_encoder_layers;
    e->config.n_encoder_layers = 0;
    e->config.block = 0;
    e->options.length = t->options.source_length;
    e->both_ways = true;
    e->first_site = ENCODER_SITES;
    e->kept = t->kept + t->config.n_layers;
    t->encoder = e;
    return MODEL_OK;
}

/* Counts the tokens of each source, and checks them. */
static enum model_status count_tokens(struct trainer *e, const int32_t *tokens)
{
    const int length = e->options.length;
    for (int b = 0; b < e->options.batch; b++, tokens += length) {
        int n = 0;
        while (n < length && tokens[n] >= 0)
            if (tokens[n++] >= e->config.vocab)
                return MODEL_BAD_TOKEN;
        if (!n)
            return MODEL_NO_SOURCE;
        e->n_keys[b] = n;
    }
    return MODEL_OK;
}

enum model_status encoder_set_pass(struct trainer *t, const struct train_batch *b)
{
    struct trainer *e = t->encoder;
    if (!b->sources)
        return MODEL_NO_SOURCE;
    e->pass = t->pass;
    e->pass.tokens = b->sources;
    e->pass.targets = NULL;
    e->pass.times = b->source_times;
    e->n_steps = t->n_steps;
    e->at = t->at;
    e->at.layers = t->at.layers + t->config.n_layers;
    e->at.norm_w = t->at.encoder_norm_w;
    e->at.norm_b = t->at.encoder_norm_b;
    return count_tokens(e, b->sources);
}

static void last_task(void *arg, int index, int thread)
{
    const struct block b = block_of(arg, index, thread);
    last_norm(&b);
}

void encoder_forward(struct trainer *t)
{
    struct layer_job job = {.t = t->encoder};
    trainer_embed(t->encoder);
    train_layers_forward(t->encoder);
    pool_run(t->pool, last_task, &job, trainer_n_blocks(t->encoder));
}

float *encoder_output(const struct trainer *t)
{
    return t->config.norm == NORM_POST ? t->encoder->x_last : t->encoder->normed_last;
}

static void last_backward_task(void *arg, int index, int thread)
{
    const struct block b = block_of(arg, index, thread);
    memcpy(b.room, b.t->deltas.stream + b.from * b.d,
           (size_t)b.rows * b.d * sizeof *b.room);
    last_norm_backward(&b, b.room);
}

void encoder_backward(struct trainer *t)
{
    struct layer_job job = {.t = t->encoder};
    pool_run(t->pool, last_backward_task, &job, trainer_n_blocks(t->encoder));
    last_norm_add_up(t->encoder);
    train_layers_backward(t->encoder);
    trainer_embed_backward(t->encoder);
}

static void query_task(void *arg, int index, int thread)
{
    const struct block b = block_of(arg, index, thread);
    float *q = b.kept->attention[BRANCH_CROSS].q + b.from * b.d;
    linear_forward(&b, q, b.d, branch_enter(&b, BRANCH_CROSS), b.w->cross_q_w,
                   b.w->cross_q_b, b.d, b.d);
    rotate_heads(b.t, q, b.d, b.t->config.n_heads, b.t->cross_rotations, b.from, b.rows,
                 false);
}

/* A block of the source's rows, for a task of a decoder layer. */
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

/* Rotates the source's keys by their times. */
static void rotate_keys(const struct trainer *t, float *kv, size_t from, int rows,
                        bool back)
{
    float rotations[1 << 14];
    for (int r = 0; t->cross_rotations && r < rows; r++) {
        position_set_rotation(rotations, &t->config, 0,
                              trainer_time(t->encoder, (int)from + r));
        rotate_heads(t, kv + (size_t)r * 2 * t->config.d_model, 0, t->config.n_heads,
                     rotations, 0, 1, back);
    }
}

static void keys_task(void *arg, int index, int thread)
{
    const struct block b = source_block(arg, index, thread);
    float *kv = b.kept->attention[BRANCH_CROSS].kv + b.from * 2 * b.d;
    linear_forward(&b, kv, 2 * b.d, encoder_output(b.t) + b.from * b.d, b.w->cross_kv_w,
                   b.w->cross_kv_b, b.d, 2 * b.d);
    rotate_keys(b.t, kv, b.from, b.rows, false);
}

void cross_forward(struct trainer *t, int layer)
{
    struct layer_job job = {t, layer, BRANCH_CROSS};
    int blocks = trainer_n_blocks(t);
    pool_run(t->pool, query_task, &job, blocks);
    pool_run(t->pool, keys_task, &job, trainer_n_blocks(t->encoder));
    attention_forward(t, layer, BRANCH_CROSS);
    pool_run(t->pool, join_task, &job, blocks);
}

static void query_backward_task(void *arg, int index, int thread)
{
    const struct block b = block_of(arg, index, thread);
    float *d_q = b.t->deltas.attention[BRANCH_CROSS].q + b.from * b.d;
    rotate_heads(b.t, d_q, b.d, b.t->config.n_heads, b.t->cross_rotations, b.from,
                 b.rows, true);
    linear_backward(&b, b.room, d_q, b.d, b.w->cross_q_w, b.d, b.d);
    branch_enter_backward(&b, BRANCH_CROSS, b.room);
}

/* Adds the gradient of the encoder's output, from one decoder layer, to the encoder's
 * stream. */
static void keys_backward_task(void *arg, int index, int thread)
{
    const struct block b = source_block(arg, index, thread);
    float *d_kv = b.t->deltas.attention[BRANCH_CROSS].kv + b.from * 2 * b.d;
    rotate_keys(b.t, d_kv, b.from, b.rows, true);
    linear_backward(&b, b.room, d_kv, 2 * b.d, b.w->cross_kv_w, b.d, 2 * b.d);
    b.t->k->add(b.t->encoder->deltas.stream + b.from * b.d, b.room, b.rows * b.d);
}

void cross_backward(struct trainer *t, int layer)
{
    struct layer_job job = {t, layer, BRANCH_CROSS};
    const int blocks = trainer_n_blocks(t);
    const size_t n = (size_t)trainer_n_rows(t->encoder) * 2 * t->config.d_model;

    branch_leave_backward(t, layer, BRANCH_CROSS);
    pool_run(t->pool, join_backward_task, &job, blocks);
    memset(t->deltas.attention[BRANCH_CROSS].kv, 0, n * sizeof(float));
    attention_backward(t, layer, BRANCH_CROSS);
    pool_run(t->pool, query_backward_task, &job, blocks);
    branch_entered_backward(t, layer, BRANCH_CROSS);
    pool_run(t->pool, keys_backward_task, &job, trainer_n_blocks(t->encoder));
}
