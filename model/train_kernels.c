/* Bodies written once on lanes (model/lanes.h), instantiated per instruction set.
 * Reductions keep sixteen lanes folded in a fixed order, so every instance gives
 * the same bits. */
#include "model/train_kernels.h"

#include "model/lanes.h"

INLINE float sum(const float *x, int n)
{
    lanes s = {0};
    float tail = 0.0f;
    int i = 0;
    for (; i + LANES <= n; i += LANES)
        s += *(const lanes *)(x + i);
    for (; i < n; i++)
        tail += x[i];
    return lanes_sum(&s) + tail;
}

INLINE float dot_body(const float *a, const float *b, int n)
{
    lanes s = {0};
    float tail = 0.0f;
    int i = 0;
    for (; i + LANES <= n; i += LANES)
        s += *(const lanes *)(a + i) * *(const lanes *)(b + i);
    for (; i < n; i++)
        tail += a[i] * b[i];
    return lanes_sum(&s) + tail;
}

INLINE float sum_squared_distance(const float *x, int n, float mean)
{
    lanes s = {0};
    float tail = 0.0f;
    int i = 0;
    for (; i + LANES <= n; i += LANES) {
        lanes c = *(const lanes *)(x + i) - mean;
        s += c * c;
    }
    for (; i < n; i++)
        tail += (x[i] - mean) * (x[i] - mean);
    return lanes_sum(&s) + tail;
}

INLINE void layer_norm_body(float *y, float *stats, const float *x, const float *w,
                            const float *b, int rows, int d)
{
    for (int r = 0; r < rows; r++, x += d, y += d, stats += 2) {
        float mean = sum(x, d) / (float)d;
        float inverse =
            1.0f / sqrtf(sum_squared_distance(x, d, mean) / (float)d + 1e-5f);
        for (int i = 0; i < d; i++)
            y[i] = (x[i] - mean) * inverse * w[i] + b[i];
        stats[0] = mean;
        stats[1] = inverse;
    }
}

/* With h = (x - mean) / sd and g = dy w: dx = (g - avg(g) - h avg(g h)) / sd. */
INLINE void layer_norm_backward_row(float *dx, float *dw, float *db, const float *dy,
                                    const float *x, const float *stats, const float *w,
                                    int d)
{
    float mean = stats[0], inverse = stats[1], tail_g = 0.0f, tail_gh = 0.0f;
    lanes sum_g = {0}, sum_gh = {0};
    int i = 0;
    for (; i + LANES <= d; i += LANES) {
        lanes h = (*(const lanes *)(x + i) - mean) * inverse;
        lanes y = *(const lanes *)(dy + i), g = y * *(const lanes *)(w + i);
        *(lanes *)(dw + i) += y * h;
        *(lanes *)(db + i) += y;
        sum_g += g;
        sum_gh += g * h;
    }
    for (; i < d; i++) {
        float h = (x[i] - mean) * inverse;
        dw[i] += dy[i] * h;
        db[i] += dy[i];
        tail_g += dy[i] * w[i];
        tail_gh += dy[i] * w[i] * h;
    }
    float avg_g = (lanes_sum(&sum_g) + tail_g) / (float)d;
    float avg_gh = (lanes_sum(&sum_gh) + tail_gh) / (float)d;
    for (i = 0; i < d; i++) {
        float h = (x[i] - mean) * inverse;
        dx[i] += inverse * (dy[i] * w[i] - avg_g - h * avg_gh);
    }
}

INLINE void layer_norm_backward_body(float *restrict dx, float *restrict dw,
                                     float *restrict db, const float *dy,
                                     const float *x, const float *stats, const float *w,
                                     int rows, int d)
{
    memset(dw, 0, (size_t)d * sizeof *dw);
    memset(db, 0, (size_t)d * sizeof *db);
    for (int r = 0; r < rows; r++)
        layer_norm_backward_row(dx + (size_t)r * d, dw, db, dy + (size_t)r * d,
                                x + (size_t)r * d, stats + (size_t)r * 2, w, d);
}

/* Two rounds of multiply and shift; enough that neighbours and keys show no
 * pattern. The key goes in before and after, so two keys' masks are no shift
 * of one another. */
INLINE uint32_t hash(uint32_t key, uint32_t index)
{
    uint32_t h = index ^ key;
    h = (h ^ (h >> 16)) * 0x7feb352du;
    h = ((h ^ (h >> 15)) + key) * 0x846ca68bu;
    return h ^ (h >> 16);
}

INLINE void add_dropped_body(float *out, const float *x, const float *branch, size_t n,
                             struct dropout drop, uint32_t first)
{
    if (!drop.threshold) {
        for (size_t i = 0; i < n; i++)
            out[i] = x[i] + branch[i];
        return;
    }
    for (size_t i = 0; i < n; i++) {
        float keep =
            hash(drop.key, first + (uint32_t)i) < drop.threshold ? 0.0f : drop.scale;
        out[i] = x[i] + branch[i] * keep;
    }
}

INLINE void drop_body(float *out, const float *x, size_t n, struct dropout drop,
                      uint32_t first)
{
    if (!drop.threshold) {
        memmove(out, x, n * sizeof *out);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        float keep =
            hash(drop.key, first + (uint32_t)i) < drop.threshold ? 0.0f : drop.scale;
        out[i] = x[i] * keep;
    }
}

INLINE void relu_body(float *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        x[i] = x[i] > 0.0f ? x[i] : 0.0f;
}

INLINE void read_table_body(float *x, const float *table, const uint8_t *index, int n)
{
    for (int i = 0; i < n; i++)
        x[i] += table[index[i]];
}

INLINE void sum_into_table_body(float *table, const float *x, const uint8_t *index,
                                int n)
{
    for (int i = 0; i < n; i++)
        table[index[i]] += x[i];
}

INLINE void relu_backward_body(float *dx, const float *y, size_t n)
{
    for (size_t i = 0; i < n; i++)
        dx[i] = y[i] > 0.0f ? dx[i] : 0.0f;
}

/* Rounds up to whole vectors and makes the rest of the last one impossible. */
INLINE int close_row(float *row, int n)
{
    int end = (n + LANES - 1) / LANES * LANES;
    for (int i = n; i < end; i++)
        row[i] = -1e30f;
    return end;
}

/* row[0..end) = exp(row - shift); their sum. */
INLINE float exp_row(float *row, int end, float shift)
{
    lanes total = {0};
    for (int i = 0; i < end; i += LANES) {
        lanes v = *(lanes *)(row + i) - shift;
        lanes_exp(&v);
        *(lanes *)(row + i) = v;
        total += v;
    }
    return lanes_sum(&total);
}

INLINE float row_max(const float *row, int end)
{
    lanes high = *(const lanes *)row;
    for (int i = LANES; i < end; i += LANES)
        lanes_max(&high, (const lanes *)(row + i));
    return lanes_highest(&high);
}

INLINE void clear_from(float *row, int from, int keys)
{
    int end = (keys + LANES - 1) / LANES * LANES;
    if (from < end)
        memset(row + from, 0, (size_t)(end - from) * sizeof *row);
}

INLINE void softmax_causal_body(float *scores, int ld, int rows, int first, int keys,
                                float *log_sums, float *inverse)
{
    for (int r = 0; r < rows; r++) {
        float *row = scores + (size_t)r * ld;
        int end = close_row(row, first + r + 1);
        float high = row_max(row, end);
        float total = exp_row(row, end, high);
        clear_from(row, end, keys);
        log_sums[r] = high + logf(total);
        inverse[r] = 1.0f / total;
    }
}

INLINE void softmax_causal_backward_body(float *scores, float *dp, int ld, int rows,
                                         int first, int keys, const float *log_sums,
                                         const float *inner)
{
    for (int r = 0; r < rows; r++) {
        float *row = scores + (size_t)r * ld, *drow = dp + (size_t)r * ld;
        int end = close_row(row, first + r + 1);
        for (int i = 0; i < end; i += LANES) {
            lanes v = *(lanes *)(row + i) - log_sums[r];
            lanes_exp(&v);
            *(lanes *)(row + i) = v;
            *(lanes *)(drow + i) = v * (*(lanes *)(drow + i) - inner[r]);
        }
        clear_from(drow, first + r + 1, keys);
        clear_from(row, end, keys);
    }
}

INLINE float cross_entropy_body(float *logits, int n, int ld, int target, float scale)
{
    float wanted = logits[target];
    int end = close_row(logits, n);
    float high = row_max(logits, end);
    float total = exp_row(logits, end, high);
    float share = scale / total;
    for (int i = 0; i < end; i++)
        logits[i] *= share;
    clear_from(logits, end, ld);
    logits[target] -= scale;
    return high + logf(total) - wanted;
}

INLINE void sum_columns_body(float *restrict sums, const float *m, int ld, int rows,
                             int cols)
{
    memset(sums, 0, (size_t)cols * sizeof *sums);
    for (int r = 0; r < rows; r++, m += ld)
        for (int i = 0; i < cols; i++)
            sums[i] += m[i];
}

INLINE double sum_squares_body(const float *x, size_t n)
{
    double total = 0.0;
    for (size_t i = 0; i < n; i += 1024) {
        int part = (int)(n - i < 1024 ? n - i : 1024);
        total += (double)dot_body(x + i, x + i, part);
    }
    return total;
}

INLINE void adam_body(float *restrict w, float *restrict m, float *restrict v,
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

/* One set: every body compiled for TARGET_set and gathered into a table. */
#define KERNEL_SET(set)                                                                \
    TARGET_##set static void set##_layer_norm(float *y, float *stats, const float *x,  \
                                              const float *w, const float *b,          \
                                              int rows, int d)                         \
    {                                                                                  \
        layer_norm_body(y, stats, x, w, b, rows, d);                                   \
    }                                                                                  \
    TARGET_##set static void set##_layer_norm_backward(                                \
        float *dx, float *dw, float *db, const float *dy, const float *x,              \
        const float *stats, const float *w, int rows, int d)                           \
    {                                                                                  \
        layer_norm_backward_body(dx, dw, db, dy, x, stats, w, rows, d);                \
    }                                                                                  \
    TARGET_##set static void set##_add_dropped(float *out, const float *x,             \
                                               const float *branch, size_t n,          \
                                               struct dropout drop, uint32_t first)    \
    {                                                                                  \
        add_dropped_body(out, x, branch, n, drop, first);                              \
    }                                                                                  \
    TARGET_##set static void set##_drop(float *out, const float *x, size_t n,          \
                                        struct dropout drop, uint32_t first)           \
    {                                                                                  \
        drop_body(out, x, n, drop, first);                                             \
    }                                                                                  \
    TARGET_##set static void set##_relu(float *x, size_t n)                            \
    {                                                                                  \
        relu_body(x, n);                                                               \
    }                                                                                  \
    TARGET_##set static void set##_relu_backward(float *dx, const float *y, size_t n)  \
    {                                                                                  \
        relu_backward_body(dx, y, n);                                                  \
    }                                                                                  \
    TARGET_##set static void set##_softmax_causal(float *scores, int ld, int rows,     \
                                                  int first, int keys,                 \
                                                  float *log_sums, float *inverse)     \
    {                                                                                  \
        softmax_causal_body(scores, ld, rows, first, keys, log_sums, inverse);         \
    }                                                                                  \
    TARGET_##set static void set##_softmax_causal_backward(                            \
        float *scores, float *dp, int ld, int rows, int first, int keys,               \
        const float *log_sums, const float *inner)                                     \
    {                                                                                  \
        softmax_causal_backward_body(scores, dp, ld, rows, first, keys, log_sums,      \
                                     inner);                                           \
    }                                                                                  \
    TARGET_##set static float set##_cross_entropy(float *logits, int n, int ld,        \
                                                  int wanted, float scale)             \
    {                                                                                  \
        return cross_entropy_body(logits, n, ld, wanted, scale);                       \
    }                                                                                  \
    TARGET_##set static void set##_sum_columns(float *sums, const float *m, int ld,    \
                                               int rows, int cols)                     \
    {                                                                                  \
        sum_columns_body(sums, m, ld, rows, cols);                                     \
    }                                                                                  \
    TARGET_##set static double set##_sum_squares(const float *x, size_t n)             \
    {                                                                                  \
        return sum_squares_body(x, n);                                                 \
    }                                                                                  \
    TARGET_##set static void set##_read_table(float *x, const float *table,            \
                                              const uint8_t *index, int n)             \
    {                                                                                  \
        read_table_body(x, table, index, n);                                           \
    }                                                                                  \
    TARGET_##set static void set##_sum_into_table(float *table, const float *x,        \
                                                  const uint8_t *index, int n)         \
    {                                                                                  \
        sum_into_table_body(table, x, index, n);                                       \
    }                                                                                  \
    TARGET_##set static float set##_dot(const float *a, const float *b, int n)         \
    {                                                                                  \
        return dot_body(a, b, n);                                                      \
    }                                                                                  \
    TARGET_##set static void set##_adam(float *w, float *m, float *v, const float *g,  \
                                        size_t n, const struct adam *a)                \
    {                                                                                  \
        adam_body(w, m, v, g, n, a);                                                   \
    }                                                                                  \
    static const struct train_kernels set##_kernels = {                                \
        .layer_norm = set##_layer_norm,                                                \
        .layer_norm_backward = set##_layer_norm_backward,                              \
        .add_dropped = set##_add_dropped,                                              \
        .drop = set##_drop,                                                            \
        .relu = set##_relu,                                                            \
        .relu_backward = set##_relu_backward,                                          \
        .softmax_causal = set##_softmax_causal,                                        \
        .softmax_causal_backward = set##_softmax_causal_backward,                      \
        .cross_entropy = set##_cross_entropy,                                          \
        .sum_columns = set##_sum_columns,                                              \
        .read_table = set##_read_table,                                                \
        .sum_into_table = set##_sum_into_table,                                        \
        .sum_squares = set##_sum_squares,                                              \
        .dot = set##_dot,                                                              \
        .adam = set##_adam,                                                            \
    };

#define TARGET_plain
KERNEL_SET(plain)

#if defined(__x86_64__)
#define TARGET_avx2 __attribute__((target("avx2")))
KERNEL_SET(avx2)
#define TARGET_avx512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
KERNEL_SET(avx512)
#endif

const struct train_kernels *train_kernels_plain(void)
{
    return &plain_kernels;
}

const struct train_kernels *train_kernels_best(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        return &avx512_kernels;
    if (__builtin_cpu_supports("avx2"))
        return &avx2_kernels;
#endif
    return &plain_kernels;
}
