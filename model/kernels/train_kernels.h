/* The elementwise and row-wise work of training: all but the matrix products. Each
 * instruction set has one table of functions (struct kernels has it); all sets sum in the
 * same order and give the same bits.
 *
 * Rows are contiguous unless a leading dimension `ld` is given. Pointers in one call
 * must not overlap unless it says so. Pure functions, any thread. */
#ifndef MODEL_TRAIN_KERNELS_H
#define MODEL_TRAIN_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

struct train_kernels {
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
    /* x *= by */
    void (*multiply)(float *x, const float *by, size_t n);
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

#endif
