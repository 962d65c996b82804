/* The bodies are written once, on vectors of sixteen floats (model/lanes.h), and
 * compiled once per instruction set. Sums run in independent accumulators, to
 * hide the latency of an addition, and are folded in a fixed order. */
#include "model/kernels.h"

#include "model/lanes_gelu.h"

#include <stdbool.h>
#include <stddef.h>

enum { ROWS = 4, VECTORS = 4, CHAINS = 4 };

INLINE void add_body(float *y, const float *x, int n)
{
    for (int i = 0; i < n; i++)
        y[i] += x[i];
}

/* n_rows rows of W times n_x vectors: each vector of numbers loaded serves them all. A
 * row's sum with a vector is the same however many go together. */
INLINE void dot_block(const struct matvec *m, int row, int vector, int n_rows, int n_x)
{
    const float *w = m->w + (size_t)row * m->n, *x = m->x + (size_t)vector * m->ldx;
    float *y = m->y + (size_t)vector * m->ldy + row;
    lanes sum[VECTORS][ROWS] = {{{0}}};
    float tail[VECTORS][ROWS] = {{0}};
    const int n = m->n;
    int i = 0;
    for (; i + LANES <= n; i += LANES)
        for (int v = 0; v < n_x; v++)
            for (int r = 0; r < n_rows; r++)
                sum[v][r] += *(const lanes *)(w + (size_t)r * n + i) *
                             *(const lanes *)(x + (size_t)v * m->ldx + i);
    for (; i < n; i++)
        for (int v = 0; v < n_x; v++)
            for (int r = 0; r < n_rows; r++)
                tail[v][r] += w[(size_t)r * n + i] * x[(size_t)v * m->ldx + i];
    for (int v = 0; v < n_x; v++)
        for (int r = 0; r < n_rows; r++)
            y[(size_t)v * m->ldy + r] = lanes_sum(&sum[v][r]) + tail[v][r];
}

/* n_rows rows times all vectors. Past the first block the rows are near. */
INLINE void dot_rows(const struct matvec *m, int row, int n_rows, int at_once)
{
    int v = 0;
    for (; at_once >= 4 && v + 4 <= m->n_x; v += 4)
        dot_block(m, row, v, n_rows, 4);
    for (; at_once >= 2 && v + 2 <= m->n_x; v += 2)
        dot_block(m, row, v, n_rows, 2);
    for (; v < m->n_x; v++)
        dot_block(m, row, v, n_rows, 1);
}

INLINE void matvec_many_body(const struct matvec *m, int at_once)
{
    int r = 0;
    for (; r + ROWS <= m->rows; r += ROWS)
        dot_rows(m, r, ROWS, at_once);
    for (; r < m->rows; r++)
        dot_rows(m, r, 1, at_once);
    for (int v = 0; m->b && v < m->n_x; v++)
        add_body(m->y + (size_t)v * m->ldy, m->b, m->rows);
}

/* Over x, or over its squared distance from a mean. */
INLINE float sum_of(const float *x, int n)
{
    lanes sum = {0};
    float tail = 0.0f;
    int i = 0;
    for (; i + LANES <= n; i += LANES)
        sum += *(const lanes *)(x + i);
    for (; i < n; i++)
        tail += x[i];
    return lanes_sum(&sum) + tail;
}

INLINE float squares_of(const float *x, int n, float mean)
{
    lanes sum = {0};
    float tail = 0.0f;
    int i = 0;
    for (; i + LANES <= n; i += LANES) {
        lanes away = *(const lanes *)(x + i) - mean;
        sum += away * away;
    }
    for (; i < n; i++)
        tail += (x[i] - mean) * (x[i] - mean);
    return lanes_sum(&sum) + tail;
}

INLINE void layer_norm_body(float *y, const float *x, const float *w, const float *b,
                            int n)
{
    float mean = sum_of(x, n) / (float)n;
    float inverse = 1.0f / sqrtf(squares_of(x, n, mean) / (float)n + 1e-5f);
    for (int i = 0; i < n; i++)
        y[i] = (x[i] - mean) * inverse * w[i] + b[i];
}

INLINE void relu_body(float *x, int n)
{
    for (int i = 0; i < n; i++)
        x[i] = x[i] > 0.0f ? x[i] : 0.0f;
}

INLINE void scale_body(float *x, float by, int n)
{
    for (int i = 0; i < n; i++)
        x[i] *= by;
}

INLINE void score_keys_body(float *scores, const float *q, const float *keys,
                            int n_tiles, int d)
{
    for (; n_tiles > 0; n_tiles--, scores += KEY_TILE) {
        lanes sum[CHAINS] = {{0}};
        for (int j = 0; j < d; j++, keys += KEY_TILE)
            for (int c = 0; c < CHAINS; c++)
                sum[c] += *(const lanes *)(keys + c * LANES) * q[j];
        memcpy(scores, sum, sizeof sum);
    }
}
_Static_assert(KEY_TILE == CHAINS * LANES, "a tile is one vector per chain");

INLINE float highest_body(const float *x, int n)
{
    lanes high, part;
    lanes_set(&high, x[0]);
    int i = 0;
    for (; i + LANES <= n; i += LANES)
        lanes_max(&high, (const lanes *)(x + i));
    lanes_load_part(&part, x + i, n - i, x[0]);
    lanes_max(&high, &part);
    return lanes_highest(&high);
}

INLINE float exp_sum_body(float *x, int n, float shift)
{
    lanes sum = {0}, v;
    int i = 0;
    for (; i + LANES <= n; i += LANES) {
        v = *(const lanes *)(x + i) - shift;
        lanes_exp(&v);
        *(lanes *)(x + i) = v;
        sum += v;
    }
    lanes_load_part(&v, x + i, n - i, -INFINITY);
    v -= shift;
    lanes_exp(&v);
    memcpy(x + i, &v, (size_t)(n - i) * sizeof *x);
    sum += v;
    return lanes_sum(&sum);
}

/* One vector of the result. Within a tile every CHAINS-th position goes to its own
 * accumulator. */
INLINE void mix_tile(lanes *y, const float *p, const float *values, int n, int width)
{
    lanes sum[CHAINS] = {{0}};
    int t = 0;
    for (; t + CHAINS <= n; t += CHAINS)
        for (int c = 0; c < CHAINS; c++)
            sum[c] += *(const lanes *)(values + (size_t)(t + c) * width) * p[t + c];
    for (; t < n; t++)
        sum[0] += *(const lanes *)(values + (size_t)t * width) * p[t];
    *y += (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

INLINE void mix_column(float *y, const float *p, const float *values, int n, int width)
{
    lanes sum = *(const lanes *)y;
    int t = 0;
    for (; t + KEY_TILE <= n; t += KEY_TILE)
        mix_tile(&sum, p + t, values + (size_t)t * width, KEY_TILE, width);
    if (t < n)
        mix_tile(&sum, p + t, values + (size_t)t * width, n - t, width);
    *(lanes *)y = sum;
}

INLINE void mix_values_body(float *y, const float *p, const float *values, int n,
                            int width)
{
    for (int i = 0; i < width; i += LANES)
        mix_column(y + i, p, values + i, n, width);
}
_Static_assert(VALUE_PAD == 1 * LANES, "a padded row is whole vectors");

INLINE void gelu_body(float *y, const float *x, size_t n)
{
    lanes v;
    size_t i = 0;
    for (; i + LANES <= n; i += LANES) {
        v = *(const lanes *)(x + i);
        lanes_gelu(&v);
        *(lanes *)(y + i) = v;
    }
    lanes_load_part(&v, x + i, (int)(n - i), 0.0f);
    lanes_gelu(&v);
    memcpy(y + i, &v, (n - i) * sizeof *y);
}

INLINE void gelu_backward_body(float *dx, const float *x, size_t n)
{
    lanes v, d;
    size_t i = 0;
    for (; i + LANES <= n; i += LANES) {
        v = *(const lanes *)(x + i);
        lanes_gelu_slope(&v);
        *(lanes *)(dx + i) *= v;
    }
    lanes_load_part(&v, x + i, (int)(n - i), 0.0f);
    lanes_load_part(&d, dx + i, (int)(n - i), 0.0f);
    lanes_gelu_slope(&v);
    d *= v;
    memcpy(dx + i, &d, (n - i) * sizeof *dx);
}

/* The public functions for one instruction set, and their table. */
#define KERNEL_SET(set)                                                                \
    TARGET_##set static void set##_matvec(float *y, const float *w, const float *b,    \
                                          const float *x, int rows, int n)             \
    {                                                                                  \
        struct matvec one = {y, w, b, x, 0, 0, 1, rows, n};                            \
        matvec_many_body(&one, 1);                                                     \
    }                                                                                  \
    TARGET_##set static void set##_matvec_many(const struct matvec *m)                 \
    {                                                                                  \
        matvec_many_body(m, AT_ONCE_##set);                                            \
    }                                                                                  \
    TARGET_##set static void set##_layer_norm(float *y, const float *x,                \
                                              const float *w, const float *b, int n)   \
    {                                                                                  \
        layer_norm_body(y, x, w, b, n);                                                \
    }                                                                                  \
    TARGET_##set static void set##_relu(float *x, int n)                               \
    {                                                                                  \
        relu_body(x, n);                                                               \
    }                                                                                  \
    TARGET_##set static void set##_add(float *y, const float *x, int n)                \
    {                                                                                  \
        add_body(y, x, n);                                                             \
    }                                                                                  \
    TARGET_##set static void set##_scale(float *x, float by, int n)                    \
    {                                                                                  \
        scale_body(x, by, n);                                                          \
    }                                                                                  \
    TARGET_##set static void set##_score_keys(float *scores, const float *q,           \
                                              const float *keys, int n_tiles, int d)   \
    {                                                                                  \
        score_keys_body(scores, q, keys, n_tiles, d);                                  \
    }                                                                                  \
    TARGET_##set static float set##_highest(const float *x, int n)                     \
    {                                                                                  \
        return highest_body(x, n);                                                     \
    }                                                                                  \
    TARGET_##set static float set##_exp_sum(float *x, int n, float shift)              \
    {                                                                                  \
        return exp_sum_body(x, n, shift);                                              \
    }                                                                                  \
    TARGET_##set static void set##_mix_values(float *y, const float *p,                \
                                              const float *values, int n, int width)   \
    {                                                                                  \
        mix_values_body(y, p, values, n, width);                                       \
    }                                                                                  \
    TARGET_##set static void set##_gelu(float *y, const float *x, size_t n)            \
    {                                                                                  \
        gelu_body(y, x, n);                                                            \
    }                                                                                  \
    TARGET_##set static void set##_gelu_backward(float *dx, const float *x, size_t n)  \
    {                                                                                  \
        gelu_backward_body(dx, x, n);                                                  \
    }                                                                                  \
    static const struct kernels set##_kernels = {                                      \
        #set,                                                                          \
        set##_matvec,                                                                  \
        set##_matvec_many,                                                             \
        set##_layer_norm,                                                              \
        set##_relu,                                                                    \
        set##_add,                                                                     \
        set##_scale,                                                                   \
        set##_score_keys,                                                              \
        set##_highest,                                                                 \
        set##_exp_sum,                                                                 \
        set##_mix_values,                                                              \
        set##_gelu,                                                                    \
        set##_gelu_backward,                                                           \
    };

#define TARGET_plain
#define AT_ONCE_plain 1 /* no registers for more */
KERNEL_SET(plain)

/* No set for AVX2: gcc 12 splits vectors this wide through memory there, which
 * measured slower than the plain set. */
#if defined(__x86_64__)
#define TARGET_avx512  __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
#define AT_ONCE_avx512 VECTORS
KERNEL_SET(avx512)

static bool has_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}
#endif

const struct kernels *kernels_at(int i)
{
    const struct kernels *sets[2] = {&plain_kernels};
    int n = 1;
#if defined(__x86_64__)
    if (has_avx512())
        sets[n++] = &avx512_kernels;
#endif
    return i >= 0 && i < n ? sets[i] : NULL;
}

const struct kernels *kernels_best(void)
{
    int i = 0;
    while (kernels_at(i + 1))
        i++;
    return kernels_at(i);
}
