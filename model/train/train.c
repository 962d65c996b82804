/* Creates and destroys a trainer, and runs its steps. train_internal.h has a map of the
 * other files. */
#include "model/kernels/fourier.h"
#include "model/kernels/kernels.h"
#include "model/weights/grow.h"
#include "model/train/train_internal.h"
#include "model/base/arena.h"

#include <cblas.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ROWS = 1 << 20, PAD = 16 };

int trainer_n_rows(const struct trainer *t)
{
    return t->options.batch * t->options.length;
}

int trainer_n_blocks(const struct trainer *t)
{
    return n_parts(trainer_n_rows(t), BLOCK_ROWS);
}

int trainer_block_rows(const struct trainer *t, int block)
{
    return part_size(trainer_n_rows(t), BLOCK_ROWS, block);
}

struct block block_of(const void *arg, int index, int thread)
{
    const struct layer_job *job = arg;
    struct trainer *t = job->t;
    return (struct block){.t = t,
                          .layer = job->layer,
                          .index = index,
                          .thread = thread,
                          .w = &t->at.layers[job->layer],
                          .kept = &t->kept[job->layer],
                          .from = (size_t)index * BLOCK_ROWS,
                          .rows = trainer_block_rows(t, index),
                          .d = t->config.d_model,
                          .room = t->scratch[thread].rows};
}

float *trainer_gradient_of(const struct trainer *t, const float *weight)
{
    return t->gradients + (weight - t->weights);
}

/* SplitMix64 (Steele, Lea & Flood 2014): a well-mixed number from a counter. */
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
        .key = (uint32_t)(mix(key + (uint64_t)(t->first_site + site)) >> 32),
        .threshold = (uint32_t)(p * 4294967296.0),
        .scale = (float)(1.0 / (1.0 - p)),
    };
}

static enum model_status check_options(const struct model_config *c,
                                       const struct train_options *o)
{
    if (!model_config_valid(c) || (c->n_encoder_layers > 0) != (o->source_length > 0))
        return MODEL_BAD_CONFIG;
    if (o->batch < 1 || o->length < 1 || o->batch > MAX_ROWS / o->length ||
        o->length > MAX_LENGTH || o->source_length < 0 ||
        o->source_length > least(c->context, MAX_LENGTH) ||
        (o->source_length && o->batch > MAX_ROWS / o->source_length) ||
        o->shortest < 0 || (o->shortest && o->length % o->shortest != 0) ||
        (o->shortest && o->source_length) ||
        (c->position == POSITION_LEARNED && o->length > c->context))
        return MODEL_TOO_LONG;
    if (!(o->start_share >= 0.0f && o->start_share <= 1.0f) ||
        !(o->dropout >= 0.0f && o->dropout < 1.0f) || o->warmup_steps < 0 ||
        o->cooldown_steps < 0)
        return MODEL_BAD_CONFIG;
    return MODEL_OK;
}

static enum model_status allocate(struct trainer *t)
{
    t->n_tensors = model_tensors(&t->config, NULL, &t->tensors, &t->n_floats);
    t->kept = calloc((size_t)model_n_layers(&t->config), sizeof *t->kept);
    t->at.layers = calloc((size_t)model_n_layers(&t->config), sizeof *t->at.layers);
    t->scratch = calloc((size_t)pool_n_threads(t->pool), sizeof *t->scratch);
    if (!t->n_tensors || !t->kept || !t->at.layers || !t->scratch)
        return MODEL_NO_MEMORY;

    enum model_status st = encoder_create(t);
    if (!st)
        st = optimiser_plan(t);
    if (st)
        return st;
    size_t n = trainer_lay_out(t, NULL);
    if (n > SIZE_MAX / 2)
        return MODEL_NO_MEMORY;
    t->arena = arena_block(n); /* on large pages: products read rows far apart */
    if (!t->arena)
        return MODEL_NO_MEMORY;
    trainer_lay_out(t, t->arena);
    memset(t->moment1, 0, t->n_floats * sizeof(float));
    memset(t->moment2, 0, t->n_floats * sizeof(float));
    return MODEL_OK;
}

enum model_status trainer_create(struct trainer **out, const struct model_config *c,
                                 const struct train_options *o,
                                 const struct model *from, struct pool *pool)
{
    enum model_status st = check_options(c, o);
    if (!st && !model_state_fits(c, o->state))
        st = MODEL_OTHER_TOKENS;
    if (!st && from && !model_grows_into(&from->config, c))
        st = MODEL_BAD_CONFIG;
    if (st)
        return st;

    struct trainer *t = calloc(1, sizeof *t);
    if (!t)
        return MODEL_NO_MEMORY;
    t->config = *c;
    t->options = *o;
    t->pool = pool;
    t->kind = c->state ? o->state : NULL;
    t->k = kernels_best();
    t->products = product_best(o->bf16);
    t->ld_logits = n_parts(c->vocab, PAD) * PAD;
    /* Rows whose size is a power of two would share cache sets. */
    t->ld_scores =
        (int)whole_parts(larger((size_t)o->length, (size_t)o->source_length), PAD) +
        PAD;
    t->ld_near = n_parts(2 * c->max_distance, PAD) * PAD + PAD;
    openblas_set_num_threads(1); /* only the pool divides work among threads */
    st = allocate(t);
    if (!st && from)
        st = model_grow(t->weights, c, from, o->like, o->seed);
    t->options.like = NULL;
    if (st) {
        trainer_destroy(t);
        return st;
    }
    if (!from)
        model_init_block(t->weights, c, o->seed);
    if (t->start)
        memcpy(t->start, t->weights, t->n_floats * sizeof *t->start);
    model_bind(&t->at, c, t->weights);
    if (c->mixing == MIXING_FOURIER)
        fourier_fill(t->waves, t->circle, c->d_model, c->block);
    *out = t;
    return MODEL_OK;
}

void trainer_set_cancel(struct trainer *t, const atomic_bool *flag)
{
    t->cancel = flag;
}

void trainer_destroy(struct trainer *t)
{
    if (!t)
        return;
    free(t->arena);
    free(t->scratch);
    free(t->at.layers);
    free(t->kept);
    free(t->encoder);
    free(t->matrices);
    free(t->span_squares);
    free(t->spans);
    free(t->tensors);
    free(t);
}

/* Runs the forward pass and, if `learn`, the backward pass. *sum is the nats of *count
 * targets. */
static enum model_status run_pass(struct trainer *t, const struct train_batch *b,
                                  float dropout, bool learn, double *sum,
                                  int64_t *count)
{
    *sum = 0.0;
    *count = 0;
    for (int i = 0; i < trainer_n_rows(t); i++) {
        if (b->tokens[i] < 0 || b->tokens[i] >= t->config.vocab ||
            b->targets[i] >= t->config.vocab)
            return MODEL_BAD_TOKEN;
        *count += b->targets[i] >= 0;
    }
    t->pass = (struct pass){
        .tokens = b->tokens,
        .targets = b->targets,
        .times = b->times,
        .dropout = dropout,
        .loss_scale = *count ? (float)(1.0 / (double)*count) : 0.0f,
    };
    enum model_status st = t->encoder ? encoder_set_pass(t, b) : MODEL_OK;
    if (st)
        return st;
    pool_set_cancel(t->pool, t->cancel);
    trainer_find_state(t);
    train_forward(t);
    for (int i = 0; i < trainer_n_rows(t); i++)
        *sum += (double)t->nats[i];
    if (learn)
        train_backward(t);
    pool_set_cancel(t->pool, NULL);
    return t->cancel && atomic_load(t->cancel) ? MODEL_CANCELLED : MODEL_OK;
}

enum model_status trainer_step(struct trainer *t, const struct train_batch *b,
                               float *loss)
{
    double sum;
    int64_t count;
    enum model_status st = run_pass(t, b, t->options.dropout, true, &sum, &count);
    if (st)
        return st;
    *loss = count ? (float)(sum / (double)count) : 0.0f;
    optimiser_step(t);
    return MODEL_OK;
}

enum model_status trainer_evaluate(struct trainer *t, const struct train_batch *b,
                                   double *sum, int64_t *count, float *nats)
{
    enum model_status st = run_pass(t, b, 0.0f, false, sum, count);
    if (!st && nats)
        memcpy(nats, t->nats, trainer_n_rows(t) * sizeof *nats);
    return st;
}

enum model_status trainer_gradients(struct trainer *t, const struct train_batch *b,
                                    double *loss, float *block)
{
    int64_t count;
    enum model_status st = run_pass(t, b, 0.0f, true, loss, &count);
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

void trainer_swap_mean(struct trainer *t)
{
    if (!t->start)
        return;
    const float share = t->options.start_share;
    t->holds_mean = !t->holds_mean;
    for (size_t i = 0; i < t->n_floats; i++) {
        const float w = t->weights[i];
        t->weights[i] = t->holds_mean ? w + share * (t->start[i] - w) : t->other[i];
        t->other[i] = w;
    }
}

void trainer_set_length(struct trainer *t, int length)
{
    const int rows = trainer_n_rows(t);
    t->options.length = length;
    t->options.batch = rows / length;
}

void trainer_set_end(struct trainer *t, int64_t max_steps, int64_t cooldown_steps)
{
    t->options.max_steps = max_steps;
    t->options.cooldown_steps = cooldown_steps;
}
