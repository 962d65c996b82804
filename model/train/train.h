/* Trains a decoder on the CPU: forward and backward passes in matrix form, AdamW
 * (Loshchilov & Hutter 2019) alone or beside Muon (Jordan 2024), a learning-rate
 * schedule, dropout, gradient clipping by global norm.
 *
 * The trainer sees only token ids. One seed gives all random numbers, and sums run in a
 * fixed order. So a run that is interrupted and resumed gives the same weights, bit for
 * bit, for any number of threads. One thread drives a trainer. */
#ifndef MODEL_TRAIN_H
#define MODEL_TRAIN_H

#include "model/weights/model.h"
#include "model/base/pool.h"

/* Muon updates the matrices within layers (train_muon.c), AdamW everything else. */
enum optimiser { OPTIMISER_ADAMW, OPTIMISER_MUON };
/* After a linear warm-up: half a cosine from lr to min_lr at max_steps; or constant lr,
 * then a straight line to min_lr. */
enum rate_schedule { SCHEDULE_COSINE, SCHEDULE_LINEAR };
extern const char *const train_optimisers[]; /* their names, NULL at the end */
extern const char *const train_schedules[];

struct train_options {
    int batch, length; /* sequences per step, tokens per sequence */
    int shortest;      /* least length of trainer_set_length; 0: `length` */
    int source_length; /* most tokens an encoder reads; 0 without one */
    int64_t max_steps; /* where the schedule ends */
    int64_t warmup_steps;
    int64_t cooldown_steps; /* last steps, on the straight line; 0: lr stays constant */
    enum optimiser optimiser;
    enum rate_schedule schedule;
    float lr, min_lr;                      /* peak, and where the schedule ends */
    float momentum;                        /* Muon's */
    float adam_share;                      /* AdamW's share of the rate, beside Muon */
    float beta1, beta2, eps, weight_decay; /* decay on matrices only */
    float clip;        /* most global norm of AdamW's gradients; 0: off */
    float dropout;     /* on embeddings and each residual branch */
    float start_share; /* of the first weights in trainer_swap_mean, 0 to 1 */
    uint64_t seed;
    bool bf16;           /* matrix products in bf16 where the processor can: twice as */
                         /* fast, with AMX more; weights and sums stay f32 */
    const int32_t *like; /* as model_grow's, or NULL; only create reads it */
    const struct model_state_kind *state; /* of a model with a state table; outlives the
                                             trainer */
};

struct trainer;

/* Starts from random weights, or from `from` if not NULL; `from` must grow into c
 * (model/weights/grow.h). MODEL_OTHER_TOKENS: o->state does not fit c's state table. */
enum model_status trainer_create(struct trainer **out, const struct model_config *c,
                                 const struct train_options *o,
                                 const struct model *from, struct pool *pool);
void trainer_destroy(struct trainer *t);

/* Rows of tokens, borrowed; all [batch, length]. A negative target is not counted.
 * times NULL: each token's time is its position. Only models with time use them. */
struct train_batch {
    const int32_t *tokens, *targets, *times;
    /* [batch, source_length] for an encoder. A source ends before its first negative
     * token and has at least one token. */
    const int32_t *sources, *source_times;
};

/* While *flag is true, a pass is given up: trainer_step and trainer_evaluate come back with
 * MODEL_CANCELLED after the pool's longest task (tenths of a second for a large batch), and
 * nothing has changed. Only a step's last part, the update of the weights, is always finished.
 * NULL: none is. */
void trainer_set_cancel(struct trainer *t, const atomic_bool *flag);

/* One optimiser step; *loss is the mean nats per counted token. */
enum model_status trainer_step(struct trainer *t, const struct train_batch *b,
                               float *loss);
/* Loss without dropout or update: the sum of nats and the count. If nats is not NULL,
 * it gets each token's ([batch, length], 0 where not counted). */
enum model_status trainer_evaluate(struct trainer *t, const struct train_batch *b,
                                   double *sum, int64_t *count, float *nats);
/* Gradients of the mean loss without dropout or update, for tests. */
enum model_status trainer_gradients(struct trainer *t, const struct train_batch *b,
                                    double *loss, float *block);

/* Exchanges the weights for their mean with the first weights, which have `start_share` of it
 * (the end of a run at a high rate gains by it: Wortsman et al. 2022, "Robust fine-tuning of
 * zero-shot models"); called again, gives them back, to the bit. Does nothing with a share of 0.
 * No steps in between. */
void trainer_swap_mean(struct trainer *t);

/* Divides the rows of the next passes into sequences of this length: as many more as they are
 * shorter. It divides the length of the trainer's options and is at least their `shortest`. A
 * trainer with an encoder has one length. */
void trainer_set_length(struct trainer *t, int length);

int64_t trainer_steps(const struct trainer *t); /* optimiser steps done */
float trainer_learning_rate(const struct trainer *t);
float trainer_gradient_norm(
    const struct trainer *t);            /* of the last step, before clipping */
float *trainer_block(struct trainer *t); /* the weights, laid out by model_tensors */
const struct model_config *trainer_config(const struct trainer *t);
const struct train_options *trainer_options(const struct trainer *t);
/* Moves the end of the schedule, for a run limited in minutes instead of steps. */
void trainer_set_end(struct trainer *t, int64_t max_steps, int64_t cooldown_steps);

/* The weights alone, as a model, in f32 or in bf16, half the size; metadata strings as
 * safetensors.h. */
struct metadata;
enum model_status trainer_save_model(const struct trainer *t, const char *path,
                                     bool bf16, const struct metadata *metadata,
                                     size_t n_metadata);
/* Weights, moments, step and random state, in one safetensors file, with the caller's
 * own state `extra` (its data cursor). */
enum model_status trainer_save_state(const struct trainer *t, const char *path,
                                     const char *extra);
/* The trainer must have been created with the same configuration, optimiser and seed.
 * Its other options stay its own; with the same options it goes on as if never stopped.
 * On failure nothing changes. MODEL_BAD_TENSOR: a number is not finite, or a mean
 * square is negative; trainer_fault names the tensor. */
enum model_status trainer_load_state(struct trainer *t, const char *path, char *extra,
                                     size_t n_extra);
const char *trainer_fault(const struct trainer *t); /* of the last load; "": none */

#endif
