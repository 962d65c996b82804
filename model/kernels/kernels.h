/* The arithmetic of one token, and what prefill needs between its matrix
 * products. One set of functions per instruction set, chosen at run time; all
 * sets sum in the same order and give the same bits, but for exp_sum, score_keys_bf16
 * and mix_values_bf16: there all but the plain set multiply and add in one rounding.
 * With AVX512-BF16 these two round the queries and weights to the nearest bf16, too,
 * which changes each by at most 2^-9 of it, as keys and values have been changed before,
 * and takes half the instructions.
 *
 * Pointers in one call must not overlap unless it says so; no alignment is
 * asked for. Pure functions, any thread. */
#ifndef MODEL_KERNELS_H
#define MODEL_KERNELS_H

#include <stddef.h>
#include <stdint.h>

/* Keys are kept by tiles of this many positions, transposed: [d_head][KEY_TILE],
 * so that scores are summed for many positions at once. Values are kept a row
 * to a position, rows padded to VALUE_PAD floats with zeros.
 *
 * In bf16, the upper half of an f32, both are kept by pairs, so that one word of 32
 * bits widens to two numbers: keys [d_head/2][KEY_TILE][2], two dimensions of a position
 * side by side, and values [n/2][width][2], two positions side by side; halves are
 * rounded up. Sums are in f32. */
enum { KEY_TILE = 64, VALUE_PAD = 16 };

/* y[v] = W x[v] + b for n_x vectors; b may be NULL. */
struct matvec {
    float *y;               /* [n_x] of [rows], ldy apart */
    const float *w, *b, *x; /* [rows, n]; [rows]; [n_x] of [n], ldx apart */
    int ldy, ldx, n_x, rows, n;
};

/* Queries of one head over the same keys: scores[r][n] = q[r] . keys; a tile's scores that
 * are not asked for may be written, too. */
struct scoring {
    float *scores;    /* [n_rows], ld apart */
    const float *q;   /* [n_rows] of [d], ldq apart */
    const void *keys; /* tiles, as the cache has them */
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

struct kernels {
    const char *name;
    /* y[rows] = W[rows, n] x[n] + b[rows]; b may be NULL. */
    void (*matvec)(float *y, const float *w, const float *b, const float *x, int rows,
                   int n);
    /* Every y[v] gets the bits that matvec would give it, and W is read once. */
    void (*matvec_many)(const struct matvec *m);
    /* y = norm(x) w + b, all [n]. */
    void (*layer_norm)(float *y, const float *x, const float *w, const float *b, int n);
    /* x = max(x, 0). */
    void (*relu)(float *x, int n);
    /* y += x. */
    void (*add)(float *y, const float *x, int n);
    /* y += x[0], then x[1] and so on, each [n], ldx apart. */
    void (*add_many)(float *y, const float *x, size_t ldx, int n_x, int n);
    /* x *= by. */
    void (*scale)(float *x, float by, int n);
    /* scores[n_tiles * KEY_TILE] = q[d] . keys[n_tiles][d][KEY_TILE]. */
    void (*score_keys)(float *scores, const float *q, const float *keys, int n_tiles,
                       int d);
    /* The largest of x[n], n > 0. */
    float (*highest)(const float *x, int n);
    /* x = exp(x - shift), where shift is not below any x; returns the sum. To 3e-7 of
     * each, and 0 from e^-87 on. */
    float (*exp_sum)(float *x, int n, float shift);
    /* y[width] += the sum of p[t] values[t, width] over t < n; width is a multiple
     * of VALUE_PAD. Tile after tile: a call for the first tiles and one for the rest
     * give the bits of a single one. */
    void (*mix_values)(float *y, const float *p, const float *values, int n, int width);
    /* As score_keys, of keys in bf16, which are read once for eight rows; a row gets the
     * same bits alone. An odd d's last dimension is paired with zeros. */
    void (*score_keys_bf16)(const struct scoring *s);
    /* As mix_values, of values in bf16, and rows as there. What is paired with an odd
     * n's last position counts nothing, whatever it is. */
    void (*mix_values_bf16)(const struct mixing *m);
    /* to = x rounded to the nearest bf16, ties to even; NaN stays NaN. */
    void (*to_bf16)(uint16_t *to, const float *x, int n);
    /* scores[i] += table[rows[i]] over i < n; of the table, nothing is read past the
     * highest row. */
    void (*add_looked_up)(float *scores, const float *table, const uint8_t *rows,
                          int n);
    /* to[i] = rows[now - times[i] + far] over i < n, differences beyond far, either way,
     * going as far: rows has 2 far + 1, and far is under 2^30. */
    void (*time_rows)(uint8_t *to, const uint8_t *rows, int far, int64_t now,
                      const int32_t *times, int n);
    /* y = x Phi(x), with the normal distribution's Phi (Hendrycks & Gimpel 2016), to
     * 1e-6; y may be x. NaN stays NaN, and the infinities go to their limits. */
    void (*gelu)(float *y, const float *x, size_t n);
    /* y = gelu(x), to the bit, and x becomes its slope there; they do not overlap. */
    void (*gelu_slope)(float *y, float *x, size_t n);
};

/* The fastest set this processor runs, or that of a lower level that the environment
 * asks for: see model/base/level.h. */
const struct kernels *kernels_best(void);
/* Set i of those this processor runs, plainest first; NULL past the last. */
const struct kernels *kernels_at(int i);

#endif
