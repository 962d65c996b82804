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

/* The two numbers of each word of bf16 pairs. */
INLINE void widen(lanes *first, lanes *second, const uint16_t *pairs)
{
    lane_words words = *(const lane_words *)pairs;
    *first = (lanes)(words << 16);
    *second = (lanes)(words & 0xffff0000u);
}

/* sum += a tile's products with two dimensions. */
INLINE void score_pair(lanes *sum, const uint16_t *keys, float q0, float q1)
{
    for (int c = 0; c < CHAINS; c++) {
        lanes first, second;
        widen(&first, &second, keys + (size_t)c * 2 * LANES);
        sum[c] += first * q0;
        sum[c] += second * q1;
    }
}

INLINE void score_keys_bf16_body(float *scores, const float *q, const uint16_t *keys,
                                 int n_tiles, int d)
{
    for (; n_tiles > 0; n_tiles--, scores += KEY_TILE) {
        lanes sum[CHAINS] = {{0}};
        int j = 0;
        for (; j + 2 <= d; j += 2, keys += KEY_TILE * 2)
            score_pair(sum, keys, q[j], q[j + 1]);
        if (j < d) {
            score_pair(sum, keys, q[j], 0.0f);
            keys += KEY_TILE * 2;
        }
        memcpy(scores, sum, sizeof sum);
    }
}

/* As mix_tile; stride: numbers from a pair of positions to the next. */
INLINE void mix_tile_bf16(lanes *y, const float *p, const uint16_t *values, int n,
                          size_t stride)
{
    lanes sum[CHAINS] = {{0}}, first, second;
    int t = 0;
    for (; t + CHAINS <= n; t += CHAINS)
        for (int c = 0; c < CHAINS; c += 2, values += stride) {
            widen(&first, &second, values);
            sum[c] += first * p[t + c];
            sum[c + 1] += second * p[t + c + 1];
        }
    for (; t < n; t += 2, values += stride) {
        widen(&first, &second, values);
        sum[0] += first * p[t];
        if (t + 1 < n)
            sum[0] += second * p[t + 1];
    }
    *y += (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

INLINE void mix_column_bf16(float *y, const float *p, const uint16_t *values, int n,
                            size_t stride)
{
    lanes sum = *(const lanes *)y;
    int t = 0;
    for (; t + KEY_TILE <= n; t += KEY_TILE, values += KEY_TILE / 2 * stride)
        mix_tile_bf16(&sum, p + t, values, KEY_TILE, stride);
    if (t < n)
        mix_tile_bf16(&sum, p + t, values, n - t, stride);
    *(lanes *)y = sum;
}

INLINE void mix_values_bf16_body(float *y, const float *p, const uint16_t *values,
                                 int n, int width)
{
    for (int i = 0; i < width; i += LANES)
        mix_column_bf16(y + i, p, values + (size_t)i * 2, n, (size_t)width * 2);
}

/* Half of what is cut off, less one where what stays is even, carries to the nearest.
 * A NaN keeps its sign and a bit to stay one by. */
INLINE void to_bf16_body(uint16_t *to, const float *x, int n)
{
    for (int i = 0; i < n; i++) {
        uint32_t bits;
        memcpy(&bits, x + i, sizeof bits);
        uint32_t nearest = (bits + 0x7fffu + (bits >> 16 & 1)) >> 16;
        uint32_t nan = bits >> 16 | 0x40;
        to[i] = (uint16_t)((bits & 0x7fffffff) > 0x7f800000 ? nan : nearest);
    }
}

INLINE void add_looked_up_body(float *scores, const float *table, const uint8_t *rows,
                               int n)
{
    for (int i = 0; i < n; i++)
        scores[i] += table[rows[i]];
}

INLINE int64_t clamp(int64_t x, int64_t low, int64_t high)
{
    return x < low ? low : x > high ? high : x;
}

/* A time's own clamping to now - far .. now + far, cut to what an int32 can be, does the
 * same; now further off than far is as far. Places are then worked out in the words of
 * the times, whose wrapping comes out even. */
INLINE void time_rows_body(uint8_t *to, const uint8_t *rows, int far, int64_t now,
                           const int32_t *times, int n)
{
    enum { AT_ONCE = 64 };
    uint32_t at[AT_ONCE];
    now = clamp(now, (int64_t)INT32_MIN - far, (int64_t)INT32_MAX + far);
    const int32_t first = (int32_t)clamp(now - far, INT32_MIN, INT32_MAX);
    const int32_t last = (int32_t)clamp(now + far, INT32_MIN, INT32_MAX);
    const uint32_t end = (uint32_t)(now + far);
    for (int i = 0; i < n; i += AT_ONCE) {
        const int part = n - i < AT_ONCE ? n - i : AT_ONCE;
        for (int j = 0; j < part; j++) {
            int32_t time = times[i + j];
            time = time < first ? first : time > last ? last : time;
            at[j] = end - (uint32_t)time;
        }
        for (int j = 0; j < part; j++)
            to[i + j] = rows[at[j]];
    }
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
    TARGET_##set static void set##_score_keys_bf16(                                    \
        float *scores, const float *q, const uint16_t *keys, int n_tiles, int d)       \
    {                                                                                  \
        score_keys_bf16_body(scores, q, keys, n_tiles, d);                             \
    }                                                                                  \
    TARGET_##set static void set##_mix_values_bf16(                                    \
        float *y, const float *p, const uint16_t *values, int n, int width)            \
    {                                                                                  \
        mix_values_bf16_body(y, p, values, n, width);                                  \
    }                                                                                  \
    TARGET_##set static void set##_to_bf16(uint16_t *to, const float *x, int n)        \
    {                                                                                  \
        to_bf16_body(to, x, n);                                                        \
    }                                                                                  \
    TARGET_##set static void set##_add_looked_up(float *scores, const float *table,    \
                                                 const uint8_t *rows, int n)           \
    {                                                                                  \
        add_looked_up_body(scores, table, rows, n);                                    \
    }                                                                                  \
    TARGET_##set static void set##_time_rows(uint8_t *to, const uint8_t *rows,         \
                                             int far, int64_t now,                     \
                                             const int32_t *times, int n)              \
    {                                                                                  \
        time_rows_body(to, rows, far, now, times, n);                                  \
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
        set##_score_keys_bf16,                                                         \
        set##_mix_values_bf16,                                                         \
        set##_to_bf16,                                                                 \
        set##_add_looked_up,                                                           \
        set##_time_rows,                                                               \
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
