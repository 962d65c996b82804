/* Rows of eight-bit weights, and reading them from a file that is not trusted. See
 * quantise.h; writing whole models is in quantise_save.c. */
#include "model/weights/quantise.h"

#include "model/kernels/packed.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

bool quantise_may_be_int8(const struct model_tensor *t)
{
    return t->n_dims == 2 &&
           (strstr(t->name, ".weight") || strstr(t->name, ".value_embedding")) &&
           strcmp(t->name, "position_embedding.weight") != 0;
}

/* Rounds to 17 significant bits, 7 fewer than an f32 has: the bits of an integer. */
static float row_scale(const float *row, size_t n)
{
    uint32_t bits;
    float scale = packed_largest(row, n) / (float)QUANTISE_MAX;
    memcpy(&bits, &scale, sizeof bits);
    bits = (bits + 0x40u) & ~0x7fu;
    memcpy(&scale, &bits, sizeof bits);
    return scale < FLT_MIN ? 0.0f : scale; /* a subnormal has fewer bits */
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
