/* What a trainer saves: the model alone, or everything the next step depends on. The
 * state is a safetensors file of three flat tensors. Its metadata describes the run;
 * loading refuses another configuration, optimiser or seed. A run may go on with longer
 * sequences, larger batches or another rate; its old options are recorded. Random
 * numbers are functions of the seed and the step, so the step is their whole state. */
#include "model/train/train_internal.h"

#include "model/kernels/kernels.h"
#include "model/weights/safetensors.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUN_TEXT = 512 };

static enum model_status save_tensors(const struct trainer *t, const char *path,
                                      enum tensor_type type, const void *block,
                                      const struct metadata *metadata,
                                      size_t n_metadata)
{
    struct tensor *tensors =
        t->n_tensors ? calloc(t->n_tensors, sizeof *tensors) : NULL;
    if (!tensors)
        return MODEL_NO_MEMORY;
    for (size_t i = 0; i < t->n_tensors; i++)
        tensors[i] = tensor_of(&t->tensors[i], type,
                               (const char *)block +
                                   t->tensors[i].offset * tensor_types[type].size);
    enum model_status st =
        safetensors_save(path, tensors, t->n_tensors, metadata, n_metadata);
    free(tensors);
    return st;
}

enum model_status trainer_save_model(const struct trainer *t, const char *path,
                                     const struct metadata *metadata, size_t n_metadata)
{
    return save_tensors(t, path, TENSOR_F32, t->weights, metadata, n_metadata);
}

enum model_status trainer_save_model_bf16(const struct trainer *t, const char *path,
                                          const struct metadata *metadata,
                                          size_t n_metadata)
{
    uint16_t *half = calloc(t->n_floats, sizeof *half);
    if (!half)
        return MODEL_NO_MEMORY;
    for (size_t i = 0; i < t->n_tensors; i++) {
        const struct model_tensor *tensor = &t->tensors[i];
        kernels_best()->to_bf16(half + tensor->offset, t->weights + tensor->offset,
                                (int)model_tensor_size(tensor));
    }
    enum model_status st =
        save_tensors(t, path, TENSOR_BF16, half, metadata, n_metadata);
    free(half);
    return st;
}

/* What the moments and future random numbers depend on. */
static void describe_run(char *text, const struct trainer *t)
{
    const struct train_options *o = &t->options;
    snprintf(text, RUN_TEXT, "optimiser %s seed %" PRIu64,
             train_optimisers[o->optimiser], o->seed);
}

/* The other options that affect a run, for a reader. How products are rounded is left
 * out: it depends on the processor. */
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

static const struct tensor *find_flat(const struct safetensors *f, const char *name,
                                      size_t n)
{
    const struct tensor *tensor = safetensors_find(f, name);
    if (!tensor || tensor->type != TENSOR_F32 || tensor->n_bytes != n * sizeof(float))
        return NULL;
    return tensor;
}

/* The name of the model tensor that index `at` of a flat tensor is in. */
static const char *name_at(const struct trainer *t, size_t at)
{
    size_t i = 0;
    while (i + 1 < t->n_tensors && t->tensors[i + 1].offset <= at)
        i++;
    return t->tensors[i].name;
}

/* MODEL_BAD_TENSOR: a number is not finite, or below `least`; t->fault names where. */
static enum model_status read_flat(struct trainer *t, const struct safetensors *f,
                                   const struct tensor *flat, float least)
{
    const float *x = flat->data;
    enum model_status st = safetensors_read(f, flat);
    if (st)
        return st;
    for (size_t i = 0; i < t->n_floats; i++)
        if (!isfinite(x[i]) || x[i] < least) {
            snprintf(t->fault, sizeof t->fault, "%s of %s", flat->name, name_at(t, i));
            return MODEL_BAD_TENSOR;
        }
    return MODEL_OK;
}

/* False: no count, or one too large to be counted on from. */
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
    for (int i = 0; i < N_FLAT; i++)
        if (!(flat[i] = find_flat(f, FLAT_NAMES[i], t->n_floats)))
            return MODEL_BAD_RESUME;
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
    enum model_status st = safetensors_open(&f, path, NULL, 0);
    if (!st)
        st = read_state(t, f, extra, n_extra);
    safetensors_close(f);
    return st;
}

const char *trainer_fault(const struct trainer *t)
{
    return t->fault;
}
