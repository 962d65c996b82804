/* GELU and its slope against libm in double precision, and every instruction set
 * against the plainest, bit for bit. */
#include "tests/check.h"
#include "tests/model/kernels/kernel_data.h"

#include <float.h>

enum { BEYOND = 64 };
static float grid[MAX], values[MAX];

/* x Phi(x) and its slope Phi(x) + x phi(x), by libm in double. */
static double plain_gelu(double x)
{
    return 0.5 * x * erfc(-x * M_SQRT1_2);
}

static double plain_gelu_slope(double x)
{
    return 0.5 * erfc(-x * M_SQRT1_2) + x * exp(-0.5 * x * x) * 0.3989422804014327;
}

static void fill_grid(float from, float to)
{
    for (int i = 0; i < MAX; i++)
        grid[i] = from + (to - from) * (float)i / (MAX - 1);
}

/* Everywhere, then closer and closer to zero. */
TEST(gelu)
{
    static const float ENDS[] = {12.0f, 4.0f, 1e-3f, 1e-37f};
    for (size_t i = 0; i < sizeof ENDS / sizeof *ENDS; i++) {
        fill_grid(-ENDS[i], ENDS[i]);
        FOR_SETS(k)
        {
            k->gelu(got, grid, MAX);
            assert_same_bits(k, MAX);
            for (int x = 0; x < MAX; x++)
                assert_true(fabs(got[x] - plain_gelu(grid[x])) <= 1e-6);
        }
        FOR_SETS(k)
        {
            memcpy(got, grid, sizeof grid);
            k->gelu_slope(values, got, MAX);
            assert_same_bits(k, MAX);
            for (int x = 0; x < MAX; x++)
                assert_true(fabs(got[x] - plain_gelu_slope(grid[x])) <= 1e-6);
        }
    }
}

/* Alone an x gives the bits it gives in a row, wherever it stands there, with its slope or
 * without; a row in place is a row aside, and what follows it is left alone. */
static void check_row(const struct kernels *k, int n)
{
    memcpy(got, grid, sizeof got);
    memcpy(values, b, sizeof values);
    k->gelu_slope(values, got, (size_t)n);
    assert_memory_equal(got + n, grid + n, BEYOND * sizeof *got);
    assert_memory_equal(values + n, b + n, BEYOND * sizeof *values);
    for (int i = 0; i < n; i++) {
        float value, slope = grid[i];
        k->gelu_slope(&value, &slope, 1);
        assert_memory_equal(got + i, &slope, sizeof slope);
        k->gelu(&value, grid + i, 1);
        assert_memory_equal(values + i, &value, sizeof value);
    }
    memcpy(got, grid, sizeof got);
    k->gelu(got, got, (size_t)n);
    k->gelu(plain, grid, (size_t)n);
    assert_memory_equal(got + n, grid + n, BEYOND * sizeof *got);
    assert_memory_equal(got, plain, (size_t)n * sizeof *got);
    assert_memory_equal(got, values, (size_t)n * sizeof *got);
}

TEST(gelu_rows)
{
    fill_grid(-5.0f, 5.0f);
    for (int i = 0; i < MAX; i++)
        grid[i] *= a[i];
    FOR_SIZES(n)
    FOR_SETS(k)
    check_row(k, n);
}

/* One x: its value, and its slope, bit for bit; -0 is no 0. */
static void check_gelu_at(float x, float value, float slope)
{
    FOR_SETS(k)
    {
        float y, dx = x;
        k->gelu_slope(&y, &dx, 1);
        assert_memory_equal(&y, &value, sizeof y);
        k->gelu(&y, &x, 1);
        assert_memory_equal(&y, &value, sizeof y);
        assert_memory_equal(&dx, &slope, sizeof dx);
    }
}

TEST(gelu_ends)
{
    check_gelu_at(0.0f, 0.0f, 0.5f);
    check_gelu_at(-0.0f, -0.0f, 0.5f);
    check_gelu_at(20.0f, 20.0f, 1.0f);
    check_gelu_at(-20.0f, -0.0f, 0.0f);
    check_gelu_at(FLT_MAX, FLT_MAX, 1.0f);
    check_gelu_at(-FLT_MAX, -0.0f, 0.0f);
    check_gelu_at(INFINITY, INFINITY, 1.0f);
    check_gelu_at(-INFINITY, -0.0f, 0.0f);
}

/* It stays where it is and spoils no neighbour. */
TEST(gelu_nan)
{
    FOR_SETS(k)
    {
        float x[3] = {1.0f, NAN, 1.0f}, dx[3] = {1.0f, NAN, 1.0f}, y[3];
        k->gelu_slope(y, dx, 3);
        k->gelu(x, x, 3);
        assert_true(isnan(y[1]));
        for (int i = 0; i < 3; i++)
            assert_true((bool)isnan(x[i]) == (i == 1) &&
                        (bool)isnan(dx[i]) == (i == 1));
    }
}

GROUP(fill, NULL)
