/* Training a decoder on the CPU: forward and backward in matrix form, AdamW
 * (Loshchilov & Hutter 2019) alone or beside Muon (Jordan 2024), a schedule of the
 * learning rate, dropout, gradient clipping by global norm.
 *
 * The trainer sees only token ids. Everything is drawn from one seed and
 * summed in a fixed order, so a run that is interrupted and resumed gives the
 * same weights, bit for bit, whatever the number of threads. One thread drives
 * a trainer; the pool does the work. */
#ifndef MODEL_TRAIN_H
#define MODEL_TRAIN_H

#include "model/weights/model.h"
#include "model/base/pool.h"

/* Muon is for the matrices within layers (train_muon.c); the rest stays AdamW's. */
enum optimiser { OPTIMISER_ADAMW, OPTIMISER_MUON };
/* After a linear warm-up: half a cosine from lr to min_lr at max_steps; or lr, and at
 * last a straight line to min_lr. */
enum rate_schedule { SCHEDULE_COSINE, SCHEDULE_LINEAR };
extern const char *const train_optimisers[]; /* their names, NULL at the end */
extern const char *const train_schedules[];

struct train_options {
    int batch, length; /* sequences per step, tokens per sequence */
    int source_length; /* tokens an encoder reads, at most; 0 without one */
    int64_t max_steps; /* of the schedule */
    int64_t warmup_steps;
    int64_t cooldown_steps; /* of the straight line, the last; 0: the rate stays */
    enum optimiser optimiser;
    enum rate_schedule schedule;
    float lr, min_lr;                      /* peak, and where the schedule ends */
    float momentum;                        /* Muon's */
    float adam_share;                      /* of the rate, for AdamW beside Muon */
    float beta1, beta2, eps, weight_decay; /* decay on matrices only */
    float clip;    /* global gradient norm, for what AdamW does; 0: off */
    float dropout; /* on embeddings and each residual branch */
    uint64_t seed;
    bool bf16;           /* matrix products in bf16 where the processor can: twice as */
                         /* fast, with AMX more; weights and sums stay f32 */
    const int32_t *like; /* of model_grow; borrowed by create only, or NULL */
    const struct model_state_kind *state; /* of a model with a state table; outlives the
                                             trainer */
};

struct trainer;

/* Starts from random weights, or from `from` when it is not NULL and grows into c
 * (model/weights/grow.h). MODEL_OTHER_TOKENS: o->state does not fit c's state table. */
enum model_status trainer_create(struct trainer **out, const struct model_config *c,
                                 const struct train_options *o,
                                 const struct model *from, struct pool *pool);
void trainer_destroy(struct trainer *t);

/* Rows of tokens, borrowed; all [batch, length]. A target below 0 is not counted.
 * times NULL: every row's places; they matter only to a model that has them. */
struct train_batch {
    const int32_t *tokens, *targets, *times;
    /* [batch, source_length] for an encoder; a source ends before its first token
     * below 0, and has at least one. */
    const int32_t *sources, *source_times;
};

/* One optimiser step; *loss is the mean nats per counted token. */
enum model_status trainer_step(struct trainer *t, const struct train_batch *b,
                               float *loss);
/* Loss without dropout or update: sum of nats and the count, also per token
 * when nats is not NULL ([batch, length], 0 where not counted). */
enum model_status trainer_evaluate(struct trainer *t, const struct train_batch *b,
                                   double *sum, int64_t *count, float *nats);
/* Gradients of the mean loss without dropout or update, for tests. */
enum model_status trainer_gradients(struct trainer *t, const struct train_batch *b,
                                    double *loss, float *block);

int64_t trainer_steps(const struct trainer *t); /* optimiser steps done */
float trainer_learning_rate(const struct trainer *t);
float trainer_gradient_norm(
    const struct trainer *t);            /* of the last step, before clipping */
float *trainer_block(struct trainer *t); /* the weights, laid out by model_tensors */
const struct model_config *trainer_config(const struct trainer *t);
const struct train_options *trainer_options(const struct trainer *t);
/* Moves the end of the schedule, when a run is given minutes and not steps. */
void trainer_set_end(struct trainer *t, int64_t max_steps, int64_t cooldown_steps);

/* The weights alone, as a model; metadata strings as safetensors.h. */
struct metadata;
enum model_status trainer_save_model(const struct trainer *t, const char *path,
                                     const struct metadata *metadata,
                                     size_t n_metadata);
/* The same in bf16, half the size. */
enum model_status trainer_save_model_bf16(const struct trainer *t, const char *path,
                                          const struct metadata *metadata,
                                          size_t n_metadata);
/* Weights, moments, step and random state, in one safetensors file. `extra` is
 * the caller's own state (its data cursor), kept with it. */
enum model_status trainer_save_state(const struct trainer *t, const char *path,
                                     const char *extra);
/* The trainer must have been created with the same configuration, optimiser and seed;
 * the other options may differ, and are the trainer's own. With the same options it goes
 * on as if it had never stopped. On failure nothing changes. MODEL_BAD_TENSOR: it
 * holds what is no number, or a negative mean square; trainer_fault names where. */
enum model_status trainer_load_state(struct trainer *t, const char *path, char *extra,
                                     size_t n_extra);
const char *trainer_fault(const struct trainer *t); /* of the last load; "": none */

#endif
