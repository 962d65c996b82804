/* The encoder in training: a trainer over the source's rows with the encoder's layers.
 * Its attention sees both ways, and its tokens end where the source does. It has no
 * head: the decoder's layers read its output and add their gradients to its stream. */
#include "model/train/train_internal.h"

#include <stdlib.h>
#include <string.h>

enum { ENCODER_SITES = 1 << 16 }; /* first dropout site, beyond the decoder's */

enum model_status encoder_create(struct trainer *t)
{
    if (!t->config.n_encoder_layers)
        return MODEL_OK;
    struct trainer *e = calloc(1, sizeof *e);
    if (!e)
        return MODEL_NO_MEMORY;
    t->encoder = e;
    e->config = t->config;
    e->config.n_layers = t->config.n_encoder_layers;
    e->config.n_encoder_layers = 0;
    e->config.block = 0;
    e->options = t->options;
    e->options.length = t->options.source_length;
    e->both_ways = true;
    e->first_site = ENCODER_SITES;
    e->kept = t->kept + t->config.n_layers;
    return MODEL_OK;
}

void encoder_share(struct trainer *t)
{
    struct trainer *e = t->encoder;
    e->pool = t->pool;
    e->kernels = t->kernels;
    e->products = t->products;
    e->weights = t->weights;
    e->gradients = t->gradients;
    e->scratch = t->scratch;
    e->ld_scores = t->ld_scores;
    e->ld_near = t->ld_near;
    e->ld_logits = t->ld_logits;
}

/* Sets the weight pointers, after the memory is laid out. */
static void find_weights(struct trainer *t)
{
    struct trainer *e = t->encoder;
    e->at = t->at;
    e->at.layers = t->at.layers + t->config.n_layers;
    e->at.norm_w = t->at.encoder_norm_w;
    e->at.norm_b = t->at.encoder_norm_b;
}

/* Counts the tokens of each source. */
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
    find_weights(t);
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
