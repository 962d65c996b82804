/* Muon's orthogonal matrix as its formula has it, in double precision: the twin of
 * model/train/newton_schulz.c. Include cmocka.h before it. */
#ifndef TESTS_MODEL_PLAIN_MUON_H
#define TESTS_MODEL_PLAIN_MUON_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* c [m, n] = a [m, k] b; b is [k, n], or [n, k] when across. */
static inline void plain_product(double *c, const double *a, const double *b, int m,
                                 int n, int k, int across)
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int p = 0; p < k; p++)
                sum += a[i * k + p] * (across ? b[j * k + p] : b[p * n + j]);
            c[i * n + j] = sum;
        }
}

/* x [m, n], m <= n. */
static inline void plain_newton_schulz(double *x, int m, int n)
{
    double *a = calloc((size_t)m * (size_t)m, sizeof *a),
           *aa = calloc((size_t)m * (size_t)m, sizeof *aa),
           *y = calloc((size_t)m * (size_t)n, sizeof *y), squares = 0.0;
    for (int i = 0; i < m * n; i++)
        squares += x[i] * x[i];
    for (int i = 0; i < m * n; i++)
        x[i] /= sqrt(squares) + 1e-7;
    for (int step = 0; step < 5; step++) {
        plain_product(a, x, x, m, m, n, 1);
        plain_product(aa, a, a, m, m, m, 0);
        for (int i = 0; i < m * m; i++)
            a[i] = -4.7750 * a[i] + 2.0315 * aa[i];
        plain_product(y, a, x, m, n, m, 0);
        for (int i = 0; i < m * n; i++)
            x[i] = 3.4445 * x[i] + y[i];
    }
    free(a);
    free(aa);
    free(y);
}

/* x [rows, columns] of any shape. */
static inline void plain_orthogonal(double *x, int rows, int columns)
{
    if (rows <= columns) {
        plain_newton_schulz(x, rows, columns);
        return;
    }
    double *across = calloc((size_t)rows * (size_t)columns, sizeof *across);
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++)
            across[c * rows + r] = x[r * columns + c];
    plain_newton_schulz(across, columns, rows);
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++)
            x[r * columns + c] = across[c * rows + r];
    free(across);
}

#endif
