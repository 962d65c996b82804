/* Makes a matrix roughly orthogonal: five Newton-Schulz steps with the coefficients of
 * Muon (Jordan 2024), after which the singular values lie between about 0.7 and 1.2.
 *
 * The matrix x [m, n], m <= n, is divided by its Frobenius norm. Then each step is
 *
 *   a = x x^T;  x = 3.4445 x + (-4.7750 a + 2.0315 a a) x.
 *
 * A set of products computes these (model/kernels/product.h). One thread does all; every
 * sum runs in a fixed order. */
#ifndef MODEL_NEWTON_SCHULZ_H
#define MODEL_NEWTON_SCHULZ_H

#include "model/kernels/product.h"

enum { NEWTON_SCHULZ_STEPS = 5 };

/* The scratch memory of one thread, borrowed. Each part is aligned to 64 bytes. Rows of n
 * numbers are newton_schulz_ld(n) floats apart. */
struct newton_schulz {
    float *x;             /* [m, ld(n)] the matrix */
    float *square;        /* [m, ld(m)] x x^T */
    float *polynomial;    /* [m, ld(m)] */
    uint32_t *panels;     /* newton_schulz_panels(set, m, n) words */
    uint32_t *multiplied; /* product_scratch(m, n) words */
};

int newton_schulz_ld(int n);
size_t newton_schulz_panels(const struct product_set *set, int m, int n);

/* Makes at->x orthogonal, given the sum of its squares. A matrix of zeros stays. */
void newton_schulz(const struct product_set *set, const struct newton_schulz *at, int m,
                   int n, double sum_squares);

/* to [columns, rows] = the transpose of from [rows, columns]. */
void transpose(float *to, int ld_to, const float *from, int ld_from, int rows,
               int columns);

#endif
