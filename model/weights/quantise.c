/* See quantise.h. First come rows of 8-bit weights and reading them from a file that is
 * not trusted. Then comes saving a whole model: each tensor of the model becomes one of
 * the file, or two if it has scales. Errors are measured against what a reader will get. */
#include "model/weights/quantise.h"

#include "model/kernels/bf16.h"
#include "model/kernels/packed.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool quantise_may_be_int8(const struct model_tensor *t)
{
    return t->n_dims == 2 &&
           (strstr(t->name, ".weight") || strstr(t->name, ".value_embedding")) &&
           strcmp(t->name, "position_embedding.weight") != 0;
}

/* The scale of a row, rounded to 17 significant bits. Those are 7 fewer than f32 has, as
 * many as an integer of the row needs, so a product of both is exact. */
static float row_scale(const float *row, size_t n)
{
    uint32_t bits;
    float scale = packed_largest(row, n) / (float)QUANTISE_MAX;
    memcpy(&bits, &scale, sizeof bits);
    bits = (bits + 0x40u) & ~0x7fu;
    memcpy(&scale, &bits, sizeof bits);
    return scale < FLT_MIN ? 0.0f : scale; /* a subnormal number has fewer bits */
}

float quantise_row(int8_t *to, const float *from, size_t n)
{
    float scale = row_scale(from, n);
    for (size_t i = 0; i < n; i++)
        to[i] = scale > 0.0f ? (int8_t)rintf(from[i] / scale) : 0;
    return scale;
}

void quantise_widen_row(float *to, const int8_t *from, float scale, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] = (float)from[i] * scale;
}

/* The scale of a row; the data may be at any address. */
static float scale_at(const struct tensor *scales, size_t row)
{
    float scale;
    memcpy(&scale, (const char *)scales->data + row * sizeof scale, sizeof scale);
    return scale;
}

const struct tensor *quantise_find_scales(const struct safetensors *f,
                                          const struct model_tensor *t, char *name)
{
    snprintf(name, sizeof((struct tensor *)0)->name, "%s_scale", t->name);
    const struct tensor *scales = safetensors_find(f, name);
    if (!scales || scales->type != TENSOR_F32 || scales->n_dims != 1 ||
        scales->shape[0] != t->shape[0] || safetensors_read(f, scales))
        return NULL;
    for (size_t row = 0; row < (size_t)t->shape[0]; row++) {
        float scale = scale_at(scales, row);
        if (!isfinite(scale) || scale < 0.0f)
            return NULL;
    }
    return scales;
}

void quantise_widen(float *to, const struct tensor *weights,
                    const struct tensor *scales)
{
    size_t rows = (size_t)weights->shape[0], columns = (size_t)weights->shape[1];
    const int8_t *from = weights->data;
    for (size_t row = 0; row < rows; row++)
        quantise_widen_row(to + row * columns, from + row * columns,
                           scale_at(scales, row), columns);
}

/* The file that is being made. It owns the data of its tensors, which is from malloc. */
struct draft {
    struct tensor *tensors; /* [2 n_listed] */
    size_t n;
    struct quantise_error *error; /* until the end, `mean` is a sum */
    float *row;                   /* [widest] a row as a reader will widen it */
};

/* Adds a tensor to the draft and returns its data, for the caller to fill. NULL: out of
 * memory. */
static void *add_tensor(struct draft *d, const struct model_tensor *as,
                        enum tensor_type type)
{
    const size_t n = model_tensor_size(as);
    void *data = n ? calloc(n, tensor_types[type].size) : NULL;
    d->tensors[d->n] = tensor_of(as, type, data);
    d->tensors[d->n].data = data; /* owned by the draft */
    d->n += data != NULL;
    return data;
}

/* Counts the error of d->row against the original row `was`. */
static void note_error(struct draft *d, const struct model_tensor *t, int64_t row,
                       const float *was)
{
    double moved = 0, size = 0;
    for (int64_t i = 0; i < t->shape[1]; i++) {
        double by = (double)d->row[i] - (double)was[i];
        moved += by * by;
        size += (double)was[i] * (double)was[i];
    }
    struct quantise_error *e = d->error;
    double error = size > 0 ? sqrt(moved / size) : 0;
    e->n_rows++;
    e->mean += error;
    if (error > e->largest) {
        e->largest = error;
        e->row = row;
        snprintf(e->tensor, sizeof e->tensor, "%s", t->name);
    }
}

static enum model_status add_int8(struct draft *d, const struct model_tensor *t)
{
    const float *from = t->at;
    const size_t columns = (size_t)t->shape[1];
    const struct model_tensor of_rows = {.n_dims = 1, .shape = {t->shape[0], 1}};
    int8_t *to = add_tensor(d, t, TENSOR_I8);
    struct tensor *added = &d->tensors[d->n];
    float *scales = to ? add_tensor(d, &of_rows, TENSOR_F32) : NULL;
    if (!scales)
        return MODEL_NO_MEMORY;
    snprintf(added->name, sizeof added->name, "%s_scale", t->name);
    for (int64_t row = 0; row < t->shape[0]; row++) {
        scales[row] = quantise_row(to, from, columns);
        quantise_widen_row(d->row, to, scales[row], columns);
        note_error(d, t, row, from);
        to += columns;
        from += columns;
    }
    return MODEL_OK;
}

static enum model_status add_bf16(struct draft *d, const struct model_tensor *t)
{
    const float *from = t->at;
    uint16_t *to = add_tensor(d, t, TENSOR_BF16);
    if (!to)
        return MODEL_NO_MEMORY;
    for (int64_t row = 0; row < t->shape[0]; row++) {
        for (int64_t i = 0; i < t->shape[1]; i++, to++) {
            *to = bf16_round(from[i]);
            d->row[i] = bf16_widen(*to);
        }
        if (t->n_dims == 2)
            note_error(d, t, row, from);
        from += t->shape[1];
    }
    return MODEL_OK;
}

/* Adds a tensor without loss: in bf16 if the lower halves of all numbers are zero, else
 * in f32. */
static enum model_status add_same(struct draft *d, const struct model_tensor *t)
{
    const float *from = t->at;
    size_t n = model_tensor_size(t);
    uint32_t bits, lower = 0;
    for (size_t i = 0; i < n; i++) {
        memcpy(&bits, &from[i], sizeof bits);
        lower |= bits & 0xffffu;
    }
    const bool half = !lower;
    void *to = add_tensor(d, t, half ? TENSOR_BF16 : TENSOR_F32);
    if (!to)
        return MODEL_NO_MEMORY;
    if (!half)
        memcpy(to, from, n * sizeof *from);
    for (size_t i = 0; half && i < n; i++)
        ((uint16_t *)to)[i] = bf16_round(from[i]);
    return MODEL_OK;
}

/* Replaces the addresses in the list by those of the mean with another model, which is in
 * *block, from malloc. */
static enum model_status take_mean(struct model_tensor *list, size_t n, size_t n_floats,
                                   const struct model *other, float **block)
{
    struct model_tensor *others;
    size_t n_others_floats;
    if (!model_tensors(&other->config, &other->weights, &others, &n_others_floats))
        return MODEL_NO_MEMORY;
    *block = malloc(n_floats * sizeof **block);
    for (size_t i = 0; *block && i < n; i++) {
        const float *a = list[i].at, *b = others[i].at;
        float *mean = *block + list[i].offset;
        for (size_t k = 0; k < model_tensor_size(&list[i]); k++)
            mean[k] = a[k] / 2 + b[k] / 2;
        list[i].at = mean;
    }
    free(others);
    return *block ? MODEL_OK : MODEL_NO_MEMORY;
}

enum model_status quantise_save(const struct model *m, const struct model *other,
                                const char *path, enum tensor_type type,
                                const struct metadata *metadata, size_t n_metadata,
                                struct quantise_error *error)
{
    float *block = NULL;
    struct model_tensor *list;
    int64_t widest = 1;
    size_t n_floats, n = model_tensors(&m->config, &m->weights, &list, &n_floats);
    for (size_t i = 0; i < n; i++)
        widest = list[i].shape[1] > widest ? list[i].shape[1] : widest;
    struct draft d = {.error = error,
                      .tensors = calloc(2 * n + 1, sizeof *d.tensors),
                      .row = calloc((size_t)widest, sizeof *d.row)};
    enum model_status st = n && d.tensors && d.row ? MODEL_OK : MODEL_NO_MEMORY;
    *error = (struct quantise_error){0};
    if (!st && other)
        st = take_mean(list, n, n_floats, other, &block);
    for (size_t i = 0; !st && i < n; i++)
        st = type == TENSOR_BF16              ? add_bf16(&d, &list[i])
             : quantise_may_be_int8(&list[i]) ? add_int8(&d, &list[i])
                                              : add_same(&d, &list[i]);
    if (error->n_rows)
        error->mean /= (double)error->n_rows;
    if (!st)
        st = safetensors_save(path, d.tensors, d.n, metadata, n_metadata);
    for (size_t i = 0; i < d.n; i++)
        free((void *)d.tensors[i].data);
    free(d.tensors);
    free(d.row);
    free(block);
    free(list);
    return st;
}
