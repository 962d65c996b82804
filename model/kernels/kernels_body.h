/* The kernels, written once. Each instruction set has a file that defines what
 * model/kernels/lanes.h asks for, KERNELS (the name of its table) and NAME (the set's
 * name), and then includes this. Independent accumulators hide the latency of an
 * addition; they are folded in a fixed order. */
#ifndef MODEL_KERNELS_BODY_H
#define MODEL_KERNELS_BODY_H

#include "model/kernels/kernels_cache.h"
#include "model/kernels/kernels_int8.h"
#include "model/kernels/kernels_sets.h"
#include "model/kernels/lanes_gelu.h"

/* Rows of W summed side by side, and vectors that share them: all that registers
 * hold. */
enum { ROWS = LANES == 4 && !NEON ? 2 : 4, VECTORS = LANES == 16 ? 4 : 1 };
enum { ADDED = 8 /* vectors summed side by side */ };

TARGET static void add(float *y, const float *x, int n)
{
    for (int i = 0; i < n; i++)
        y[i] += x[i];
}

/* Adds n_lanes vectors of each x; their sums stay in registers. */
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

/* n_rows rows of W times n_x vectors. Each load of W serves all vectors. A row's sum
 * with a vector does not depend on how many go together. */
INLINE void dot_block(const struct matvec *m, int row, int vector, int n_rows, int n_x)
{
    const float *w = m->w + (size_t)row * m->n, *x = m->x + (size_t)vector * m->ldx;
    float *y = m->y + (size_t)vector * m->ldy + row;
    struct wide sum[VECTORS][ROWS] = {{{{{0}}}}};
    float tail[VECTORS][ROWS] = {{0}};
    const int n = m->n;
    int i = 0;
    for (; i + WIDE <= n; i += WIDE)
        for (int v = 0; v < n_x; v++)
            for (int r = 0; r < n_rows; r++)
                for (int c = 0; c < PARTS; c++)
                    sum[v][r].part[c] += *lanes_at(w + (size_t)r * n + i, c) *
                                         *lanes_at(x + (size_t)v * m->ldx + i, c);
    for (; i < n; i++)
        for (int v = 0; v < n_x; v++)
            for (int r = 0; r < n_rows; r++)
                tail[v][r] += w[(size_t)r * n + i] * x[(size_t)v * m->ldx + i];
    for (int v = 0; v < n_x; v++)
        for (int r = 0; r < n_rows; r++)
            y[(size_t)v * m->ldy + r] = wide_sum(&sum[v][r]) + tail[v][r];
}

/* n_rows rows times all vectors. After the first block the rows are in the cache. */
INLINE void dot_rows(const struct matvec *m, int row, int n_rows)
{
    int v = 0;
    for (; VECTORS >= 4 && v + 4 <= m->n_x; v += 4)
        dot_block(m, row, v, n_rows, 4);
    for (; VECTORS >= 2 && v + 2 <= m->n_x; v += 2)
        dot_block(m, row, v, n_rows, 2);
    for (; v < m->n_x; v++)
        dot_block(m, row, v, n_rows, 1);
}

TARGET static void matvec(const struct matvec *m)
{
    int r = 0;
    for (; r + ROWS <= m->rows; r += ROWS)
        dot_rows(m, r, ROWS);
    for (; r < m->rows; r++)
        dot_rows(m, r, 1);
    for (int v = 0; m->b && v < m->n_x; v++)
        add(m->y + (size_t)v * m->ldy, m->b, m->rows);
}

TARGET static void layer_norm(float *y, const float *x, const float *w, const float *b,
                              int n)
{
    float stats[2];
    norm_row(y, stats, x, w, b, n);
}

INLINE void heighten(struct wide *high, const struct wide *x)
{
    for (int c = 0; c < PARTS; c++)
        lanes_max(high->part + c, x->part + c);
}

INLINE void heighten_by(struct wide *high, const float *x)
{
    for (int c = 0; c < PARTS; c++)
        lanes_max(high->part + c, lanes_at(x, c));
}

/* Several running maxima hide the latency of a comparison. */
TARGET static float highest(const float *x, int n)
{
    enum { TURNS = 4 };
    struct wide high[TURNS], part;
    int i = 0;
    FOR_UNROLLED (t, TURNS)
        wide_load_part(high + t, x, 0, x[0]);
    for (; i + TURNS * WIDE <= n; i += TURNS * WIDE)
        FOR_UNROLLED (t, TURNS)
            heighten_by(high + t, x + i + (ptrdiff_t)t * WIDE);
    for (; i + WIDE <= n; i += WIDE)
        heighten_by(high, x + i);
    wide_load_part(&part, x + i, n - i, x[0]);
    heighten(high, &part);
    FOR_UNROLLED (t, TURNS - 1)
        heighten(high, high + t + 1);
    return wide_highest(high);
}

TARGET static float exp_sum(float *x, int n, float shift)
{
    struct wide sum = {{{0}}}, last;
    int i = 0;
    for (; i + WIDE <= n; i += WIDE)
        for (int c = 0; c < PARTS; c++)
            lanes_exp_sum(sum.part + c, (lanes *)(x + i + c * LANES), shift);
    if (i == n)
        return wide_sum(&sum);
    wide_load_part(&last, x + i, n - i, -INFINITY);
    for (int c = 0; c < PARTS; c++)
        lanes_exp_sum(sum.part + c, last.part + c, shift);
    wide_store_part(x + i, &last, n - i);
    return wide_sum(&sum);
}

TARGET static void gelu(float *y, const float *x, size_t n)
{
    lanes v;
    size_t i = 0;
    for (; i + LANES <= n; i += LANES) {
        v = *(const lanes *)(x + i);
        lanes_gelu(&v);
        *(lanes *)(y + i) = v;
    }
    if (i == n)
        return;
    lanes_load_part(&v, x + i, (int)(n - i), 0.0f);
    lanes_gelu(&v);
    lanes_store_part(y + i, &v, (int)(n - i));
}

TARGET static void gelu_slope(float *y, float *x, size_t n)
{
    lanes v, slope;
    size_t i = 0;
    for (; i + LANES <= n; i += LANES) {
        v = *(const lanes *)(x + i);
        lanes_gelu_slope(&v, &slope);
        *(lanes *)(y + i) = v;
        *(lanes *)(x + i) = slope;
    }
    if (i == n)
        return;
    lanes_load_part(&v, x + i, (int)(n - i), 0.0f);
    lanes_gelu_slope(&v, &slope);
    lanes_store_part(y + i, &v, (int)(n - i));
    lanes_store_part(x + i, &slope, (int)(n - i));
}

const struct kernels KERNELS = {
    .name = NAME,
    .matvec = matvec,
    .layer_norm = layer_norm,
    .relu = relu,
    .add = add,
    .add_many = add_many,
    .scale = scale,
    .score_keys = {score_keys, score_keys_int8},
    .highest = highest,
    .exp_sum = exp_sum,
    .mix_values = {mix_values, mix_values_int8},
    .store_key_int8 = store_key_int8,
    .store_value_int8 = store_value_int8,
    .widen_keys_int8 = widen_keys_int8,
    .widen_values_int8 = widen_values_int8,
    .to_bf16 = to_bf16,
    .add_looked_up = add_looked_up,
    .time_rows = time_rows,
    .gelu = gelu,
    .gelu_slope = gelu_slope,
};

#endif
