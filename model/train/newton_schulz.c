/* See newton_schulz.h. x x^T and its square are symmetric, so only the part below the
 * diagonal is multiplied, and the rest is copied from it. */
#include "model/train/newton_schulz.h"

#include "model/base/parts.h"

#include <math.h>
#include <string.h>

enum { PAD = 16, STRIP = 64, TILE = 16 };

static const float FIRST = 3.4445f, THIRD = -4.7750f, FIFTH = 2.0315f;
static const double LEAST_NORM = 1e-7;

/* The distance of rows of n columns. It is no power of two, which would put the rows in
 * the same sets of the cache. */
int newton_schulz_ld(int n)
{
    return n_parts(n, PAD) * PAD + PAD;
}

size_t newton_schulz_panels(const struct product_set *set, int m, int n)
{
    return larger(product_packed(set, n, m), product_packed(set, m, n));
}

/* By tiles, so that both matrices are read and written near by. */
void transpose(float *to, int ld_to, const float *from, int ld_from, int rows,
               int columns)
{
    for (int tile = 0; tile < rows; tile += TILE)
        for (int first = 0; first < columns; first += TILE)
            for (int c = first; c < least(columns, first + TILE); c++)
                for (int r = tile; r < least(rows, tile + TILE); r++)
                    to[(size_t)c * ld_to + (size_t)r] =
                        from[(size_t)r * ld_from + (size_t)c];
}

/* Packs the product's b, or copies it if the set reads b unpacked. Afterwards the product
 * may overwrite b. */
static void hold_b(struct product *p, const struct product_set *set, uint32_t *panels)
{
    if (set->pack) {
        set->pack(panels, p->b.at, p->b.ld, p->b.transposed, p->n, p->k);
        p->packed = panels;
        return;
    }
    const int rows = p->b.transposed ? p->n : p->k,
              columns = p->b.transposed ? p->k : p->n;
    float *copy = (void *)panels; /* this set reads floats here, not words */
    for (int r = 0; r < rows; r++)
        memcpy(copy + (size_t)r * columns, p->b.at + (size_t)r * p->b.ld,
               columns * sizeof *copy);
    p->b.at = copy;
    p->b.ld = columns;
}

/* Computes a product that is known to be symmetric, in strips of rows up to the diagonal. */
static void multiply_symmetric(const struct product_set *set, struct product p,
                               const struct newton_schulz *at)
{
    const int m = p.m;
    const float *a = p.a.at;
    float *c = p.c;
    hold_b(&p, set, at->panels);
    for (int i = 0; i < m; i += STRIP) {
        const size_t ld = (size_t)p.ld_c;
        p.m = least(m - i, STRIP);
        p.n = i + p.m;
        p.a.at = a + (size_t)i * p.a.ld;
        p.c = c + (size_t)i * ld;
        set->multiply(&p, at->multiplied);
        transpose(c + i, p.ld_c, p.c, p.ld_c, p.m, i);
    }
}

/* x = FIRST x + (THIRD square + FIFTH square square) x, where square = x x^T. */
static void improve(const struct product_set *set, const struct newton_schulz *at,
                    int m, int n)
{
    const int ld_x = newton_schulz_ld(n), ld = newton_schulz_ld(m);
    const struct matrix x = row_major(at->x, ld_x), square = row_major(at->square, ld);
    struct product p = product_of(m, m, n, x, transposed(at->x, ld_x), at->square, ld);
    multiply_symmetric(set, p, at);
    for (int r = 0; r < m; r++)
        memcpy(at->polynomial + (size_t)r * ld, at->square + (size_t)r * ld,
               m * sizeof(float));
    p = product_of(m, m, m, square, square, at->polynomial, ld);
    p.alpha = FIFTH;
    p.beta = THIRD;
    multiply_symmetric(set, p, at);
    p = product_of(m, n, m, row_major(at->polynomial, ld), x, at->x, ld_x);
    p.beta = FIRST;
    hold_b(&p, set, at->panels);
    set->multiply(&p, at->multiplied);
}

void newton_schulz(const struct product_set *set, const struct newton_schulz *at, int m,
                   int n, double sum_squares)
{
    const float by = (float)(1.0 / (sqrt(sum_squares) + LEAST_NORM));
    float *x = at->x;
    for (int r = 0; r < m; r++, x += newton_schulz_ld(n))
        for (int c = 0; c < n; c++)
            x[c] *= by;
    for (int i = 0; i < NEWTON_SCHULZ_STEPS; i++)
        improve(set, at, m, n);
}
