/* Vectors of sixteen floats for the kernels. The compiler splits them where the
 * processor has narrower ones, and multiplication and addition are never
 * contracted, so a body gives the same bits for every instruction set it is
 * compiled for. Vectors go by pointer: passing them by value would depend on the
 * instruction set. */
#ifndef MODEL_LANES_H
#define MODEL_LANES_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#ifdef __clang__
#pragma STDC FP_CONTRACT OFF /* what gcc's -std=c11 does by itself */
#endif

enum { LANES = 16 };
typedef float lanes __attribute__((vector_size(64), aligned(4), may_alias));
typedef float half_lanes __attribute__((vector_size(32), aligned(4), may_alias));
typedef float quarter_lanes __attribute__((vector_size(16), aligned(4), may_alias));
typedef int32_t lane_ints __attribute__((vector_size(64), aligned(4), may_alias));
/* Words of bf16 pairs, which stand as numbers of 16 bits do. */
typedef uint32_t lane_words __attribute__((vector_size(64), aligned(2), may_alias));

#define INLINE static inline __attribute__((always_inline))

INLINE void lanes_set(lanes *v, float x)
{
    *v = (lanes){0} + x;
}

/* The first n of x, and `rest` in the other lanes. */
INLINE void lanes_load_part(lanes *v, const float *x, int n, float rest)
{
    lanes_set(v, rest);
    memcpy(v, x, (size_t)n * sizeof *x);
}

INLINE void lanes_max(lanes *v, const lanes *x)
{
    lane_ints more = *x > *v;
    *v = (lanes)((more & (lane_ints)*x) | (~more & (lane_ints)*v));
}

/* Folded in half until one is left. */
INLINE float lanes_sum(const lanes *v)
{
    half_lanes h[2];
    quarter_lanes q[2];
    memcpy(h, v, sizeof h);
    h[0] += h[1];
    memcpy(q, h, sizeof q);
    q[0] += q[1];
    return (q[0][0] + q[0][2]) + (q[0][1] + q[0][3]);
}

INLINE float lanes_highest(const lanes *v)
{
    float high = (*v)[0];
    for (int i = 1; i < LANES; i++)
        high = (*v)[i] > high ? (*v)[i] : high;
    return high;
}

/* e^x to about two units in the last place for x in [-87, 88]; below, 0.
 * x = n ln2 + r with |r| <= ln2 / 2; e^r by its Taylor series to r^6, and 2^n
 * put straight into the exponent. Adding 1.5 * 2^23 rounds to an integer and
 * leaves it in the low bits; ln2 is taken off in two parts (Cody & Waite 1980). */
INLINE void lanes_exp(lanes *v)
{
    lanes x = *v, big, n, r, p;
    lane_ints keep = x > -87.0f;
    lanes_set(&big, 12582912.0f);
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

#endif
