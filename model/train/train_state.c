/* What a trainer saves: the model alone, or all that the next step depends on, the state.
 * The state is a safetensors file of three flat tensors. Its metadata describes the run,
 * and loading refuses another configuration, optimiser or seed. A run may go on with
 * longer sequences, larger batches or another rate; the file records its options for a
 * reader. Random numbers are functions of the seed and the step, so the number of the
 * step is their whole state. */
#include "model/train/train_internal.h"

#include "model/kernels/bf16.h"
#include "model/weights/safetensors.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUN_TEXT = 512 };

enum model_status trainer_save_model(const struct trainer *t, const char *path,
                                     bool bf16, const struct metadata *metadata,
                                     size_t n_metadata)
{
    struct tensor *tensors = calloc(t->n_tensors, sizeof *tensors);
    uint16_t *halves = bf16 ? calloc(t->n_floats, sizeof *halves) : NULL;
    enum model_status st = tensors && (halves || !bf16) ? MODEL_OK : MODEL_NO_MEMORY;
    for (size_t i = 0; !st && i < t->n_tensors; i++) {
        const struct model_tensor *as = &t->tensors[i];
        const float *from = t->weights + as->offset;
        for (size_t k = 0; bf16 && k < model_tensor_size(as); k++)
            halves[as->offset + k] = bf16_round(from[k]);
        tensors[i] = bf16 ? tensor_of(as, TENSOR_BF16, halves + as->offset)
                          : tensor_of(as, TENSOR_F32, from);
    }
    if (!st)
        st = safetensors_save(path, tensors, t->n_tensors, metadata, n_metadata);
    free(halves);
    free(tensors);
    return st;
}

/* The options on which the moments and the future random numbers depend. */
static void describe_run(char *text, const struct trainer *t)
{
    const struct train_options *o = &t->options;
    snprintf(text, RUN_TEXT, "optimiser %s seed %" PRIu64,
             train_optimisers[o->optimiser], o->seed);
}

/* The other options that affect a run, for a reader. How products are rounded is left
 * out, because it depends on the processor. */
static void describe_options(char *text, const struct trainer *t)
{
    const struct train_options *o = &t->options;
    snprintf(text, RUN_TEXT,
             "batch %d length %d source %d steps %" PRId64 " warmup %" PRId64
             " schedule %s cooldown %" PRId64
             " lr %.9g %.9g beta %.9g %.9g eps %.9g momentum %.9g adam share %.9g "
             "decay %.9g clip %.9g dropout %.9g",
             o->batch, o->length, o->source_length, o->max_steps, o->warmup_steps,
             train_schedules[o->schedule], o->cooldown_steps, (double)o->lr,
             (double)o->min_lr, (double)o->beta1, (double)o->beta2, (double)o->eps,
             (double)o->momentum, (double)o->adam_share, (double)o->weight_decay,
             (double)o->clip, (double)o->dropout);
}

static bool same_run(const struct trainer *t, const struct safetensors *f)
{
    char run[RUN_TEXT];
    struct model_config config;
    const char *has_run = safetensors_metadata(f, "run");
    describe_run(run, t);
    return has_run && !strcmp(has_run, run) &&
           !model_config_parse(&config, safetensors_metadata(f, "config"), NULL, 0) &&
           model_config_equal(&config, &t->config);
}

/* The flat tensors of a state. */
enum { WEIGHTS, MOMENT1, MOMENT2, N_FLAT };
static const char *const FLAT_NAMES[] = {"weights", "moment1", "moment2"};

static float *flat_at(const struct trainer *t, int i)
{
    return i == WEIGHTS ? t->weights : i == MOMENT1 ? t->moment1 : t->moment2;
}

enum model_status trainer_save_state(const struct trainer *t, const char *path,
                                     const char *extra)
{
    char run[RUN_TEXT], options[RUN_TEXT], steps[24];
    char *config = model_config_json(&t->config);
    if (!config)
        return MODEL_NO_MEMORY;
    describe_run(run, t);
    describe_options(options, t);
    snprintf(steps, sizeof steps, "%" PRId64, t->n_steps);

    struct tensor tensors[N_FLAT];
    for (int i = 0; i < N_FLAT; i++) {
        struct model_tensor as = {.n_dims = 1, .shape = {(int64_t)t->n_floats, 1}};
        snprintf(as.name, sizeof as.name, "%s", FLAT_NAMES[i]);
        tensors[i] = tensor_of(&as, TENSOR_F32, flat_at(t, i));
    }
    const struct metadata metadata[] = {
        {"config", config}, {"run", run},     {"options", options},
        {"steps", steps},   {"extra", extra},
    };
    enum model_status st = safetensors_save(path, tensors, N_FLAT, metadata,
                                            sizeof metadata / sizeof *metadata);
    free(config);
    return st;
}

/* Reads a flat tensor. MODEL_BAD_TENSOR: a number is not finite or below `least`, and
 * t->fault names its tensor. */
static enum model_status read_flat(struct trainer *t, const struct safetensors *f,
                                   const struct tensor *flat, float least)
{
    const float *x = flat->data;
    enum model_status st = safetensors_read(f, flat);
    if (st)
        return st;
    for (const struct model_tensor *of = t->tensors; of < t->tensors + t->n_tensors;
         of++)
        for (size_t n = model_tensor_size(of), i = of->offset; i < of->offset + n; i++)
            if (!isfinite(x[i]) || x[i] < least) {
                snprintf(t->fault, sizeof t->fault, "%s of %s", flat->name, of->name);
                return MODEL_BAD_TENSOR;
            }
    return MODEL_OK;
}

/* Reads a count of the metadata. False: it is not a count, or too large to count on from. */
static bool read_count(const struct safetensors *f, const char *key, int64_t *count)
{
    const char *text = safetensors_metadata(f, key);
    char *end;
    if (!text)
        return false;
    *count = strtoll(text, &end, 10);
    return end != text && !*end && *count >= 0 && *count <= INT64_MAX / 2;
}

static enum model_status read_state(struct trainer *t, const struct safetensors *f,
                                    char *extra, size_t n_extra)
{
    int64_t steps;
    const char *has_extra = safetensors_metadata(f, "extra");
    const struct tensor *flat[N_FLAT];
    for (int i = 0; i < N_FLAT; i++) {
        flat[i] = safetensors_find(f, FLAT_NAMES[i]);
        if (!flat[i] || flat[i]->type != TENSOR_F32 ||
            flat[i]->n_bytes != t->n_floats * sizeof(float))
            return MODEL_BAD_RESUME;
    }
    if (!same_run(t, f) || !has_extra || strlen(has_extra) >= n_extra ||
        !read_count(f, "steps", &steps))
        return MODEL_BAD_RESUME;
    for (int i = 0; i < N_FLAT; i++) {
        enum model_status st = read_flat(t, f, flat[i], i == MOMENT2 ? 0.0f : -FLT_MAX);
        if (st)
            return st;
    }
    for (int i = 0; i < N_FLAT; i++)
        memcpy(flat_at(t, i), flat[i]->data, flat[i]->n_bytes);
    memcpy(extra, has_extra, strlen(has_extra) + 1);
    t->n_steps = steps;
    return MODEL_OK;
}

enum model_status trainer_load_state(struct trainer *t, const char *path, char *extra,
                                     size_t n_extra)
{
    struct safetensors *f = NULL;
    t->fault[0] = '\0';
    enum model_status st = safetensors_open(&f, path, NULL, 0, NULL, 0);
    if (!st)
        st = read_state(t, f, extra, n_extra);
    safetensors_close(f);
    return st;
}

const char *trainer_fault(const struct trainer *t)
{
    return t->fault;
}
