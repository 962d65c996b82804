/* Trains a decoder on the CPU: forward and backward passes by matrix products; AdamW
 * (Loshchilov & Hutter 2019), alone or with Muon (Jordan 2024); a learning-rate schedule;
 * dropout; and clipping of gradients by their global norm.
 *
 * The trainer sees token ids only. All random numbers come from one seed, and sums run in
 * a fixed order. So a run that is interrupted and resumed gives the same weights, bit for
 * bit, for any number of threads. One thread drives a trainer. */
#ifndef MODEL_TRAIN_H
#define MODEL_TRAIN_H

#include "model/weights/model.h"
#include "model/base/pool.h"

/* With Muon, the matrices within layers are updated by Muon and all else by AdamW. */
enum optimiser { OPTIMISER_ADAMW, OPTIMISER_MUON };
/* The schedule after a linear warm-up. COSINE: half a cosine from lr to min_lr at
 * max_steps. LINEAR: lr is constant, and during the last cooldown_steps falls along a
 * straight line to min_lr. */
enum rate_schedule { SCHEDULE_COSINE, SCHEDULE_LINEAR };
extern const char *const train_optimisers[]; /* their names in files; NULL at the end */
extern const char *const train_schedules[];

struct train_options {
    int batch, length; /* sequences per step, tokens per sequence */
    int shortest;      /* the least length for trainer_set_length; 0: `length` */
    int source_length; /* the most tokens of a source; 0 without an encoder */
    int64_t max_steps; /* the end of the schedule */
    int64_t warmup_steps;
    int64_t cooldown_steps; /* 0: with SCHEDULE_LINEAR, lr stays constant */
    enum optimiser optimiser;
    enum rate_schedule schedule;
    float lr, min_lr; /* the rate at its peak and at the end */
    float momentum;   /* of Muon */
    float adam_share; /* the share of the rate for AdamW beside Muon */
    float beta1, beta2, eps, weight_decay; /* weight_decay applies to matrices only */
    float clip;    /* largest global norm before AdamW's gradients shrink; 0: none */
    float dropout; /* of embeddings and of each residual branch */
    float start_share; /* the share of the first weights in trainer_swap_mean, 0 to 1 */
    uint64_t seed;
    bool bf16; /* rounds the factors of products to bf16 where that is faster */
    const int32_t *like; /* as in model_grow, or NULL; only trainer_create reads it */
    const struct model_state_kind *state; /* of a state table; outlives the trainer */
};

struct trainer;

/* Creates a trainer that starts from random weights or, if `from` is not NULL, from those
 * of a model that grows into c (model/weights/grow.h). MODEL_OTHER_TOKENS: o->state does
 * not fit c's state table. */
enum model_status trainer_create(struct trainer **out, const struct model_config *c,
                                 const struct train_options *o,
                                 const struct model *from, struct pool *pool);
void trainer_destroy(struct trainer *t);

/* A batch, borrowed: arrays of [batch, length]. A negative target is not counted. times
 * NULL: each token's time is its position; only models that use times read them. */
struct train_batch {
    const int32_t *tokens, *targets, *times;
    /* [batch, source_length] for an encoder. A source ends before its first negative
     * token and has at least one token. */
    const int32_t *sources, *source_times;
};

/* Sets the cancel flag; NULL: none. While *flag is true, trainer_step and
 * trainer_evaluate give up their pass: they return MODEL_CANCELLED after the pool's
 * longest task (tenths of a second for a large batch), and nothing has changed. Only the
 * last part of a step, the update of the weights, is always finished. */
void trainer_set_cancel(struct trainer *t, const atomic_bool *flag);

/* Does one step of the optimiser. *loss is the mean nats per counted token. */
enum model_status trainer_step(struct trainer *t, const struct train_batch *b,
                               float *loss);
/* Evaluates a batch, without dropout or update: *sum is the nats of all *count counted
 * tokens. nats, unless NULL, receives each token's, [batch, length]; 0 where a token is
 * not counted. */
enum model_status trainer_evaluate(struct trainer *t, const struct train_batch *b,
                                   double *sum, int64_t *count, float *nats);
/* The gradients of the mean loss, without dropout or update. For tests. */
enum model_status trainer_gradients(struct trainer *t, const struct train_batch *b,
                                    double *loss, float *block);

/* Exchanges the weights for the mean of them and the first weights, of which
 * `start_share` is the share. The end of a run at a high rate gains by that (Wortsman et
 * al. 2022, "Robust fine-tuning of zero-shot models"). A second call gives the weights
 * back, to the bit. With a share of 0 it does nothing. No step may come in between. */
void trainer_swap_mean(struct trainer *t);

/* Sets the length of the sequences of the next passes. The batch has as many more
 * sequences as they are shorter. The length must divide the `length` of the options and
 * be at least their `shortest`. A trainer with an encoder has one length. */
void trainer_set_length(struct trainer *t, int length);

int64_t trainer_steps(const struct trainer *t); /* the steps of the optimiser so far */
float trainer_learning_rate(const struct trainer *t);
float trainer_gradient_norm(
    const struct trainer *t); /* of the last step, before clipping */
float *
trainer_block(struct trainer *t); /* the weights, at the offsets of model_tensors */
const struct model_config *trainer_config(const struct trainer *t);
const struct train_options *trainer_options(const struct trainer *t);
/* Moves the end of the schedule, for a run that is limited in minutes instead of steps. */
void trainer_set_end(struct trainer *t, int64_t max_steps, int64_t cooldown_steps);

/* Saves the weights as a model, in f32, or in bf16, which takes half the space; with
 * metadata as in safetensors.h. */
struct metadata;
enum model_status trainer_save_model(const struct trainer *t, const char *path,
                                     bool bf16, const struct metadata *metadata,
                                     size_t n_metadata);
/* Saves all that the next step depends on in one safetensors file: weights, moments, the
 * number of the step, which random numbers depend on, and the caller's own state `extra`
 * (its place in the data). */
enum model_status trainer_save_state(const struct trainer *t, const char *path,
                                     const char *extra);
/* Loads what trainer_save_state has saved. The trainer must have been created with the
 * same configuration, optimiser and seed. Its other options stay as they are; if they are
 * the same, too, the run goes on as if it had never stopped. On failure nothing changes.
 * MODEL_BAD_TENSOR: a number is not finite, or a mean square is negative; trainer_fault
 * names the tensor. */
enum model_status trainer_load_state(struct trainer *t, const char *path, char *extra,
                                     size_t n_extra);
const char *
trainer_fault(const struct trainer *t); /* of the last load; "": no tensor */

#endif
