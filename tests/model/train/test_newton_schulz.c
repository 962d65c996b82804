/* The orthogonal matrix of Muon: as its formula has it, whatever multiplies, and with
 * singular values near 1. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "model/train/newton_schulz.h"
#include "tests/model/train/plain_muon.h"

static const int SIZES[][2] = {{1, 1},   {1, 9},    {6, 6},     {10, 70},
                               {64, 64}, {65, 130}, {130, 130}, {128, 512}};
enum { N_SIZES = sizeof SIZES / sizeof *SIZES };

/* Gradients are far from orthogonal: directions here differ by thousands in size. */
static void fill(double *x, int m, int n)
{
    uint32_t h = 7;
    for (int i = 0; i < m * n; i++) {
        h = h * 1664525u + 1013904223u;
        double u = (double)(h >> 8) / 16777216.0 - 0.5;
        x[i] = u * exp(-7.0 * (i / n) / m) + 0.3 * sin(i % n);
    }
}

static void *room(size_t n, size_t size)
{
    void *p = aligned_alloc(64, (n * size + 63) / 64 * 64);
    assert_non_null(p);
    memset(p, 0xff, n * size); /* what was there before must not matter */
    return p;
}

static void run(const struct product_set *set, double *out, const double *in, int m,
                int n)
{
    const int ld = newton_schulz_ld(n), ld_square = newton_schulz_ld(m);
    const struct newton_schulz at = {
        .x = room((size_t)(m * ld), sizeof(float)),
        .square = room((size_t)(m * ld_square), sizeof(float)),
        .polynomial = room((size_t)(m * ld_square), sizeof(float)),
        .panels = room(newton_schulz_panels(set, m, n), sizeof(uint32_t)),
        .multiplied = room(product_scratch((size_t)m, (size_t)n), sizeof(uint32_t)),
    };
    double squares = 0.0;
    for (int i = 0; i < m * n; i++) {
        at.x[i / n * ld + i % n] = (float)in[i];
        squares += in[i] * in[i];
    }
    newton_schulz(set, &at, m, n, squares);
    for (int i = 0; i < m * n; i++)
        out[i] = (double)at.x[i / n * ld + i % n];
    free(at.x);
    free(at.square);
    free(at.polynomial);
    free(at.panels);
    free(at.multiplied);
}

/* The root mean square of the difference, that of a full orthogonal matrix being 1. */
static double compare(const struct product_set *set, int m, int n)
{
    double *in = calloc((size_t)(m * n), sizeof *in),
           *got = calloc((size_t)(m * n), sizeof *got), sum = 0.0;
    fill(in, m, n);
    run(set, got, in, m, n);
    plain_newton_schulz(in, m, n);
    for (int i = 0; i < m * n; i++)
        sum += (got[i] - in[i]) * (got[i] - in[i]);
    free(in);
    free(got);
    return sqrt(sum / m);
}

static void products_agree_with_the_formula(void **state)
{
    (void)state;
    const struct product_set *sets[] = {product_blas(), product_f32(), product_bf16()};
    for (int s = 0; s < 3; s++)
        for (int i = 0; sets[s] && i < N_SIZES; i++) {
            double off = compare(sets[s], SIZES[i][0], SIZES[i][1]);
            if (!(off < (s == 2 ? 0.1 : 2e-4)))
                fail_msg("set %d, %d x %d: off by %g", s, SIZES[i][0], SIZES[i][1],
                         off);
        }
}

/* Rows become their singular values' lengths: turned in pairs until none overlap
 * (one-sided Jacobi, Hestenes 1958). */
static void turn_rows(double *a, double *b, int n)
{
    double aa = 0.0, bb = 0.0, ab = 0.0;
    for (int i = 0; i < n; i++) {
        aa += a[i] * a[i];
        bb += b[i] * b[i];
        ab += a[i] * b[i];
    }
    if (fabs(ab) <= 1e-14 * sqrt(aa * bb))
        return;
    double t = (bb - aa) / (2.0 * ab);
    t = (t < 0 ? -1.0 : 1.0) / (fabs(t) + sqrt(1.0 + t * t));
    double c = 1.0 / sqrt(1.0 + t * t), s = c * t;
    for (int i = 0; i < n; i++) {
        double x = a[i], y = b[i];
        a[i] = c * x - s * y;
        b[i] = s * x + c * y;
    }
}

static void singular_values(double *x, int m, int n, double *least, double *most)
{
    for (int sweep = 0; sweep < 12; sweep++)
        for (int i = 0; i < m; i++)
            for (int j = i + 1; j < m; j++)
                turn_rows(x + i * n, x + j * n, n);
    *least = INFINITY;
    *most = 0.0;
    for (int i = 0; i < m; i++) {
        double sum = 0.0;
        for (int j = 0; j < n; j++)
            sum += x[i * n + j] * x[i * n + j];
        *least = fmin(*least, sqrt(sum));
        *most = fmax(*most, sqrt(sum));
    }
}

static void singular_values_are_near_one(void **state)
{
    (void)state;
    enum { M = 48, WIDE = 100 };
    const struct product_set *sets[] = {product_blas(), product_f32(), product_bf16()};
    for (int s = 0; s < 3; s++) {
        double x[M * WIDE], least, most;
        if (!sets[s])
            continue;
        fill(x, M, WIDE);
        for (int i = 0; i < M; i++) /* five steps lift no more than 0.7 / 3.4445^5 */
            x[i * WIDE + i] += 1.0;
        run(sets[s], x, x, M, WIDE);
        singular_values(x, M, WIDE, &least, &most);
        assert_true(least > 0.6 && most < 1.3);
    }
}

static void zeros_stay(void **state)
{
    (void)state;
    double x[6 * 10] = {0};
    run(product_best(true), x, x, 6, 10);
    for (int i = 0; i < 60; i++)
        assert_true(x[i] == 0.0);
}

static void a_matrix_is_turned_across(void **state)
{
    (void)state;
    enum { ROWS = 37, COLUMNS = 19, LD = 40 };
    float from[ROWS * COLUMNS], to[COLUMNS * LD] = {0};
    for (int i = 0; i < ROWS * COLUMNS; i++)
        from[i] = (float)i;
    transpose(to, LD, from, COLUMNS, ROWS, COLUMNS);
    for (int c = 0; c < COLUMNS; c++)
        for (int r = 0; r < LD; r++)
            assert_true(to[c * LD + r] == (r < ROWS ? from[r * COLUMNS + c] : 0.0f));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_agree_with_the_formula),
        cmocka_unit_test(singular_values_are_near_one),
        cmocka_unit_test(zeros_stay),
        cmocka_unit_test(a_matrix_is_turned_across),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
