/* The arithmetic of one token, and what prefill and training need between their matrix
 * products. Each instruction set has one table of functions, chosen at run time.
 *
 * All sets sum in the same order and give the same bits, but for exp_sum, where every set
 * but plain fuses multiply and add.
 *
 * Pointers in one call must not overlap unless it says so. They need no alignment. Pure
 * functions, any thread. */
#ifndef MODEL_KERNELS_H
#define MODEL_KERNELS_H

#include "model/kernels/packed.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Keys are stored in tiles of KEY_TILE positions, transposed: [d_head][KEY_TILE]. So
 * one vector sums the scores of many positions. Values are stored one row per position;
 * rows are padded with zeros to a multiple of VALUE_PAD floats.
 *
 * In 8 bits, a head's key or value at a position is integers from -127 to 127 times a
 * scale. A tile begins with its positions' scales [KEY_TILE], in f32; then come pairs of
 * bytes. Keys [d_head/2][KEY_TILE][2] pair two dimensions of a position; values
 * [KEY_TILE/2][width][2] pair two positions. Halves are rounded up. What they are
 * multiplied with is rounded to 16 bits: queries, 64 dimensions at a time, to 2^-16 of the
 * largest, and values' weights, which must not exceed 1, to 2^-16. */
enum { KEY_TILE = 64, VALUE_PAD = 16, INT8_SCALES = KEY_TILE * sizeof(float) };

/* Bytes of a tile of keys or values of so many dimensions. */
static inline size_t int8_tile(int width)
{
    return INT8_SCALES + ((size_t)width + 1) / 2 * 2 * KEY_TILE;
}

/* Queries of one head over the same keys: scores[r][n] = q[r] . keys. The other scores
 * of a tile may be written, too. */
struct scoring {
    float *scores;    /* [n_rows], ld apart */
    const float *q;   /* [n_rows] of [d], ldq apart */
    const void *keys; /* tiles, as in the cache */
    size_t ld, ldq;
    int n_rows, n, d;
};

/* y[r][width] += the sum of p[r][t] values[t, width] over t < n. */
struct mixing {
    float *y;       /* [n_rows] of [width], ldy apart */
    const float *p; /* [n_rows] of [n], ldp apart */
    const void *values;
    size_t ldy, ldp;
    int n_rows, n, width;
};

/* A dropout mask is a hash of (key, index), not stored; backward computes it again. */
struct dropout {
    uint32_t key;       /* of the step and the place in the network */
    uint32_t threshold; /* a hash below it drops; 0: no dropout */
    float scale;        /* of kept numbers: 1 / (1 - p) */
};

/* Numbers of one AdamW step, the bias corrections folded in. */
struct adam {
    float rate, beta1, beta2, eps;
    float shrink;     /* weights are multiplied by it: 1 - rate * decay */
    float correct1;   /* 1 / (1 - beta1^t) */
    float correct2;   /* 1 / (1 - beta2^t) */
    float grad_scale; /* from clipping by the global norm */
};

enum { LOOKED_UP = 224 };

struct kernels {
    const char *name;
    /* y = norm(x) w + b over rows of d; stats [rows, 2], or NULL, gets mean and 1/sd. */
    void (*layer_norm)(float *y, float *stats, const float *x, const float *w,
                       const float *b, int rows, int d);
    /* Turns each head [e] of x [rows], ld apart, by its row's rotations [rows, e]
     * (model/decoder/position.h), or back. NULL: not at all. */
    void (*rotate)(float *x, int ld, int n_heads, const float *rotations, int e,
                   int rows, bool back);
    /* x = max(x, 0). */
    void (*relu)(float *x, int n);
    /* y += x. */
    void (*add)(float *y, const float *x, int n);
    /* y += x[0], then x[1] and so on, each [n], ldx apart. */
    void (*add_many)(float *y, const float *x, size_t ldx, int n_x, int n);
    /* x *= by. */
    void (*scale)(float *x, float by, int n);
    /* Over keys in f32 and in 8 bits. Rows share one read of a tile; a row's bits do not
     * depend on the others. With odd d, the last dimension's partner in 8 bits is ignored,
     * whatever it holds. */
    void (*score_keys[2])(const struct scoring *s);
    /* The largest of x[n], n > 0. */
    float (*highest)(const float *x, int n);
    /* x = exp(x - shift); returns the sum. No x may exceed shift. Relative error 3e-7;
     * results below e^-87 are 0. */
    float (*exp_sum)(float *x, int n, float shift);
    /* Over values in f32 and in 8 bits, with rows as in score_keys; width is a multiple of
     * VALUE_PAD. Sums go tile by tile: one call for the first tiles and one for the rest
     * give the bits of a single call. With odd n, the partner of the last position in 8
     * bits is ignored, whatever it holds. */
    void (*mix_values[2])(const struct mixing *m);
    /* Puts a key or a value of d dimensions at a place of a tile in 8 bits. */
    void (*store_key_int8)(void *tile, int place, const float *key, int d);
    void (*store_value_int8)(void *tile, int place, const float *value, int d,
                             int width);
    /* to = a tile in 8 bits: [d][KEY_TILE], and a line more if d is odd; or
     * [KEY_TILE][width]. */
    void (*widen_keys_int8)(float *to, const void *tile, int d);
    void (*widen_values_int8)(float *to, const void *tile, int width);
    /* scores[i] += table[rows[i]] over i < n. The table can be read up to LOOKED_UP
     * numbers. */
    void (*add_looked_up)(float *scores, const float *table, const uint8_t *rows,
                          int n);
    /* y = x Phi(x), Phi the normal distribution function (Hendrycks & Gimpel 2016), to
     * 1e-6. y may be x. NaN stays NaN; an infinity gives its limit. */
    void (*gelu)(float *y, const float *x, size_t n);
    /* y gets the bits of gelu(x), and x becomes the slope there. They do not
     * overlap. */
    void (*gelu_slope)(float *y, float *x, size_t n);
    /* Of each kind of packed weights, by its number. to [packed_vector_size] = x[n], prepared
     * for a matrix of that kind; returns the scale of int8 values. `to` is aligned to 64.
     * Values that are not finite cause no fault but give meaningless results. */
    float (*prepare[PACKED_KINDS])(void *to, const float *x, int n);
    void (*multiply[PACKED_KINDS])(const struct packed_product *p);

    /* Those that only training needs. Rows are contiguous unless a leading dimension `ld` is
     * given. */
    /* dx += d(loss)/dx; dw and db [d] are overwritten with the sums over these rows. */
    void (*layer_norm_backward)(float *dx, float *dw, float *db, const float *dy,
                                const float *x, const float *stats, const float *w,
                                int rows, int d);
    /* out = x + dropped(branch); out may be x. first: index of element 0. */
    void (*add_dropped)(float *out, const float *x, const float *branch, size_t n,
                        struct dropout drop, uint32_t first);
    /* out = dropped(x); out may be x. */
    void (*drop)(float *out, const float *x, size_t n, struct dropout drop,
                 uint32_t first);
    /* dx = 0 where y = max(x, 0) is 0. */
    void (*relu_backward)(float *dx, const float *y, size_t n);
    /* x[i] *= by[i] */
    void (*multiply_each)(float *x, const float *by, size_t n);
    /* Some scores [rows, ld] of queries against keys; row r sees the first n + r * more.
     * A score becomes exp(score - high), and 0 past them up to `keys` rounded up to 16 (ld
     * is at least that). high [rows] becomes the maximum so far, sums [rows] the sum so
     * far relative to it; both are read if `begun`. factors [rows] = what all made before
     * has to be multiplied by, 0 if not begun. */
    void (*softmax)(float *scores, int ld, int rows, int n, int more, int keys,
                    bool begun, float *high, float *sums, float *factors);
    /* scores become probabilities p, dp becomes p (dp - inner[row]). */
    void (*softmax_backward)(float *scores, float *dp, int ld, int rows, int n,
                             int more, int keys, const float *log_sums,
                             const float *inner);
    /* logits [ld] become the gradient of `scale` times the nats of `target`; returns
     * the nats. ld is a multiple of 16, at least n. */
    float (*cross_entropy)(float *logits, int n, int ld, int target, float scale);
    /* sums [cols] = the sums of the columns of m. */
    void (*sum_columns)(float *sums, const float *m, int ld, int rows, int cols);
    /* tables[r][index[r][i]] += x[r][i] for i < n + r * more, over n_rows rows; each of
     * the ld is the distance of its rows. */
    void (*sum_into_tables)(float *tables, int ld_tables, const float *x, int ld_x,
                            const uint8_t *index, int ld_index, int n_rows, int n,
                            int more);
    double (*sum_squares)(const float *x, size_t n);
    float (*dot)(const float *a, const float *b, int n);
    void (*adam)(float *w, float *m, float *v, const float *g, size_t n,
                 const struct adam *a);
    /* m moves towards g; g becomes Nesterov's average of both. */
    void (*nesterov)(float *g, float *m, size_t n, float momentum);
    /* w = w shrink - rate step */
    void (*descend)(float *w, const float *step, size_t n, float shrink, float rate);
};

/* The fastest set that this processor runs, or that of a lower level named in the
 * environment: see model/base/cpu_level.h. */
const struct kernels *kernels_best(void);
/* Set i of those that this processor runs, plainest first; NULL past the last. */
const struct kernels *kernels_at(int i);

#endif
