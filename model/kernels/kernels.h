/* The arithmetic of a single step, and what prefill and training compute between their
 * matrix products. struct kernels is a table of functions. Each instruction set has its
 * own table, and one table is chosen at run time.
 *
 * All tables sum in the same order and give the same bits, with two exceptions: the
 * exponentials of exp_sum, softmax, softmax_backward and cross_entropy, and `multiply` in
 * f32 and bf16. There all tables but the plain one fuse multiplication and addition.
 *
 * The pointers in one call must not overlap unless the function says so, and need no
 * alignment. The functions are pure: any thread may call them. */
#ifndef MODEL_KERNELS_H
#define MODEL_KERNELS_H

#include "model/kernels/packed.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How the cache stores keys and values. A tile holds KEY_TILE positions of one head.
 *
 * In f32, keys are transposed within a tile, [d_head][KEY_TILE], so that one vector sums
 * the scores of many positions. Values are stored one row per position; a row is padded
 * with zeros to a multiple of VALUE_PAD floats.
 *
 * In 8 bits, the key or the value of a position is a row of integers from -127 to 127
 * times a scale. A tile begins with the scales of its positions, f32 [KEY_TILE]. Then
 * come the integers in pairs of bytes: for keys [d_head/2][KEY_TILE][2], which pairs two
 * dimensions of a position; for values [KEY_TILE/2][width][2], which pairs two positions.
 * Odd counts are rounded up. The other factor is rounded to 16 bits. Queries are rounded
 * 64 dimensions at a time, relative to the largest magnitude of those. The weights of
 * values, which must not exceed 1, are multiplied by the scales first and rounded
 * relative to the largest scale of the tile. */
enum { KEY_TILE = 64, VALUE_PAD = 16, INT8_SCALES = KEY_TILE * sizeof(float) };

/* The bytes of a tile of 8-bit keys or values with so many dimensions. */
static inline size_t int8_tile(int width)
{
    return INT8_SCALES + ((size_t)width + 1) / 2 * 2 * KEY_TILE;
}

/* Scores of some queries of one head: scores[r][t] = q[r] . keys[t] for t < n. The other
 * scores of the last tile may be overwritten, too. */
struct scoring {
    float *scores;    /* [n_rows], ld apart */
    const float *q;   /* [n_rows] of [d], ldq apart */
    const void *keys; /* tiles, as in the cache */
    size_t ld, ldq;
    int n_rows, n, d;
};

/* Weighted sums of values: y[r] += the sum of p[r][t] values[t] over t < n. */
struct mixing {
    float *y;       /* [n_rows] of [width], ldy apart */
    const float *p; /* [n_rows] of [n], ldp apart */
    const void *values;
    size_t ldy, ldp;
    int n_rows, n, width;
};

/* Dropout. The mask is not stored: whether element i stays is a hash of (key, i), which
 * the backward pass computes again. */
struct dropout {
    uint32_t key;       /* differs by the step and the place in the network */
    uint32_t threshold; /* a hash below it drops the element; 0: no dropout */
    float scale;        /* multiplies the elements that stay: 1 / (1 - p) */
};

/* The constants of one AdamW step, with the bias corrections of its moments. */
struct adam {
    float rate, beta1, beta2, eps;
    float shrink;     /* weight decay: weights are multiplied by 1 - rate * decay */
    float correct1;   /* 1 / (1 - beta1^t) */
    float correct2;   /* 1 / (1 - beta2^t) */
    float grad_scale; /* from clipping by the global norm */
};

/* The floats of a table that add_looked_up may read. */
enum { LOOKED_UP = 224 };

struct kernels {
    const char *name;
    /* y = norm(x) w + b for rows of d numbers. stats [rows, 2], unless NULL, receives
     * each row's mean and 1 / standard deviation. */
    void (*layer_norm)(float *y, float *stats, const float *x, const float *w,
                       const float *b, int rows, int d);
    /* Rotates each head [e] of x [rows], ld apart, by its row's rotations [rows, e]
     * (model/decoder/position.h), or back by the opposite angles. rotations NULL: does
     * nothing. */
    void (*rotate)(float *x, int ld, int n_heads, const float *rotations, int e,
                   int rows, bool back);
    /* x = max(x, 0). */
    void (*relu)(float *x, int n);
    /* y += x. */
    void (*add)(float *y, const float *x, int n);
    /* y += x[0], then x[1], and so on; each is [n], ldx apart. */
    void (*add_many)(float *y, const float *x, size_t ldx, int n_x, int n);
    /* x *= by. */
    void (*scale)(float *x, float by, int n);
    /* Scores over keys in f32 and in 8 bits, by enum model_cache_kind. All rows read a
     * tile while it is in the cache. A row's bits do not depend on the other rows. With
     * odd d, the partner of the last dimension in 8 bits is ignored, whatever it holds. */
    void (*score_keys[2])(const struct scoring *s);
    /* The largest of x[n], n > 0. */
    float (*highest)(const float *x, int n);
    /* x = exp(x - shift); returns the sum. No x may exceed shift. The relative error is
     * 3e-7; results below e^-87 are 0. */
    float (*exp_sum)(float *x, int n, float shift);
    /* Sums of values in f32 and in 8 bits, likewise; width is a multiple of VALUE_PAD.
     * Sums go tile by tile, so one call for the first tiles and one for the rest give the
     * bits of a single call. With odd n, the partner of the last position in 8 bits is
     * ignored, whatever it holds. */
    void (*mix_values[2])(const struct mixing *m);
    /* Stores a key or a value of d dimensions at a position of an 8-bit tile. */
    void (*store_key_int8)(void *tile, int place, const float *key, int d);
    void (*store_value_int8)(void *tile, int place, const float *value, int d,
                             int width);
    /* Converts an 8-bit tile to f32: keys to [d][KEY_TILE], with one more line if d is
     * odd; values to [KEY_TILE][width]. */
    void (*widen_keys_int8)(float *to, const void *tile, int d);
    void (*widen_values_int8)(float *to, const void *tile, int width);
    /* scores[i] += table[rows[i]] for i < n. LOOKED_UP floats of the table may be read. */
    void (*add_looked_up)(float *scores, const float *table, const uint8_t *rows,
                          int n);
    /* The activation GELU: y = x Phi(x), where Phi is the normal distribution function
     * (Hendrycks & Gimpel 2016), to 1e-6. y may be x. NaN stays NaN; an infinity gives
     * its limit. */
    void (*gelu)(float *y, const float *x, size_t n);
    /* y = the bits of gelu(x); x becomes GELU's slope there. They do not overlap. */
    void (*gelu_slope)(float *y, float *x, size_t n);
    /* Products with packed weights, by enum model_weights_kind. prepare: to
     * [packed_vector_size] = x[n] as a matrix of that kind needs it; returns the scale of
     * int8 values. `to` is aligned to 64 bytes. Values that are not finite cause no fault
     * but give meaningless results. */
    float (*prepare[PACKED_KINDS])(void *to, const float *x, int n);
    void (*multiply[PACKED_KINDS])(const struct packed_product *p);

    /* The rest is for training. Rows are contiguous unless there is a leading dimension
     * `ld`. */
    /* dx += the gradient of the loss by x. dw and db [d] are overwritten with the
     * gradients by w and b, summed over these rows. */
    void (*layer_norm_backward)(float *dx, float *dw, float *db, const float *dy,
                                const float *x, const float *stats, const float *w,
                                int rows, int d);
    /* out = x + branch after dropout; out may be x. `first` is the index of element 0. */
    void (*add_dropped)(float *out, const float *x, const float *branch, size_t n,
                        struct dropout drop, uint32_t first);
    /* out = x after dropout; out may be x. */
    void (*drop)(float *out, const float *x, size_t n, struct dropout drop,
                 uint32_t first);
    /* dx becomes 0 where y, the output of relu, is 0. */
    void (*relu_backward)(float *dx, const float *y, size_t n);
    /* x[i] *= by[i] */
    void (*multiply_each)(float *x, const float *by, size_t n);
    /* A step of an online softmax (Milakov & Gimelshein 2018) over scores [rows, ld] of
     * some queries against some of their keys. Row r sees the first n + r * more keys.
     * Each score becomes exp(score - high). Scores of keys that the row does not see
     * become 0, up to `keys` rounded up to 16; ld is at least that. high [rows] becomes
     * the maximum so far, and sums [rows] the sum so far relative to it. Both are read if
     * `begun`. factors [rows] receives what earlier results have to be multiplied by; 0
     * if not begun. */
    void (*softmax)(float *scores, int ld, int rows, int n, int more, int keys,
                    bool begun, float *high, float *sums, float *factors);
    /* The backward pass of softmax: scores become the probabilities p, and dp becomes p
     * (dp - inner[row]). */
    void (*softmax_backward)(float *scores, float *dp, int ld, int rows, int n,
                             int more, int keys, const float *log_sums,
                             const float *inner);
    /* Cross entropy: returns the nats of `target`; logits [ld] become the gradient of
     * `scale` times the nats. ld is a multiple of 16 and at least n. */
    float (*cross_entropy)(float *logits, int n, int ld, int target, float scale);
    /* sums [cols] = the sums of the columns of m [rows, cols]. */
    void (*sum_columns)(float *sums, const float *m, int ld, int rows, int cols);
    /* tables[r][index[r][i]] += x[r][i] for i < n + r * more, over n_rows rows.
     * ld_tables, ld_x and ld_index are the distances of rows. */
    void (*sum_into_tables)(float *tables, int ld_tables, const float *x, int ld_x,
                            const uint8_t *index, int ld_index, int n_rows, int n,
                            int more);
    double (*sum_squares)(const float *x, size_t n);
    float (*dot)(const float *a, const float *b, int n);
    void (*adam)(float *w, float *m, float *v, const float *g, size_t n,
                 const struct adam *a);
    /* Nesterov's momentum: m moves towards g; g becomes an average of both. */
    void (*nesterov)(float *g, float *m, size_t n, float momentum);
    /* w = w shrink - rate step */
    void (*descend)(float *w, const float *step, size_t n, float shrink, float rate);
};

/* The fastest table for this processor, or for the lower level that the environment names
 * (model/base/cpu_level.h). */
const struct kernels *kernels_best(void);
/* Table i of those that this processor can run, from the plainest. NULL: there are no
 * more. */
const struct kernels *kernels_at(int i);

#endif
