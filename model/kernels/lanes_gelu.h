/* x Phi(x) and its slope (Hendrycks & Gimpel 2016) on vectors: see model/kernels/lanes.h. */
#ifndef MODEL_LANES_GELU_H
#define MODEL_LANES_GELU_H

#include "model/kernels/lanes.h"

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

/* v = x Phi(x) and *slope = Phi(x) + x phi(x): tail - a phi on the left, 1 less that on
 * the right. */
INLINE void lanes_gelu_slope(lanes *v, lanes *slope)
{
    lanes x = *v, a, tail, bell, one;
    lanes_distance(&a, &x);
    lanes_normal(&tail, &bell, &a);
    lanes_set(&one, 1.0f);
    *slope = tail - a * bell * 0.39894228f; /* 1 / sqrt(2 pi) */
    lanes_turn_right(slope, &one, &x);
    *v = (lanes)((lane_ints)(a * tail) | ((lane_ints)x & INT32_MIN));
    lanes_turn_right(v, &x, &x);
}

#endif
