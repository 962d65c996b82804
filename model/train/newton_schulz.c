/* See newton_schulz.h. The squares are symmetric, so what lies above their diagonal is
 * not multiplied but copied from below. */
#include "model/train/newton_schulz.h"

#include <math.h>
#include <string.h>

enum { PAD = 16, STRIP = 64, TILE = 16 };

static const float FIRST = 3.4445f, THIRD = -4.7750f, FIFTH = 2.0315f;
static const double LEAST_NORM = 1e-7;

/* Rows a power of two apart would share cache sets. */
int newton_schulz_ld(int n)
{
    return (n + PAD - 1) / PAD * PAD + PAD;
}

size_t newton_schulz_panels(const struct product_set *set, int m, int n)
{
    size_t wide = product_packed(set, n, m), tall = product_packed(set, m, n);
    return wide > tall ? wide : tall;
}

static int at_most(int n, int most)
{
    return n < most ? n : most;
}

static void transpose_tile(float *to, int ld_to, const float *from, int ld_from,
                           int rows, int columns)
{
    for (int c = 0; c < columns; c++)
        for (int r = 0; r < rows; r++)
            to[(size_t)c * (size_t)ld_to + (size_t)r] =
                from[(size_t)r * (size_t)ld_from + (size_t)c];
}

void transpose(float *to, int ld_to, const float *from, int ld_from, int rows,
               int columns)
{
    for (int r = 0; r < rows; r += TILE)
        for (int c = 0; c < columns; c += TILE)
            transpose_tile(to + (size_t)c * (size_t)ld_to + (size_t)r, ld_to,
                           from + (size_t)r * (size_t)ld_from + (size_t)c, ld_from,
                           at_most(rows - r, TILE), at_most(columns - c, TILE));
}

/* The product's b is packed, or copied where the set takes it as it is: the product may
 * then write over where b was. */
static void hold_b(struct product *p, const struct product_set *set, uint32_t *panels)
{
    if (set->pack) {
        set->pack(panels, p->b, p->ld_b, p->b_across, p->n, p->k);
        p->packed = panels;
        p->panel = product_words(set, p->k) * PRODUCT_COLUMNS;
        return;
    }
    const int rows = p->b_across ? p->n : p->k, columns = p->b_across ? p->k : p->n;
    float *copy = (void *)panels; /* words or numbers, as the set has it */
    for (int r = 0; r < rows; r++)
        memcpy(copy + (size_t)r * (size_t)columns, p->b + (size_t)r * (size_t)p->ld_b,
               (size_t)columns * sizeof *copy);
    p->b = copy;
    p->ld_b = columns;
}

/* A product known to be symmetric, strip by strip of rows up to the diagonal. */
static void multiply_symmetric(const struct product_set *set, struct product p,
                               const struct newton_schulz *at)
{
    const int m = p.m;
    const float *a = p.a;
    float *c = p.c;
    hold_b(&p, set, at->panels);
    for (int i = 0; i < m; i += STRIP) {
        const size_t ld = (size_t)p.ld_c;
        p.m = at_most(m - i, STRIP);
        p.n = i + p.m;
        p.a = a + (size_t)i * (size_t)p.ld_a;
        p.c = c + (size_t)i * ld;
        set->multiply(&p, at->multiplied);
        transpose(c + i, p.ld_c, p.c, p.ld_c, p.m, i);
    }
}

/* square = x x^T */
static void make_square(const struct product_set *set, const struct newton_schulz *at,
                        int m, int n)
{
    const struct product p = {
        .m = m,
        .n = m,
        .k = n,
        .alpha = 1.0f,
        .a = at->x,
        .ld_a = newton_schulz_ld(n),
        .b = at->x,
        .ld_b = newton_schulz_ld(n),
        .b_across = true,
        .c = at->square,
        .ld_c = newton_schulz_ld(m),
    };
    multiply_symmetric(set, p, at);
}

/* polynomial = THIRD square + FIFTH square square */
static void make_polynomial(const struct product_set *set,
                            const struct newton_schulz *at, int m)
{
    const int ld = newton_schulz_ld(m);
    const struct product p = {
        .m = m,
        .n = m,
        .k = m,
        .alpha = FIFTH,
        .a = at->square,
        .ld_a = ld,
        .b = at->square,
        .ld_b = ld,
        .beta = THIRD,
        .c = at->polynomial,
        .ld_c = ld,
    };
    for (int r = 0; r < m; r++)
        memcpy(at->polynomial + (size_t)r * (size_t)ld,
               at->square + (size_t)r * (size_t)ld, (size_t)m * sizeof(float));
    multiply_symmetric(set, p, at);
}

/* x = FIRST x + polynomial x */
static void improve(const struct product_set *set, const struct newton_schulz *at,
                    int m, int n)
{
    struct product p = {
        .m = m,
        .n = n,
        .k = m,
        .alpha = 1.0f,
        .a = at->polynomial,
        .ld_a = newton_schulz_ld(m),
        .b = at->x,
        .ld_b = newton_schulz_ld(n),
        .beta = FIRST,
        .c = at->x,
        .ld_c = newton_schulz_ld(n),
    };
    hold_b(&p, set, at->panels);
    set->multiply(&p, at->multiplied);
}

static void scale(float *x, int m, int n, float by)
{
    for (int r = 0; r < m; r++, x += newton_schulz_ld(n))
        for (int c = 0; c < n; c++)
            x[c] *= by;
}

void newton_schulz(const struct product_set *set, const struct newton_schulz *at, int m,
                   int n, double sum_squares)
{
    scale(at->x, m, n, (float)(1.0 / (sqrt(sum_squares) + LEAST_NORM)));
    for (int i = 0; i < NEWTON_SCHULZ_STEPS; i++) {
        make_square(set, at, m, n);
        make_polynomial(set, at, m);
        improve(set, at, m, n);
    }
}
