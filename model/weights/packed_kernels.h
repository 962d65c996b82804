/* The products of packed matrices with a few vectors (model/weights/packed.h), one set
 * of functions per instruction set, chosen at run time.
 *
 * A row's sum with a vector does not depend on the other vectors or panels, so a take
 * is the same drawn alone or with others. Sets may differ in the last bits of f32 and
 * bf16 sums. int8 sums are exact, and all sets give the same bits. Pure functions, any
 * thread. */
#ifndef MODEL_PACKED_KERNELS_H
#define MODEL_PACKED_KERNELS_H

#include "model/weights/packed.h"

enum { PACKED_MOST_VECTORS = 16 };

/* y[v] = W x[v] + bias for the rows of some panels and 1..PACKED_MOST_VECTORS
 * vectors. */
struct packed_product {
    const struct packed *w;
    int panel, n_panels;
    int n_x;
    const void *x;      /* prepared vectors, ldx bytes apart (a multiple of 64) */
    const float *scale; /* [n_x] int8: what prepare returned for each */
    size_t ldx;
    float *y; /* [n_x] of [n_panels * PANEL], written whole; ldy floats apart */
    int ldy;
};

enum { PACKED_KINDS = WEIGHTS_INT8 + 1 };

/* One function of each kind for every kind of weights, by its number. */
struct packed_kernels {
    const char *name;
    /* to [packed_vector_size] = x[n], prepared for a matrix of that kind. Returns the
     * scale of int8 values. `to` is aligned to 64; x need not be. Values that are not
     * finite cause no fault but give meaningless results. */
    float (*prepare[PACKED_KINDS])(void *to, const float *x, int n);
    void (*multiply[PACKED_KINDS])(const struct packed_product *p);
};

/* As kernels_best and kernels_at. */
const struct packed_kernels *packed_kernels_best(void);
const struct packed_kernels *packed_kernels_at(int i);

#endif
