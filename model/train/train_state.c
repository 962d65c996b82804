/* What a trainer leaves on disk: the model alone, or everything that the next
 * step depends on. The state is a safetensors file of three flat tensors; its
 * metadata holds the run it belongs to, and a run of another configuration, optimiser
 * or seed is refused. A run may go on in longer sequences, larger batches or at another
 * rate; what it had is recorded. Random numbers are functions of the seed and the step,
 * so the step is all there is of their state. */
#include "model/train/train_internal.h"

#include "model/weights/safetensors.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUN_TEXT = 512 };

/* bf16 is the upper half of an f32: to the nearest, ties to even. */
static uint16_t to_bf16(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    if ((bits & 0x7fffffffu) > 0x7f800000u)
        return (uint16_t)(bits >> 16 | 0x40u); /* NaN stays one */
    return (uint16_t)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

static size_t describe(struct tensor *to, const struct model_tensor *from)
{
    size_t n = 1;
    *to = (struct tensor){.n_dims = from->n_dims};
    snprintf(to->name, sizeof to->name, "%s", from->name);
    for (int i = 0; i < from->n_dims; i++) {
        to->shape[i] = from->shape[i];
        n *= (size_t)from->shape[i];
    }
    return n;
}

static enum model_status save_tensors(const struct trainer *t, const char *path,
                                      enum tensor_type type, const void *block,
                                      const struct metadata *metadata,
                                      size_t n_metadata)
{
    size_t size = type == TENSOR_BF16 ? sizeof(uint16_t) : sizeof(float);
    struct tensor *tensors = calloc(t->n_tensors, sizeof *tensors);
    if (!tensors)
        return MODEL_NO_MEMORY;
    for (size_t i = 0; i < t->n_tensors; i++) {
        tensors[i].n_bytes = describe(&tensors[i], &t->tensors[i]) * size;
        tensors[i].type = type;
        tensors[i].data = (const char *)block + t->tensors[i].offset * size;
    }
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
    for (size_t i = 0; i < t->n_floats; i++)
        half[i] = to_bf16(t->weights[i]);
    enum model_status st =
        save_tensors(t, path, TENSOR_BF16, half, metadata, n_metadata);
    free(half);
    return st;
}

/* What moments mean, and the random numbers still to come. */
static void describe_run(char *text, const struct trainer *t)
{
    const struct train_options *o = &t->options;
    snprintf(text, RUN_TEXT, "optimiser %s seed %" PRIu64,
             train_optimisers[o->optimiser], o->seed);
}

/* The rest of what changes the course of a run, for a reader; apart from how products
 * are rounded, which is the processor's affair. */
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

static struct tensor flat(const char *name, const float *data, size_t n)
{
    struct tensor tensor = {
        .type = TENSOR_F32,
        .n_dims = 1,
        .shape = {(int64_t)n},
        .data = data,
        .n_bytes = n * sizeof *data,
    };
    snprintf(tensor.name, sizeof tensor.name, "%s", name);
    return tensor;
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

    const struct tensor tensors[] = {
        flat("weights", t->weights, t->n_floats),
        flat("moment1", t->moment1, t->n_floats),
        flat("moment2", t->moment2, t->n_floats),
    };
    const struct metadata metadata[] = {
        {"config", config}, {"run", run},     {"options", options},
        {"steps", steps},   {"extra", extra},
    };
    enum model_status st =
        safetensors_save(path, tensors, sizeof tensors / sizeof *tensors, metadata,
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

/* The model's tensor that place `at` of a flat one is in. */
static const char *name_at(const struct trainer *t, size_t at)
{
    size_t i = 0;
    while (i + 1 < t->n_tensors && t->tensors[i + 1].offset <= at)
        i++;
    return t->tensors[i].name;
}

/* MODEL_BAD_TENSOR: t->fault names the tensor of one that is no number, or below what it
 * may be. */
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

/* As many as can be counted further. */
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
    const struct tensor *weights = find_flat(f, "weights", t->n_floats);
    const struct tensor *moment1 = find_flat(f, "moment1", t->n_floats);
    const struct tensor *moment2 = find_flat(f, "moment2", t->n_floats);

    if (!weights || !moment1 || !moment2 || !same_run(t, f) || !has_extra ||
        strlen(has_extra) >= n_extra || !read_count(f, "steps", &steps))
        return MODEL_BAD_RESUME;
    enum model_status st = read_flat(t, f, weights, -FLT_MAX);
    if (!st)
        st = read_flat(t, f, moment1, -FLT_MAX);
    if (!st)
        st = read_flat(t, f, moment2, 0.0f);
    if (st)
        return st;
    memcpy(t->weights, weights->data, weights->n_bytes);
    memcpy(t->moment1, moment1->data, moment1->n_bytes);
    memcpy(t->moment2, moment2->data, moment2->n_bytes);
    memcpy(extra, has_extra, strlen(has_extra) + 1);
    t->n_steps = steps;
    return MODEL_OK;
}

enum model_status trainer_load_state(struct trainer *t, const char *path, char *extra,
                                     size_t n_extra)
{
    struct safetensors *f = NULL;
    t->fault[0] = '\0';
    enum model_status st = safetensors_open(&f, path);
    if (!st)
        st = read_state(t, f, extra, n_extra);
    safetensors_close(f);
    return st;
}

const char *trainer_fault(const struct trainer *t)
{
    return t->fault;
}
