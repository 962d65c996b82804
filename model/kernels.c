/* The bodies are written once, on vectors of sixteen floats (model/lanes.h), and
 * compiled once per instruction set. Sums run in independent accumulators, to
 * hide the latency of an addition, and are folded in a fixed order. */
#include "model/kernels.h"

#include "model/lanes.h"

#include <stdbool.h>
#include <stddef.h>

enum { ROWS = 4, CHAINS = 4 };

/* ROWS rows of W at once share each load of x. */
INLINE void dot_rows(float *y, const float *w, const float *x, int n_rows, int n)
{
    lanes sum[ROWS] = {{0}};
    float tail[ROWS] = {0};
    int i = 0;
    for (; i + LANES <= n; i += LANES)
        for (int r = 0; r < n_rows; r++)
            sum[r] += *(const lanes *)(w + (size_t)r * n + i) * *(const lanes *)(x + i);
    for (; i < n; i++)
        for (int r = 0; r < n_rows; r++)
            tail[r] += w[(size_t)r * n + i] * x[i];
    for (int r = 0; r < n_rows; r++)
        y[r] = lanes_sum(&sum[r]) + tail[r];
}

INLINE void add_body(float *y, const float *x, int n)
{
    for (int i = 0; i < n; i++)
        y[i] += x[i];
}

INLINE void matvec_body(float *y, const float *w, const float *b, const float *x,
                        int rows, int n)
{
    int r = 0;
    for (; r + ROWS <= rows; r += ROWS)
        dot_rows(y + r, w + (size_t)r * n, x, ROWS, n);
    for (; r < rows; r++)
        dot_rows(y + r, w + (size_t)r * n, x, 1, n);
    if (b)
        add_body(y, b, rows);
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

/* One vector of the result: every CHAINS-th position to its own accumulator. */
INLINE void mix_column(float *y, const float *p, const float *values, int n, int width)
{
    lanes sum[CHAINS] = {{0}};
    int t = 0;
    for (; t + CHAINS <= n; t += CHAINS)
        for (int c = 0; c < CHAINS; c++)
            sum[c] += *(const lanes *)(values + (size_t)(t + c) * width) * p[t + c];
    for (; t < n; t++)
        sum[0] += *(const lanes *)(values + (size_t)t * width) * p[t];
    sum[0] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    memcpy(y, sum, sizeof *sum);
}

INLINE void mix_values_body(float *y, const float *p, const float *values, int n,
                            int width)
{
    for (int i = 0; i < width; i += LANES)
        mix_column(y + i, p, values + i, n, width);
}
_Static_assert(VALUE_PAD == 1 * LANES, "a padded row is whole vectors");

/* Past it the normal distribution's tail is nothing in a float, and lanes_exp
 * gives 0. */
#define NORMAL_END 14.0f

/* v = x in the lanes where `where` is all ones. */
INLINE void lanes_replace(lanes *v, const lanes *x, const lane_ints *where)
{
    *v = (lanes)((*where & (lane_ints)*x) | (~*where & (lane_ints)*v));
}

/* v = |x|, no further than NORMAL_END; NaN stays. */
INLINE void lanes_distance(lanes *v, const lanes *x)
{
    lanes end;
    lanes_set(&end, NORMAL_END);
    *v = (lanes)((lane_ints)*x & INT32_MAX);
    lane_ints far = *v > end;
    lanes_replace(v, &end, &far);
}

/* tail = 1 - Phi(a) and bell = e^(-a^2 / 2), for a in [0, NORMAL_END]. The tail is
 * half of erfc(a / sqrt 2), which to 1.5e-7 is the bell times five powers of t
 * (Hastings 1955; 7.1.26 in Abramowitz & Stegun 1964). */
INLINE void lanes_normal(lanes *tail, lanes *bell, const lanes *a)
{
    lanes t = 1.0f / (*a * (0.3275911f * 0.70710678f) + 1.0f), p;
    *bell = *a * *a * -0.5f;
    lanes_exp(bell);
    p = t * (0.5f * 1.061405429f) - 0.5f * 1.453152027f;
    p = p * t + 0.5f * 1.421413741f;
    p = p * t - 0.5f * 0.284496736f;
    p = p * t + 0.5f * 0.254829592f;
    *tail = p * t * *bell;
}

/* The curves are made on the left, from the tail alone, and turned over to the
 * right by part = whole - part: 1 - Phi never loses its small digits. */
INLINE void lanes_turn_right(lanes *part, const lanes *whole, const lanes *x)
{
    lanes other = *whole - *part;
    lane_ints right = *x > 0.0f;
    lanes_replace(part, &other, &right);
}

/* x Phi(x): x tail on the left, x - x tail on the right. */
INLINE void lanes_gelu(lanes *v)
{
    lanes x = *v, a, tail, bell;
    lanes_distance(&a, &x);
    lanes_normal(&tail, &bell, &a);
    *v = (lanes)((lane_ints)(a * tail) | ((lane_ints)x & INT32_MIN));
    lanes_turn_right(v, &x, &x);
}

/* Phi(x) + x phi(x): tail - a phi on the left, 1 less that on the right. */
INLINE void lanes_gelu_slope(lanes *v)
{
    lanes x = *v, a, tail, bell, one;
    lanes_distance(&a, &x);
    lanes_normal(&tail, &bell, &a);
    lanes_set(&one, 1.0f);
    *v = tail - a * bell * 0.39894228f; /* 1 / sqrt(2 pi) */
    lanes_turn_right(v, &one, &x);
}

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
        matvec_body(y, w, b, x, rows, n);                                              \
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
        #set,          set##_matvec,     set##_layer_norm, set##_relu,                 \
        set##_add,     set##_scale,      set##_score_keys, set##_highest,              \
        set##_exp_sum, set##_mix_values, set##_gelu,       set##_gelu_backward,        \
    };

#define TARGET_plain
KERNEL_SET(plain)

/* No set for AVX2: gcc 12 splits vectors this wide through memory there, which
 * measured slower than the plain set. */
#if defined(__x86_64__)
#define TARGET_avx512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
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
