/* The plain set, the reference for the others' tests. See packed_kernels.h. */
#include "model/base/cpu_level.h"
#include "model/weights/packed_sets.h"
#include "model/weights/quantise.h"

#include <math.h>
#include <string.h>

/* Stores each value plus 128, and 128 as padding. */
static float prepare_int8(void *to, const float *x, int n)
{
    float most = 0.0f;
    for (int i = 0; i < n; i++)
        most = fmaxf(most, fabsf(x[i]));
    const float steps = most > 0.0f ? 127.0f / most : 0.0f;
    uint8_t *bytes = to;
    memset(bytes, 128, packed_vector_size(WEIGHTS_INT8, n));
    for (int i = 0; i < n; i++) {
        float whole = rintf(x[i] * steps);
        bool fits = whole >= -127.0f && whole <= 127.0f;
        bytes[i] = (uint8_t)(fits ? (int)whole + 128 : 128);
    }
    return most / 127.0f;
}

static float prepare_bf16(void *to, const float *x, int n)
{
    uint16_t *halves = to;
    memset(halves, 0, packed_vector_size(WEIGHTS_BF16, n));
    for (int i = 0; i < n; i++)
        halves[i] = quantise_to_bf16(x[i]);
    return 1.0f;
}

float packed_copy(void *to, const float *x, int n)
{
    const size_t n_bytes = n * sizeof *x;
    memcpy(to, x, n_bytes);
    memset((uint8_t *)to + n_bytes, 0, packed_vector_size(WEIGHTS_F32, n) - n_bytes);
    return 1.0f;
}

/* A row's groups, `apart` words from one another. */
struct groups {
    const uint32_t *at;
    size_t apart;
    int n;
};

static float sum_f32(const struct groups *row, const void *x)
{
    const float *values = x;
    float sum = 0.0f, w;
    for (int g = 0; g < row->n; g++) {
        memcpy(&w, row->at + (size_t)g * row->apart, sizeof w);
        sum += w * values[g];
    }
    return sum;
}

static float sum_bf16(const struct groups *row, const void *x)
{
    const uint16_t *values = x;
    float sum = 0.0f;
    for (int g = 0; g < row->n; g++) {
        uint32_t pair = row->at[(size_t)g * row->apart];
        sum += quantise_from_bf16((uint16_t)pair) * quantise_from_bf16(values[2 * g]);
        sum += quantise_from_bf16((uint16_t)(pair >> 16)) *
               quantise_from_bf16(values[2 * g + 1]);
    }
    return sum;
}

static int32_t sum_int8(const struct groups *row, const void *x)
{
    const uint8_t *values = x;
    int32_t sum = 0;
    for (int g = 0; g < row->n; g++)
        for (int i = 0; i < 4; i++)
            sum += (int8_t)(row->at[(size_t)g * row->apart] >> 8 * i & 0xff) *
                   values[4 * g + i];
    return sum;
}

static float row_times(const struct packed_product *p, int row, int v)
{
    const struct packed *w = p->w;
    const int panel = row / PANEL;
    const struct groups of = {
        (const uint32_t *)w->blocks + packed_place(w, panel) + row % PANEL,
        (size_t)packed_width(w, panel) * PANEL, packed_groups(w->kind, w->n)};
    const void *x = (const uint8_t *)p->x + (size_t)v * p->ldx;
    if (w->kind == WEIGHTS_F32)
        return sum_f32(&of, x) + w->bias[row];
    if (w->kind == WEIGHTS_BF16)
        return sum_bf16(&of, x) + w->bias[row];
    int32_t sum = sum_int8(&of, x) - w->excess[row];
    return (float)sum * (w->scale[row] * p->scale[v]) + w->bias[row];
}

static void plain_multiply(const struct packed_product *p)
{
    for (int v = 0; v < p->n_x; v++)
        for (int i = 0; i < p->n_panels * PANEL; i++)
            p->y[(size_t)v * p->ldy + (size_t)i] =
                row_times(p, p->panel * PANEL + i, v);
}

static const struct packed_kernels plain_set = {
    "plain",
    {packed_copy, prepare_bf16, prepare_int8},
    {plain_multiply, plain_multiply, plain_multiply},
};

/* Plainest first: each with its level, and the dot products that it needs besides. */
static const struct {
    const struct packed_kernels *set;
    enum cpu_level level;
    bool dot, bf16;
} SETS[] = {
    {&plain_set, CPU_LEVEL_PLAIN, false, false},
#if defined(__x86_64__)
    {&packed_avx2, CPU_LEVEL_AVX2, false, false},
    {&packed_avx2vnni, CPU_LEVEL_AVX2, true, false},
    {&packed_avx512, CPU_LEVEL_AVX512, false, false},
    {&packed_avx512vnni, CPU_LEVEL_AVX512, true, false},
    {&packed_avx512bf16, CPU_LEVEL_AVX512, true, true},
#elif defined(__aarch64__)
    {&packed_neon, CPU_LEVEL_NEON, false, false},
    {&packed_neondot, CPU_LEVEL_NEON, true, false},
    {&packed_neonbf16, CPU_LEVEL_NEON, true, true},
#endif
};

/* Set i of those that a level may run, or the last one. */
static const struct packed_kernels *find_set(enum cpu_level level, int i, bool last)
{
    const struct packed_kernels *found = NULL;
    for (size_t at = 0; at < sizeof SETS / sizeof *SETS; at++) {
        if (SETS[at].level > level ||
            (SETS[at].dot && !cpu_level_has_dot(SETS[at].level)) ||
            (SETS[at].bf16 && !cpu_level_has_bf16(SETS[at].level)))
            continue;
        if (i-- == 0)
            return SETS[at].set;
        found = SETS[at].set;
    }
    return last ? found : NULL;
}

const struct packed_kernels *packed_kernels_at(int i)
{
    return find_set(cpu_level_of_processor(), i, false);
}

const struct packed_kernels *packed_kernels_best(void)
{
    return find_set(cpu_level_to_use(), -1, true);
}
