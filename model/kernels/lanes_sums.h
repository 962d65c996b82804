/* Sums over a row, and layer normalisation, for decoding and training: see
 * model/kernels/lanes.h. */
#ifndef MODEL_LANES_SUMS_H
#define MODEL_LANES_SUMS_H

#include "model/kernels/lanes.h"

/* The sum of x, or of its squared distances from a mean. */
INLINE float sum_of(const float *x, int n)
{
    struct wide sum = {{{0}}};
    float tail = 0.0f;
    int i = 0;
    for (; i + WIDE <= n; i += WIDE)
        for (int c = 0; c < PARTS; c++)
            sum.part[c] += *lanes_at(x + i, c);
    for (; i < n; i++)
        tail += x[i];
    return wide_sum(&sum) + tail;
}

INLINE float squares_of(const float *x, int n, float mean)
{
    struct wide sum = {{{0}}};
    float tail = 0.0f;
    int i = 0;
    for (; i + WIDE <= n; i += WIDE)
        for (int c = 0; c < PARTS; c++) {
            lanes away = *lanes_at(x + i, c) - mean;
            sum.part[c] += away * away;
        }
    for (; i < n; i++)
        tail += (x[i] - mean) * (x[i] - mean);
    return wide_sum(&sum) + tail;
}

/* y = norm(x) w + b, all [n]; stats gets the mean and 1 / the standard deviation. */
INLINE void norm_row(float *y, float *stats, const float *x, const float *w,
                     const float *b, int n)
{
    float mean = sum_of(x, n) / (float)n;
    float inverse = 1.0f / sqrtf(squares_of(x, n, mean) / (float)n + 1e-5f);
    for (int i = 0; i < n; i++)
        y[i] = (x[i] - mean) * inverse * w[i] + b[i];
    stats[0] = mean;
    stats[1] = inverse;
}

#endif
