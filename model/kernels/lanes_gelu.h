/* x Phi(x) and its slope (Hendrycks & Gimpel 2016) on the vectors of lanes.h. */
#ifndef MODEL_LANES_GELU_H
#define MODEL_LANES_GELU_H

#include "model/kernels/lanes.h"

/* Beyond it the normal distribution's tail is 0 in a float; lanes_exp gives 0. */
#define NORMAL_END 14.0f

/* v = x in the lanes where `where` is all ones. */
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

/* Curves are computed for x < 0, from the tail alone. For x > 0, part = whole - part.
 * So 1 - Phi keeps its small digits. */
INLINE void lanes_turn_right(lanes *part, const lanes *whole, const lanes *x)
{
    lanes other = *whole - *part;
    lane_ints right = *x > 0.0f;
    lanes_replace(part, &other, &right);
}

/* v = x Phi(x), which is x tail for x < 0 and x - x tail for x > 0. If it is asked for, *slope =
 * Phi(x) + x phi(x), which is tail - a phi for x < 0, and 1 less that for x > 0. */
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

#endif
