/* The kernels, written once. The file of an instruction set defines what
 * model/kernels/lanes.h asks for, KERNELS (the name of its table) and NAME (the set's
 * name), and then includes this file. Sums are kept in several independent accumulators,
 * which hide the latency of an addition; at the end the accumulators are added in a fixed
 * order. */
#ifndef MODEL_KERNELS_BODY_H
#define MODEL_KERNELS_BODY_H

#include "model/kernels/kernels_cache.h"
#include "model/kernels/kernels_sets.h"
#include "model/kernels/packed_body.h"
#include "model/kernels/train_kernels_body.h"

enum { ADDED = 8 /* vectors summed side by side */ };

TARGET static void add(float *y, const float *x, int n)
{
    for (int i = 0; i < n; i++)
        y[i] += x[i];
}

/* Adds n_lanes vectors of every x to y. The sums stay in registers. */
INLINE void add_part(float *y, const float *x, size_t ldx, int n_x, int n_lanes)
{
    lanes sum[ADDED];
    FOR_UNROLLED (i, n_lanes)
        sum[i] = *lanes_at(y, i);
    for (int v = 0; v < n_x; v++, x += ldx)
        FOR_UNROLLED (i, n_lanes)
            sum[i] += *lanes_at(x, i);
    FOR_UNROLLED (i, n_lanes)
        *(lanes *)(y + (size_t)i * LANES) = sum[i];
}

TARGET static void add_many(float *y, const float *x, size_t ldx, int n_x, int n)
{
    int i = 0;
    for (; i + ADDED * LANES <= n; i += ADDED * LANES)
        add_part(y + i, x + i, ldx, n_x, ADDED);
    for (; i + LANES <= n; i += LANES)
        add_part(y + i, x + i, ldx, n_x, 1);
    for (int v = 0; v < n_x; v++, x += ldx)
        add(y + i, x + i, n - i);
}

TARGET static void relu(float *x, int n)
{
    for (int i = 0; i < n; i++)
        x[i] = x[i] > 0.0f ? x[i] : 0.0f;
}

TARGET static void scale(float *x, float by, int n)
{
    for (int i = 0; i < n; i++)
        x[i] *= by;
}

TARGET static void layer_norm(float *y, float *stats, const float *x, const float *w,
                              const float *b, int rows, int d)
{
    for (int r = 0; r < rows; r++, x += d, y += d) {
        const float mean = sum_of(x, d, 0.0f, false) / (float)d;
        const float inverse = 1.0f / sqrtf(sum_of(x, d, mean, true) / (float)d + 1e-5f);
        for (int i = 0; i < d; i++)
            y[i] = (x[i] - mean) * inverse * w[i] + b[i];
        if (stats) {
            *stats++ = mean;
            *stats++ = inverse;
        }
    }
}

/* Pairs of floats, each as one integer. */
typedef uint64_t lane_pairs VECTOR(LANES * 4, 4);

/* Rotates pairs: (a, b) becomes (a cos - b sin, b cos + a sin). Each number is multiplied
 * by the cosine, and its partner by the sine. `flip` holds the sign bits of the partners
 * to negate. */
INLINE void rotate_lanes(lanes *x, const lanes *rotations, const lane_pairs *flip)
{
    const lane_pairs low = (lane_pairs){0} + UINT32_MAX, t = (lane_pairs)*rotations,
                     pair = (lane_pairs)*x,
                     other = ((pair >> 32) | (pair << 32)) ^ *flip;
    const lane_pairs cosine = (t & low) | (t << 32), sine = (t >> 32) | (t & ~low);
    *x = *x * (lanes)cosine + (lanes)other * (lanes)sine;
}

INLINE void rotate_head(float *x, const float *rotations, int e, const lane_pairs *flip)
{
    int i = 0;
    for (; i + LANES <= e; i += LANES)
        rotate_lanes((lanes *)(x + i), (const lanes *)(rotations + i), flip);
    if (i == e)
        return;
    lanes part, angles;
    lanes_load_part(&part, x + i, e - i, 0.0f);
    lanes_load_part(&angles, rotations + i, e - i, 0.0f);
    rotate_lanes(&part, &angles, flip);
    lanes_store_part(x + i, &part, e - i);
}

TARGET static void rotate(float *x, int ld, int n_heads, const float *rotations, int e,
                          int rows, bool back)
{
    const lane_pairs flip =
        (lane_pairs){0} + (back ? UINT64_C(1) << 63 : UINT64_C(1) << 31);
    for (int r = 0; rotations && r < rows; r++)
        for (int i = 0; i < n_heads; i++)
            rotate_head(x + (ptrdiff_t)r * ld + (ptrdiff_t)i * e,
                        rotations + (ptrdiff_t)r * e, e, &flip);
}

/* -- GELU, x Phi(x), and its slope (Hendrycks & Gimpel 2016) -- */

/* Beyond this distance the tail of the normal distribution is 0 in f32, and lanes_exp
 * gives 0. */
#define NORMAL_END 14.0f

/* v = x in the lanes where `where` has all bits set. */
INLINE void lanes_replace(lanes *v, const lanes *x, const lane_ints *where)
{
    *v = (lanes)((*where & (lane_ints)*x) | (~*where & (lane_ints)*v));
}

/* v = min(|x|, NORMAL_END); NaN stays NaN. */
INLINE void lanes_distance(lanes *v, const lanes *x)
{
    const lanes end = LANES_OF(NORMAL_END);
    *v = (lanes)((lane_ints)*x & INT32_MAX);
    lane_ints far = *v > end;
    lanes_replace(v, &end, &far);
}

/* tail = 1 - Phi(a) and gauss = e^(-a^2 / 2), for a in [0, NORMAL_END]. The tail is
 * half of erfc(a / sqrt 2), which is gauss times a polynomial of degree five in t, to
 * 1.5e-7 (Hastings 1955; 7.1.26 in Abramowitz & Stegun 1964). */
INLINE void lanes_normal(lanes *tail, lanes *gauss, const lanes *a)
{
    lanes t = 1.0f / (*a * (0.3275911f * 0.70710678f) + 1.0f), p;
    *gauss = *a * *a * -0.5f;
    lanes_exp(gauss);
    p = t * (0.5f * 1.061405429f) - 0.5f * 1.453152027f;
    p = p * t + 0.5f * 1.421413741f;
    p = p * t - 0.5f * 0.284496736f;
    p = p * t + 0.5f * 0.254829592f;
    *tail = p * t * *gauss;
}

/* Functions are computed for x < 0, from the tail alone, so that 1 - Phi does not lose
 * its small digits. For x > 0, part = whole - part. */
INLINE void lanes_turn_right(lanes *part, const lanes *whole, const lanes *x)
{
    lanes other = *whole - *part;
    lane_ints right = *x > 0.0f;
    lanes_replace(part, &other, &right);
}

/* v = x Phi(x): x tail for x < 0, and x - x tail for x > 0. *slope, unless NULL, is
 * Phi(x) + x phi(x): tail - a phi for x < 0, and 1 minus that for x > 0. */
INLINE void lanes_gelu(lanes *v, lanes *slope)
{
    lanes x = *v, a, tail, gauss, one = LANES_OF(1.0f);
    lanes_distance(&a, &x);
    lanes_normal(&tail, &gauss, &a);
    if (slope) {
        *slope = tail - a * gauss * 0.39894228f; /* 1 / sqrt(2 pi) */
        lanes_turn_right(slope, &one, &x);
    }
    *v = (lanes)((lane_ints)(a * tail) | ((lane_ints)x & INT32_MIN));
    lanes_turn_right(v, &x, &x);
}

/* y = gelu(x); slopes, unless NULL, receives the slopes and may be x. */
INLINE void gelu_all(float *y, const float *x, float *slopes, size_t n)
{
    for (size_t i = 0; i < n; i += LANES) {
        const int left = n - i < LANES ? (int)(n - i) : LANES;
        lanes v, slope;
        load_values(&v, x + i, left);
        lanes_gelu(&v, slopes ? &slope : NULL);
        if (left == LANES)
            *(lanes *)(y + i) = v;
        else
            lanes_store_part(y + i, &v, left);
        if (slopes)
            lanes_store_part(slopes + i, &slope, left);
    }
}

TARGET static void gelu(float *y, const float *x, size_t n)
{
    gelu_all(y, x, NULL, n);
}

TARGET static void gelu_slope(float *y, float *x, size_t n)
{
    gelu_all(y, x, x, n);
}

const struct kernels KERNELS = {
    .name = NAME,
    .layer_norm = layer_norm,
    .rotate = rotate,
    .relu = relu,
    .add = add,
    .add_many = add_many,
    .scale = scale,
    .score_keys = {score_keys, score_keys_int8},
    .highest = highest_of,
    .exp_sum = exp_sum_of,
    .mix_values = {mix_values, mix_values_int8},
    .store_key_int8 = store_key_int8,
    .store_value_int8 = store_value_int8,
    .widen_keys_int8 = widen_keys_int8,
    .widen_values_int8 = widen_values_int8,
    .add_looked_up = add_looked_up,
    .gelu = gelu,
    .gelu_slope = gelu_slope,
    .prepare = {prepare_f32, prepare_bf16, prepare_int8},
    .multiply = {multiply_f32, multiply_bf16, multiply_int8},
    .layer_norm_backward = layer_norm_backward,
    .add_dropped = add_dropped,
    .drop = drop,
    .relu_backward = relu_backward,
    .softmax = softmax,
    .softmax_backward = softmax_backward,
    .cross_entropy = cross_entropy,
    .sum_columns = sum_columns,
    .sum_into_tables = sum_into_tables,
    .multiply_each = multiply_each,
    .sum_squares = sum_squares,
    .dot = dot,
    .adam = adam,
    .nesterov = nesterov,
    .descend = descend,
};

#endif
