/* The kernels of training, written once and compiled for each instruction set, as
 * model/kernels/lanes.h describes. model/kernels/kernels_body.h includes this file. */
#ifndef MODEL_TRAIN_KERNELS_BODY_H
#define MODEL_TRAIN_KERNELS_BODY_H

#include "model/kernels/kernels.h"
#include "model/kernels/lanes.h"

TARGET static float dot(const float *a, const float *b, int n)
{
    struct wide s = {{{0}}};
    float tail = 0.0f;
    int i = 0;
    for (; i + WIDE <= n; i += WIDE)
        for (int c = 0; c < PARTS; c++)
            s.part[c] += *lanes_at(a + i, c) * *lanes_at(b + i, c);
    for (; i < n; i++)
        tail += a[i] * b[i];
    return wide_sum(&s) + tail;
}

/* The terms that one vector of a row adds to dw and db and to the row's sums of g and g
 * h, where h = (x - mean) / sd and g = dy w. */
INLINE void layer_norm_backward_part(lanes *dw, lanes *db, lanes *sum_g, lanes *sum_gh,
                                     const lanes *dy, const lanes *x,
                                     const float *stats, const lanes *w)
{
    lanes h = (*x - stats[0]) * stats[1], y = *dy, g = y * *w;
    *dw += y * h;
    *db += y;
    *sum_g += g;
    *sum_gh += g * h;
}

/* dx = (g - avg(g) - h avg(g h)) / sd. */
INLINE void layer_norm_backward_row(float *dx, float *dw, float *db, const float *dy,
                                    const float *x, const float *stats, const float *w,
                                    int d)
{
    float mean = stats[0], inverse = stats[1], tail_g = 0.0f, tail_gh = 0.0f;
    struct wide sum_g = {{{0}}}, sum_gh = {{{0}}};
    int i = 0;
    for (; i + WIDE <= d; i += WIDE)
        for (int c = 0, at = i; c < PARTS; c++, at += LANES)
            layer_norm_backward_part(
                (lanes *)(dw + at), (lanes *)(db + at), sum_g.part + c, sum_gh.part + c,
                lanes_at(dy + i, c), lanes_at(x + i, c), stats, lanes_at(w + i, c));
    for (; i < d; i++) {
        float h = (x[i] - mean) * inverse;
        dw[i] += dy[i] * h;
        db[i] += dy[i];
        tail_g += dy[i] * w[i];
        tail_gh += dy[i] * w[i] * h;
    }
    float avg_g = (wide_sum(&sum_g) + tail_g) / (float)d;
    float avg_gh = (wide_sum(&sum_gh) + tail_gh) / (float)d;
    for (i = 0; i < d; i++) {
        float h = (x[i] - mean) * inverse;
        dx[i] += inverse * (dy[i] * w[i] - avg_g - h * avg_gh);
    }
}

TARGET static void layer_norm_backward(float *restrict dx, float *restrict dw,
                                       float *restrict db, const float *dy,
                                       const float *x, const float *stats,
                                       const float *w, int rows, int d)
{
    memset(dw, 0, (size_t)d * sizeof *dw);
    memset(db, 0, (size_t)d * sizeof *db);
    for (int r = 0; r < rows; r++)
        layer_norm_backward_row(dx + (size_t)r * d, dw, db, dy + (size_t)r * d,
                                x + (size_t)r * d, stats + (size_t)r * 2, w, d);
}

/* A hash of two rounds of multiplying and shifting: enough that neighbouring indices and
 * keys show no pattern. The key enters before and after the first multiplication, so that
 * the mask of one key is never that of another key, shifted. */
INLINE uint32_t hash(uint32_t key, uint32_t index)
{
    uint32_t h = index ^ key;
    h = (h ^ (h >> 16)) * 0x7feb352du;
    h = ((h ^ (h >> 15)) + key) * 0x846ca68bu;
    return h ^ (h >> 16);
}

/* The factor of element i: 0 if it is dropped, else the scale. */
INLINE float kept(struct dropout drop, uint32_t i)
{
    return hash(drop.key, i) < drop.threshold ? 0.0f : drop.scale;
}

TARGET static void add_dropped(float *out, const float *x, const float *branch,
                               size_t n, struct dropout drop, uint32_t first)
{
    if (!drop.threshold)
        for (size_t i = 0; i < n; i++)
            out[i] = x[i] + branch[i];
    else
        for (size_t i = 0; i < n; i++)
            out[i] = x[i] + branch[i] * kept(drop, first + (uint32_t)i);
}

TARGET static void drop(float *out, const float *x, size_t n, struct dropout drop,
                        uint32_t first)
{
    if (!drop.threshold)
        memmove(out, x, n * sizeof *out);
    else
        for (size_t i = 0; i < n; i++)
            out[i] = x[i] * kept(drop, first + (uint32_t)i);
}

TARGET static void multiply_each(float *x, const float *by, size_t n)
{
    for (size_t i = 0; i < n; i++)
        x[i] *= by[i];
}

TARGET static void relu_backward(float *dx, const float *y, size_t n)
{
    for (size_t i = 0; i < n; i++)
        dx[i] = y[i] > 0.0f ? dx[i] : 0.0f;
}

/* Rounds n up to a multiple of WIDE; the scores that are added get the probability 0. */
INLINE int close_row(float *row, int n)
{
    int end = (n + WIDE - 1) / WIDE * WIDE;
    for (int i = n; i < end; i++)
        row[i] = -1e30f;
    return end;
}

INLINE void clear_from(float *row, int from, int keys)
{
    int end = (keys + WIDE - 1) / WIDE * WIDE;
    if (from < end)
        memset(row + from, 0, (size_t)(end - from) * sizeof *row);
}

/* e^x, with the bits of lanes_exp_fused. */
INLINE float exp_one(float x)
{
    lanes v = LANES_OF(x);
    lanes_exp_fused(&v);
    return v[0];
}

TARGET static void softmax(float *scores, int ld, int rows, int n, int more, int keys,
                           bool begun, float *high, float *sums, float *factors)
{
    for (int r = 0; r < rows; r++) {
        float *row = scores + (size_t)r * ld;
        const int end = close_row(row, n + r * more);
        float most = highest_of(row, end);
        factors[r] = 0.0f;
        if (begun) {
            most = most > high[r] ? most : high[r];
            factors[r] = most > high[r] ? exp_one(high[r] - most) : 1.0f;
        }
        const float total = exp_sum_of(row, end, most);
        sums[r] = begun ? sums[r] * factors[r] + total : total;
        high[r] = most;
        clear_from(row, end, keys);
    }
}

TARGET static void softmax_backward(float *scores, float *dp, int ld, int rows, int n,
                                    int more, int keys, const float *log_sums,
                                    const float *inner)
{
    for (int r = 0; r < rows; r++, n += more) {
        float *row = scores + (size_t)r * ld, *drow = dp + (size_t)r * ld;
        int end = close_row(row, n);
        for (int i = 0; i < end; i += LANES) {
            lanes v = *(lanes *)(row + i) - log_sums[r];
            lanes_exp_fused(&v);
            *(lanes *)(row + i) = v;
            *(lanes *)(drow + i) = v * (*(lanes *)(drow + i) - inner[r]);
        }
        clear_from(drow, n, keys);
        clear_from(row, end, keys);
    }
}

TARGET static float cross_entropy(float *logits, int n, int ld, int target, float scale)
{
    float wanted = logits[target];
    int end = close_row(logits, n);
    float high = highest_of(logits, end);
    float total = exp_sum_of(logits, end, high);
    float share = scale / total;
    for (int i = 0; i < end; i++)
        logits[i] *= share;
    clear_from(logits, end, ld);
    logits[target] -= scale;
    return high + logf(total) - wanted;
}

TARGET static void sum_columns(float *restrict sums, const float *m, int ld, int rows,
                               int cols)
{
    memset(sums, 0, (size_t)cols * sizeof *sums);
    for (int r = 0; r < rows; r++, m += ld)
        for (int i = 0; i < cols; i++)
            sums[i] += m[i];
}

TARGET static double sum_squares(const float *x, size_t n)
{
    double total = 0.0;
    for (size_t i = 0; i < n; i += 1024) {
        int part = (int)(n - i < 1024 ? n - i : 1024);
        total += (double)dot(x + i, x + i, part);
    }
    return total;
}

TARGET static void adam(float *restrict w, float *restrict m, float *restrict v,
                        const float *restrict g, size_t n, const struct adam *a)
{
    struct adam k = *a;
    float rate = k.rate * k.correct1;
    for (size_t i = 0; i < n; i++) {
        float gi = g[i] * k.grad_scale;
        float mi = m[i] + (1.0f - k.beta1) * (gi - m[i]);
        float vi = v[i] + (1.0f - k.beta2) * (gi * gi - v[i]);
        m[i] = mi;
        v[i] = vi;
        w[i] = w[i] * k.shrink - rate * mi / (sqrtf(vi * k.correct2) + k.eps);
    }
}

TARGET static void nesterov(float *restrict g, float *restrict m, size_t n,
                            float momentum)
{
    for (size_t i = 0; i < n; i++) {
        float gi = g[i], mi = gi + momentum * (m[i] - gi);
        m[i] = mi;
        g[i] = gi + momentum * (mi - gi);
    }
}

TARGET static void descend(float *restrict w, const float *restrict step, size_t n,
                           float shrink, float rate)
{
    for (size_t i = 0; i < n; i++)
        w[i] = w[i] * shrink - rate * step[i];
}

/* -- Tables that are looked up by bucket, in the decoder as well, and their gradients -- */

/* found[i] = pair[at[i] % (2 LANES)]; pair has twice as many numbers as a vector. */
#if LANES > 4
INLINE void read_pair(lanes *found, const float *pair, const lane_ints *at)
{
#if LANES == 16
    *found = (lanes)_mm512_permutex2var_ps(_mm512_loadu_ps(pair), (__m512i)*at,
                                           _mm512_loadu_ps(pair + LANES));
#else
    const __m256 low = _mm256_permutevar8x32_ps(_mm256_loadu_ps(pair), (__m256i)*at),
                 high = _mm256_permutevar8x32_ps(_mm256_loadu_ps(pair + LANES),
                                                 (__m256i)*at);
    *found = (lanes)_mm256_blendv_ps(low, high, (__m256)(*at << 28));
#endif
}

/* If LANES indices lie in one aligned pair of vectors, as indices of keys that sound near
 * each other do, looks up all of them in one step. Else returns false. */
INLINE bool read_near_indices(lanes *found, const float *table, const uint8_t *index)
{
#if LANES == 16
    const __m512i at = _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)index)),
                  first = _mm512_set1_epi32(index[0]);
    if (_mm512_test_epi32_mask(_mm512_xor_si512(at, first), _mm512_set1_epi32(~31)))
        return false;
#else
    const __m256i at = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)index)),
                  first = _mm256_set1_epi32(index[0]);
    if (!_mm256_testz_si256(_mm256_xor_si256(at, first), _mm256_set1_epi32(~15)))
        return false;
#endif
    read_pair(found, table + index[0] / (2 * LANES) * (2 * LANES),
              (const lane_ints *)&at);
    return true;
}
#endif

/* Whether eight keys share a bucket, as most keys do that lie far back or sound at one
 * time. */
INLINE bool share_bucket(const uint8_t *index)
{
    uint64_t all;
    memcpy(&all, index, sizeof all);
    return all == index[0] * UINT64_C(0x0101010101010101);
}

TARGET static void add_looked_up(float *x, const float *table, const uint8_t *index,
                                 int n)
{
    int i = 0;
#if LANES > 4
    for (lanes found; i + LANES <= n; i += LANES)
        if (read_near_indices(&found, table, index + i))
            *(lanes *)(x + i) += found;
        else
            for (int j = 0; j < LANES; j++)
                x[i + j] += table[index[i + j]];
#endif
    for (; i < n; i++)
        x[i] += table[index[i]];
}

/* The sum of eight numbers. */
INLINE float sum_of_eight(const float *x)
{
    const four_lanes q = *(const four_lanes *)x + *(const four_lanes *)(x + 4);
    return (q[0] + q[2]) + (q[1] + q[3]);
}

/* Adds four rows at a time. Where eight adjacent keys share a bucket, as most do, one
 * addition serves them. Elsewhere a row's additions wait for each other, but those of
 * four rows do not. */
TARGET static void sum_into_tables(float *tables, int ld_tables, const float *x,
                                   int ld_x, const uint8_t *index, int ld_index,
                                   int n_rows, int n, int more)
{
    const size_t ld = (size_t)ld_tables, next = (size_t)ld_x, at = (size_t)ld_index;
    int r = 0;
    for (; r + 4 <= n_rows;
         r += 4, n += 4 * more, tables += 4 * ld, x += 4 * next, index += 4 * at) {
        int i = 0;
        for (; i + 8 <= n; i += 8)
            if (share_bucket(index + i) && share_bucket(index + at + i) &&
                share_bucket(index + 2 * at + i) && share_bucket(index + 3 * at + i))
                for (size_t j = 0; j < 4; j++)
                    tables[j * ld + index[j * at + i]] +=
                        sum_of_eight(x + j * next + i);
            else
                for (int k = i; k < i + 8; k++)
                    for (size_t j = 0; j < 4; j++)
                        tables[j * ld + index[j * at + k]] += x[j * next + k];
        for (int j = 0; j < 4; j++)
            for (int k = i; k < n + j * more; k++)
                tables[j * ld + index[j * at + k]] += x[j * next + k];
    }
    for (; r < n_rows; r++, n += more, tables += ld, x += next, index += at)
        for (int k = 0; k < n; k++)
            tables[index[k]] += x[k];
}

#endif
