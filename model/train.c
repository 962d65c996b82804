/* A trainer's life and its steps; train_internal.h has the map of the rest. */
#include "model/train_internal.h"

#include <cblas.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ROWS = 1 << 20, PAD = 16 };

static int round_up(int n)
{
    return (n + PAD - 1) / PAD * PAD;
}

int trainer_n_rows(const struct trainer *t)
{
    return t->options.batch * t->options.length;
}

int trainer_n_blocks(const struct trainer *t)
{
    return (trainer_n_rows(t) + BLOCK_ROWS - 1) / BLOCK_ROWS;
}

int trainer_block_rows(const struct trainer *t, int block)
{
    int left = trainer_n_rows(t) - block * BLOCK_ROWS;
    return left < BLOCK_ROWS ? left : BLOCK_ROWS;
}

float *trainer_gradient_of(const struct trainer *t, const float *weight)
{
    return t->gradients + (weight - t->weights);
}

/* SplitMix64 (Steele, Lea & Flood 2014): one well-mixed number from a counter. */
static uint64_t mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

struct dropout trainer_dropout(const struct trainer *t, int site)
{
    double p = t->pass.dropout;
    uint64_t key = mix(mix(t->options.seed) + (uint64_t)t->n_steps);
    return (struct dropout){
        .key = (uint32_t)(mix(key + (uint64_t)site) >> 32),
        .threshold = (uint32_t)(p * 4294967296.0),
        .scale = (float)(1.0 / (1.0 - p)),
    };
}

static enum model_status check_options(const struct model_config *c,
                                       const struct train_options *o)
{
    if (!model_config_valid(c))
        return MODEL_BAD_CONFIG;
    if (o->batch < 1 || o->length < 1 || o->batch > MAX_ROWS / o->length)
        return MODEL_TOO_LONG;
    if (c->position == POSITION_LEARNED && o->length > c->context)
        return MODEL_TOO_LONG;
    if (!(o->dropout >= 0.0f && o->dropout < 1.0f) || o->warmup_steps < 0)
        return MODEL_BAD_CONFIG;
    return MODEL_OK;
}

static enum model_status allocate(struct trainer *t)
{
    t->n_tensors = model_tensors(&t->config, &t->tensors, &t->n_floats);
    t->kept = calloc((size_t)t->config.n_layers, sizeof *t->kept);
    t->at.layers = calloc((size_t)t->config.n_layers, sizeof *t->at.layers);
    t->scratch = calloc((size_t)pool_n_threads(t->pool), sizeof *t->scratch);
    if (!t->n_tensors || !t->kept || !t->at.layers || !t->scratch)
        return MODEL_NO_MEMORY;

    size_t n = trainer_lay_out(t, NULL);
    if (n > SIZE_MAX / sizeof(float) / 2)
        return MODEL_NO_MEMORY;
    t->arena = aligned_alloc(64, n * sizeof(float));
    if (!t->arena)
        return MODEL_NO_MEMORY;
    trainer_lay_out(t, t->arena);
    memset(t->moment1, 0, t->n_floats * sizeof(float));
    memset(t->moment2, 0, t->n_floats * sizeof(float));
    return optimiser_plan(t);
}

/* Copies a tensor of another model to where ours has it. */
static void copy(const struct trainer *t, const float *to, const float *from, size_t n)
{
    memcpy(t->weights + (to - t->weights), from, n * sizeof *from);
}

static void copy_layer(const struct trainer *t, const struct layer_weights *to,
                       const struct layer_weights *from)
{
    size_t d = (size_t)t->config.d_model, ff = (size_t)t->config.d_ff;
    copy(t, to->norm1_w, from->norm1_w, d);
    copy(t, to->norm1_b, from->norm1_b, d);
    copy(t, to->qkv_w, from->qkv_w, 3 * d * d);
    copy(t, to->qkv_b, from->qkv_b, 3 * d);
    copy(t, to->out_w, from->out_w, d * d);
    copy(t, to->out_b, from->out_b, d);
    copy(t, to->norm2_w, from->norm2_w, d);
    copy(t, to->norm2_b, from->norm2_b, d);
    copy(t, to->ff1_w, from->ff1_w, ff * d);
    copy(t, to->ff1_b, from->ff1_b, ff);
    copy(t, to->ff2_w, from->ff2_w, d * ff);
    copy(t, to->ff2_b, from->ff2_b, d);
}

static void copy_weights(const struct trainer *t, const struct model_weights *from)
{
    size_t d = (size_t)t->config.d_model, vocab = (size_t)t->config.vocab;
    copy(t, t->at.token, from->token, vocab * d);
    if (from->position)
        copy(t, t->at.position, from->position, (size_t)t->config.context * d);
    for (int i = 0; i < t->config.n_layers; i++)
        copy_layer(t, &t->at.layers[i], &from->layers[i]);
    copy(t, t->at.norm_w, from->norm_w, d);
    copy(t, t->at.norm_b, from->norm_b, d);
    copy(t, t->at.head, from->head, vocab * d);
}

static bool same_config(const struct model_config *a, const struct model_config *b)
{
    return a->vocab == b->vocab && a->context == b->context &&
           a->d_model == b->d_model && a->n_heads == b->n_heads &&
           a->n_layers == b->n_layers && a->d_ff == b->d_ff &&
           a->activation == b->activation && a->position == b->position &&
           a->tied == b->tied;
}

enum model_status trainer_create(struct trainer **out, const struct model_config *c,
                                 const struct train_options *o,
                                 const struct model *from, struct pool *pool)
{
    enum model_status st = check_options(c, o);
    if (!st && from && !same_config(c, model_config(from)))
        st = MODEL_BAD_CONFIG;
    if (st)
        return st;

    struct trainer *t = calloc(1, sizeof *t);
    if (!t)
        return MODEL_NO_MEMORY;
    t->config = *c;
    t->options = *o;
    t->pool = pool;
    t->kernels = train_kernels_best();
    t->multiply = o->bf16 && product_has_bf16() ? product_bf16 : product_f32;
    t->ld_logits = round_up(c->vocab);
    t->ld_scores =
        round_up(o->length) + PAD; /* rows of 4096 bytes would share cache sets */
    openblas_set_num_threads(1);   /* the pool is the only one to share work out */
    st = allocate(t);
    if (st) {
        trainer_destroy(t);
        return st;
    }
    model_bind(&t->at, c, t->weights);
    if (from)
        copy_weights(t, model_weights(from));
    else
        model_init_block(t->weights, c, o->seed);
    *out = t;
    return MODEL_OK;
}

void trainer_destroy(struct trainer *t)
{
    if (!t)
        return;
    free(t->arena);
    free(t->scratch);
    free(t->at.layers);
    free(t->kept);
    free(t->span_squares);
    free(t->spans);
    free(t->tensors);
    free(t);
}

/* Every token in the vocabulary, every target too or negative; counts those. */
static enum model_status check_batch(const struct trainer *t, const int32_t *tokens,
                                     const int32_t *targets, int64_t *count)
{
    *count = 0;
    for (int i = 0; i < trainer_n_rows(t); i++) {
        if (tokens[i] < 0 || tokens[i] >= t->config.vocab ||
            targets[i] >= t->config.vocab)
            return MODEL_BAD_TOKEN;
        *count += targets[i] >= 0;
    }
    return MODEL_OK;
}

static double sum_nats(const struct trainer *t)
{
    double sum = 0.0;
    for (int i = 0; i < trainer_n_rows(t); i++)
        sum += (double)t->nats[i];
    return sum;
}

/* Forward, and backward if `learn`; *sum of nats over *count tokens. */
static enum model_status run_pass(struct trainer *t, const int32_t *tokens,
                                  const int32_t *targets, float dropout, bool learn,
                                  double *sum, int64_t *count)
{
    enum model_status st = check_batch(t, tokens, targets, count);
    if (st)
        return st;
    t->pass = (struct pass){
        .tokens = tokens,
        .targets = targets,
        .dropout = dropout,
        .loss_scale = *count ? (float)(1.0 / (double)*count) : 0.0f,
    };
    train_forward(t);
    *sum = sum_nats(t);
    if (learn)
        train_backward(t);
    return MODEL_OK;
}

enum model_status trainer_step(struct trainer *t, const int32_t *tokens,
                               const int32_t *targets, float *loss)
{
    double sum;
    int64_t count;
    enum model_status st =
        run_pass(t, tokens, targets, t->options.dropout, true, &sum, &count);
    if (st)
        return st;
    *loss = count ? (float)(sum / (double)count) : 0.0f;
    optimiser_step(t);
    return MODEL_OK;
}

enum model_status trainer_evaluate(struct trainer *t, const int32_t *tokens,
                                   const int32_t *targets, double *sum, int64_t *count,
                                   float *nats)
{
    enum model_status st = run_pass(t, tokens, targets, 0.0f, false, sum, count);
    if (!st && nats)
        memcpy(nats, t->nats, (size_t)trainer_n_rows(t) * sizeof *nats);
    return st;
}

enum model_status trainer_gradients(struct trainer *t, const int32_t *tokens,
                                    const int32_t *targets, double *loss, float *block)
{
    int64_t count;
    enum model_status st = run_pass(t, tokens, targets, 0.0f, true, loss, &count);
    if (st)
        return st;
    *loss = count ? *loss / (double)count : 0.0;
    memcpy(block, t->gradients, t->n_floats * sizeof *block);
    return MODEL_OK;
}

int64_t trainer_steps(const struct trainer *t)
{
    return t->n_steps;
}

float trainer_learning_rate(const struct trainer *t)
{
    return optimiser_rate(&t->options, t->n_steps);
}

float trainer_gradient_norm(const struct trainer *t)
{
    return t->gradient_norm;
}

float *trainer_block(struct trainer *t)
{
    return t->weights;
}

const struct model_config *trainer_config(const struct trainer *t)
{
    return &t->config;
}

const struct train_options *trainer_options(const struct trainer *t)
{
    return &t->options;
}

void trainer_set_end(struct trainer *t, int64_t max_steps)
{
    t->options.max_steps = max_steps;
}
