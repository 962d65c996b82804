/* Vectors of floats, on which the kernels are written. The kernels' bodies are written
 * once and compiled once for each instruction set. The file of a set defines
 *
 *   LANES   the number of floats in a vector
 *   TARGET  the attribute that lets a function use the instruction set
 *   NEON    1 for ARM's vectors of four; without it four lanes are plain C
 *   DOTS    1 if the set has dot products of integers, 2 if of bf16 as well
 *
 * and then includes the bodies. Everything in them is static, so the linker cannot mix
 * functions of two sets.
 *
 * Every set sums in WIDE partial sums. Only lanes_add_product, lanes_add_products and
 * lanes_exp_fused may fuse a multiplication and an addition; everything else gives the
 * same bits in every set. Vectors are passed by pointer, because how they are passed by
 * value depends on the set. */
#ifndef MODEL_LANES_H
#define MODEL_LANES_H

#include "model/base/parts.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifndef NEON
#define NEON 0
#endif
#ifndef DOTS
#define DOTS 0
#endif
#if NEON
#include <arm_neon.h>
#elif LANES > 4 || defined(__SSE2__)
#include <immintrin.h>
#endif

/* UNROLL is for loops whose sums only stay in registers if the loop is unrolled
 * completely. */
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF /* what gcc's -std=c11 does by itself */
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif
// NOLINTNEXTLINE(bugprone-macro-parentheses): a declaration takes none
#define FOR_UNROLLED(i, n) UNROLL for (int i = 0; (i) < (n); (i)++)

#define VECTOR(bytes, alignment)                                                       \
    __attribute__((vector_size(bytes), aligned(alignment), may_alias))
typedef float lanes VECTOR(LANES * 4, 4);
typedef int32_t lane_ints VECTOR(LANES * 4, 4);
typedef int16_t lane_shorts VECTOR(LANES * 4, 4);
/* Each word is a pair of bf16, so the type is aligned to 16 bits only. */
typedef uint32_t lane_words VECTOR(LANES * 4, 2);
typedef float eight_lanes VECTOR(32, 4);
typedef float four_lanes VECTOR(16, 4);

/* WIDE floats, which are PARTS vectors. */
enum { WIDE = 16, PARTS = WIDE / LANES };
struct wide {
    lanes part[PARTS];
};

#define INLINE TARGET static inline __attribute__((always_inline))

/* Vector c of the floats at x. */
INLINE const lanes *lanes_at(const float *x, int c)
{
    return (const lanes *)(x + (size_t)c * LANES);
}

/* A vector with the same number in all lanes. */
#define LANES_OF(x) ((lanes){0} + (x))

/* A mask of the first n lanes: none if n is negative, all if it exceeds LANES. */
#if LANES == 16
INLINE __mmask16 first_lanes(int n)
{
    return (__mmask16)(n >= LANES ? 0xffff : n <= 0 ? 0 : (1 << n) - 1);
}
#elif LANES == 8
INLINE __m256i first_lanes(int n)
{
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(n),
                              _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0));
}
#endif

/* Loads the first n numbers of x, at most LANES, and `rest` into the other lanes. Uses
 * masks where the set has them, because going through memory would stall. Calls no
 * function: vectors do not stay in registers across a call. */
INLINE void lanes_load_part(lanes *v, const float *x, int n, float rest)
{
#if LANES == 16
    *v = (lanes)_mm512_mask_loadu_ps(_mm512_set1_ps(rest), first_lanes(n), x);
#elif LANES == 8
    const __m256i mask = first_lanes(n);
    *v = (lanes)_mm256_blendv_ps(_mm256_set1_ps(rest), _mm256_maskload_ps(x, mask),
                                 (__m256)mask);
#else
    if (n >= LANES) {
        *v = *lanes_at(x, 0);
        return;
    }
    *v = (lanes){n > 0 ? x[0] : rest, n > 1 ? x[1] : rest, n > 2 ? x[2] : rest, rest};
#endif
}

INLINE void lanes_store_part(float *to, const lanes *v, int n)
{
#if LANES == 16
    _mm512_mask_storeu_ps(to, first_lanes(n), (__m512)*v);
#elif LANES == 8
    _mm256_maskstore_ps(to, first_lanes(n), (__m256)*v);
#else
    if (n > 0)
        to[0] = (*v)[0];
    if (n > 1)
        to[1] = (*v)[1];
    if (n > 2)
        to[2] = (*v)[2];
    if (n > 3)
        to[3] = (*v)[3];
#endif
}

INLINE void wide_load_part(struct wide *w, const float *x, int n, float rest)
{
    for (int c = 0; c < PARTS; c++)
        lanes_load_part(w->part + c, x + (ptrdiff_t)c * LANES, n - c * LANES, rest);
}

INLINE void wide_store_part(float *to, const struct wide *w, int n)
{
    for (int c = 0; c < PARTS; c++)
        lanes_store_part(to + (ptrdiff_t)c * LANES, w->part + c, n - c * LANES);
}

INLINE void lanes_max(lanes *v, const lanes *x)
{
#if LANES == 16
    *v = (lanes)_mm512_max_ps((__m512)*x, (__m512)*v);
#elif LANES == 8
    *v = (lanes)_mm256_max_ps((__m256)*x, (__m256)*v);
#elif NEON
    *v = (lanes)vmaxnmq_f32((float32x4_t)*x, (float32x4_t)*v);
#else
    lane_ints more = *x > *v;
    *v = (lanes)((more & (lane_ints)*x) | (~more & (lane_ints)*v));
#endif
}

/* sum += x y, fused if the set can. */
INLINE void lanes_add_products(lanes *sum, const lanes *x, const lanes *y)
{
#if LANES == 16
    *sum = (lanes)_mm512_fmadd_ps((__m512)*x, (__m512)*y, (__m512)*sum);
#elif LANES == 8
    *sum = (lanes)_mm256_fmadd_ps((__m256)*x, (__m256)*y, (__m256)*sum);
#elif NEON
    *sum = (lanes)vfmaq_f32((float32x4_t)*sum, (float32x4_t)*x, (float32x4_t)*y);
#else
    *sum += *x * *y;
#endif
}

INLINE void lanes_add_product(lanes *sum, const lanes *x, float by)
{
    const lanes y = LANES_OF(by);
    lanes_add_products(sum, x, &y);
}

/* v = |v|. */
INLINE void lanes_strip_sign(lanes *v)
{
    *v = (lanes)((lane_ints)*v & INT32_MAX);
}

/* The sum of all numbers: adds halves until one number is left, by vectors where the set
 * has them. */
INLINE float wide_sum(const struct wide *w)
{
    four_lanes q[4];
#if LANES > 4
    eight_lanes h[2];
    memcpy(h, w, sizeof h);
    h[0] += h[1];
    memcpy(q, h, sizeof h[0]);
    q[0] += q[1];
#else
    memcpy(q, w, sizeof q);
    q[0] = (q[0] + q[2]) + (q[1] + q[3]);
#endif
    return (q[0][0] + q[0][2]) + (q[0][1] + q[0][3]);
}

/* The largest number. The order of comparison does not matter. */
INLINE float wide_highest(const struct wide *w)
{
#if LANES == 16
    return _mm512_reduce_max_ps((__m512)w->part[0]);
#else
    float x[WIDE], high;
    memcpy(x, w, sizeof x);
    high = x[0];
    for (int i = 1; i < WIDE; i++)
        high = x[i] > high ? x[i] : high;
    return high;
#endif
}

/* v = e^v for v in [-87, 88], to about two units in the last place; 0 below. With x = n
 * ln2 + r and |r| <= ln2 / 2, e^x is 2^n e^r. e^r is its Taylor series up to r^6; 2^n is
 * added to the exponent. Adding 1.5 * 2^23 to a number rounds it to an integer and leaves
 * the integer in the low bits. ln2 is subtracted in two parts (Cody & Waite 1980). */
INLINE void lanes_exp(lanes *v)
{
    lanes x = *v, big = LANES_OF(12582912.0f), n, r, p;
    lane_ints keep = x > -87.0f;
    x = (lanes)((lane_ints)x & keep);
    n = x * 1.44269504f + big;
    lane_ints exponent = (lane_ints)n << 23;
    n -= big;
    r = x - n * 0.693359375f;
    r = r - n * -2.12194440e-4f;
    p = r * (1.0f / 720) + (1.0f / 120);
    p = p * r + (1.0f / 24);
    p = p * r + (1.0f / 6);
    p = p * r + 0.5f;
    p = p * r + 1.0f;
    p = p * r + 1.0f;
    *v = (lanes)(((lane_ints)p + exponent) & keep);
}

#if LANES > 4 || NEON

/* v = v by + add, fused. */
INLINE void lanes_step(lanes *v, const lanes *by, float add)
{
    lanes sum = LANES_OF(add);
    lanes_add_products(&sum, v, by);
    *v = sum;
}

/* As lanes_exp, with fused multiplication and addition, to a relative error of 2e-7. e^r
 * is the polynomial 1 + r + r^2 q(r) of degree 5 whose largest relative error for these r
 * is least. */
INLINE void lanes_exp_fused(lanes *v)
{
    const lanes x = *v;
    lanes n = LANES_OF(12582912.0f), r = x, p = LANES_OF(0.0418902002f);
    lanes_add_product(&n, &x, 1.44269504f);
    lane_ints exponent = (lane_ints)n << 23;
    n -= 12582912.0f;
    lanes_add_product(&r, &n, -0.693359375f);
    lanes_add_product(&r, &n, 2.12194440e-4f);
    lanes_add_product(&p, &r, 0.0083125159f);
    lanes_step(&p, &r, 0.166671142f);
    lanes_step(&p, &r, 0.499992311f);
    lanes_step(&p, &r, 1.0f);
    lanes_step(&p, &r, 1.0f);
    lane_ints keep = x > -87.0f;
    *v = (lanes)(((lane_ints)p + exponent) & keep);
}

#else

INLINE void lanes_exp_fused(lanes *v)
{
    lanes_exp(v);
}

#endif

typedef uint8_t lane_bytes VECTOR(LANES, 1);
typedef uint16_t lane_halves VECTOR(LANES * 2, 2);
typedef int16_t lane_signed_halves VECTOR(LANES * 2, 2);

/* Store integers as bytes, words or signed words, which they must fit. For AVX2 gcc would
 * convert the lanes one by one. */
INLINE void store_bytes(uint8_t *to, const lane_ints *x)
{
#if LANES == 8
    const __m256i v = (__m256i)*x;
    __m128i words =
        _mm_packs_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
    _mm_storel_epi64((__m128i *)to, _mm_packus_epi16(words, words));
#else
    *(lane_bytes *)to = __builtin_convertvector(*x, lane_bytes);
#endif
}

INLINE void store_words(uint16_t *to, const lane_words *x)
{
#if LANES == 8
    const __m256i v = (__m256i)*x;
    _mm_storeu_si128((__m128i *)to, _mm_packus_epi32(_mm256_castsi256_si128(v),
                                                     _mm256_extracti128_si256(v, 1)));
#else
    *(lane_halves *)to = __builtin_convertvector(*x, lane_halves);
#endif
}

INLINE void store_shorts(int16_t *to, const lane_ints *x)
{
#if LANES == 16
    _mm256_storeu_si256((__m256i *)to, _mm512_cvtepi32_epi16((__m512i)*x));
#elif LANES == 8
    const __m256i v = (__m256i)*x;
    _mm_storeu_si128((__m128i *)to, _mm_packs_epi32(_mm256_castsi256_si128(v),
                                                    _mm256_extracti128_si256(v, 1)));
#else
    *(lane_signed_halves *)to = __builtin_convertvector(*x, lane_signed_halves);
#endif
}

/* x[n] = e^(x - shift), by lanes_exp_fused; returns the sum. */
INLINE float exp_sum_of(float *x, int n, float shift)
{
    struct wide sum = {{{0}}}, part;
    for (int i = 0; i < n; i += WIDE) {
        struct wide *at = (struct wide *)(x + i);
        if (n - i < WIDE) {
            wide_load_part(&part, x + i, n - i, -INFINITY);
            at = &part;
        }
        for (int c = 0; c < PARTS; c++) {
            lanes v = at->part[c] - shift;
            lanes_exp_fused(&v);
            at->part[c] = v;
            sum.part[c] += v;
        }
        if (n - i < WIDE)
            wide_store_part(x + i, &part, n - i);
    }
    return wide_sum(&sum);
}

INLINE void wide_max(struct wide *high, const struct wide *x)
{
    for (int c = 0; c < PARTS; c++)
        lanes_max(high->part + c, x->part + c);
}

/* The largest of x[n], n > 0. Several running maxima hide the latency of a comparison. */
INLINE float highest_of(const float *x, int n)
{
    enum { TURNS = 4 };
    struct wide high[TURNS], part;
    int i = 0;
    FOR_UNROLLED (t, TURNS)
        wide_load_part(high + t, x, 0, x[0]);
    for (; i + TURNS * WIDE <= n; i += TURNS * WIDE)
        FOR_UNROLLED (t, TURNS)
            wide_max(high + t, (const struct wide *)(x + i) + t);
    for (; i + WIDE <= n; i += WIDE)
        wide_max(high, (const struct wide *)(x + i));
    wide_load_part(&part, x + i, n - i, x[0]);
    wide_max(high, &part);
    FOR_UNROLLED (t, TURNS - 1)
        wide_max(high, high + t + 1);
    return wide_highest(high);
}

/* The largest magnitude of x, which does not depend on the order of comparison; NaN is
 * ignored. */
INLINE float largest_of(const float *x, int n)
{
    lanes v, high = {0};
    float most = 0.0f;
    int i = 0;
    for (; i + LANES <= n; i += LANES) {
        v = *lanes_at(x + i, 0);
        lanes_strip_sign(&v);
        lanes_max(&high, &v);
    }
    for (int c = 0; c < LANES; c++)
        most = high[c] > most ? high[c] : most;
    for (; i < n; i++)
        most = fabsf(x[i]) > most ? fabsf(x[i]) : most;
    return most;
}

/* The sum of x - mean, or of its squares. */
INLINE float sum_of(const float *x, int n, float mean, bool squared)
{
    struct wide sum = {{{0}}};
    float tail = 0.0f;
    int i = 0;
    for (; i + WIDE <= n; i += WIDE)
        for (int c = 0; c < PARTS; c++) {
            lanes away = *lanes_at(x + i, c) - mean;
            if (squared)
                away *= away;
            sum.part[c] += away;
        }
    for (; i < n; i++)
        tail += squared ? (x[i] - mean) * (x[i] - mean) : x[i] - mean;
    return wide_sum(&sum) + tail;
}

#endif
