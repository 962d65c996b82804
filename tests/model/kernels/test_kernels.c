/* Every kernel against a plain loop in double precision, over odd sizes, and
 * every instruction set against the plainest, bit for bit. */
#include "tests/check.h"
#include "tests/model/kernels/kernel_data.h"

static float c[MAX];

static int fill_all(void **state)
{
    fill(state);
    for (int i = 0; i < MAX; i++)
        c[i] = a[i] * b[i];
    return 0;
}

static void check_matvec(const struct kernels *k, int rows, int n)
{
    k->matvec(&(struct matvec){got, a, b, c, 0, 0, 1, rows, n});
    assert_same_bits(k, rows);
    for (int r = 0; r < rows; r++) {
        double sum = b[r];
        for (int i = 0; i < n; i++)
            sum += (double)a[r * n + i] * c[i];
        assert_float_equal(got[r], sum, 1e-4);
    }
    k->matvec(&(struct matvec){got, a, NULL, c, 0, 0, 1, rows, n});
    for (int r = 0; r < rows; r++)
        assert_float_equal(got[r] + b[r], plain[r], 1e-5);
}

TEST(matvec)
{
    for (int rows = 1; rows < 10; rows++)
        FOR_SIZES(n)
    FOR_SETS(k)
    check_matvec(k, rows, n);
}

/* Each vector gets the bits it gets alone, and nothing is written beside the rows. */
static void check_matvec_many(const struct kernels *k, int n_x, int rows, int n)
{
    const int ldx = n + 3, ldy = rows + 5;
    for (int i = 0; i < n_x * ldy; i++)
        got[i] = 7.0f;
    k->matvec(&(struct matvec){got, a, b, c, ldy, ldx, n_x, rows, n});
    for (int v = 0; v < n_x; v++) {
        k->matvec(&(struct matvec){plain, a, b, c + v * ldx, 0, 0, 1, rows, n});
        assert_memory_equal(got + v * ldy, plain, (size_t)rows * sizeof *got);
        for (int i = rows; i < ldy; i++)
            assert_true(got[v * ldy + i] == 7.0f);
    }
}

TEST(matvec_many)
{
    for (int n_x = 1; n_x < 10; n_x++)
        for (int rows = 1; rows < 10; rows++)
            FOR_SIZES(n)
    FOR_SETS(k)
    check_matvec_many(k, n_x, rows, n);
}

static void check_norm(const struct kernels *k, int n)
{
    double mean = 0, variance = 0;
    k->layer_norm(got, a, b, c, n);
    assert_same_bits(k, n);
    for (int i = 0; i < n; i++)
        mean += (double)a[i] / n;
    for (int i = 0; i < n; i++)
        variance += (a[i] - mean) * (a[i] - mean) / n;
    for (int i = 0; i < n; i++)
        assert_float_equal(got[i], (a[i] - mean) / sqrt(variance + 1e-5) * b[i] + c[i],
                           1e-4);
}

TEST_SIZES(layer_norm, check_norm)

static void check_elementwise(const struct kernels *k, int n)
{
    memcpy(got, a, (size_t)n * sizeof *got);
    k->relu(got, n);
    k->add(got, b, n);
    k->scale(got, 0.3f, n);
    for (int i = 0; i < n; i++)
        assert_float_equal(got[i], 0.3 * (fmax(a[i], 0) + b[i]), 1e-6);
    assert_same_bits(k, n);
}

/* The bits of adding one after the other, and nothing is written beside the row. */
static void check_add_many(const struct kernels *k, int n_x, int n)
{
    const int ldx = n + 3;
    memcpy(got, a, sizeof got);
    memcpy(plain, a, sizeof plain);
    k->add_many(got, b, (size_t)ldx, n_x, n);
    for (int v = 0; v < n_x; v++)
        k->add(plain, b + v * ldx, n);
    assert_memory_equal(got, plain, sizeof got);
}

TEST(adding_many)
{
    for (int n_x = 0; n_x < 10; n_x++)
        FOR_SIZES(n)
    FOR_SETS(k)
    check_add_many(k, n_x, n);
}

TEST_SIZES(elementwise, check_elementwise)

static void check_scores(const struct kernels *k, int n_tiles, int d)
{
    k->score_keys[0](&(struct scoring){.scores = got,
                                       .q = a,
                                       .keys = b,
                                       .n_rows = 1,
                                       .n = n_tiles * KEY_TILE,
                                       .d = d});
    assert_same_bits(k, n_tiles * KEY_TILE);
    for (int t = 0; t < n_tiles * KEY_TILE; t++) {
        const float *key = b + t / KEY_TILE * d * KEY_TILE + t % KEY_TILE;
        double sum = 0;
        for (int i = 0; i < d; i++)
            sum += (double)a[i] * key[i * KEY_TILE];
        assert_float_equal(got[t], sum, 1e-4);
    }
}

TEST(scores)
{
    for (int n_tiles = 1; n_tiles < 4; n_tiles++)
        for (int d = 1; d < 100; d += 11)
            FOR_SETS(k)
    check_scores(k, n_tiles, d);
}

/* As attention does it: the largest goes to e^0. */
static void check_softmax(const struct kernels *k, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        got[i] = a[i] * 50; /* some are lost beside the largest */
    float high = k->highest(got, n);
    for (int i = 0; i < n; i++)
        assert_true(got[i] <= high);
    float total = k->exp_sum(got, n, high);
    for (int i = 0; i < n; i++) {
        double wanted = exp((double)(a[i] * 50 - high));
        assert_true(fabs(got[i] - wanted) <= 2e-7 * wanted + 1e-37);
        sum += wanted;
    }
    assert_float_equal(total, sum, 1e-5 * sum);
}

TEST_SIZES(softmax, check_softmax)

/* All that a weight can be: on a grid, down to where it is nothing. Plain C rounds
 * products before it adds. */
TEST(exponentials)
{
    FOR_SETS(k)
    for (int from = 0; from < 87 * 4096; from += MAX) {
        for (int i = 0; i < MAX; i++)
            got[i] = -fminf((float)(from + i) / 4096 + a[i] / 8192, 86.9f);
        memcpy(plain, got, sizeof got);
        k->exp_sum(got, MAX, 0.0f);
        for (int i = 0; i < MAX; i++) {
            double wanted = exp((double)plain[i]);
            assert_true(fabs(got[i] - wanted) <= (at_k ? 2e-7 : 3e-7) * wanted);
        }
    }
}

TEST(far_below_is_nothing)
{
    FOR_SETS(k)
    {
        float x[] = {5.0f, -83.0f, -1e6f, -3e38f, -INFINITY};
        assert_true(k->exp_sum(x, 5, 5.0f) == 1.0f);
        assert_true(x[0] == 1.0f);
        for (int i = 1; i < 5; i++)
            assert_true(x[i] == 0.0f);
    }
}

static void mix(const struct kernels *k, float *y, const float *p, const float *values,
                int n, int width)
{
    k->mix_values[0](&(struct mixing){
        .y = y, .p = p, .values = values, .n_rows = 1, .n = n, .width = width});
}

static void check_mix(const struct kernels *k, int n, int width)
{
    memset(got, 0, (size_t)width * sizeof *got);
    mix(k, got, a, b, n, width);
    assert_same_bits(k, width);
    for (int i = 0; i < width; i++) {
        double sum = 0;
        for (int t = 0; t < n; t++)
            sum += (double)a[t] * b[t * width + i];
        assert_float_equal(got[i], sum, 1e-4);
    }
}

/* In two calls, cut at the end of a tile: the bits of one. */
TEST(mixes_by_tiles)
{
    enum { SIZE = 3 * KEY_TILE + 5, WIDTH = 2 * VALUE_PAD };
    FOR_SETS(k)
    for (int n = 0; n <= SIZE; n += KEY_TILE) {
        memset(plain, 0, WIDTH * sizeof *plain);
        memset(got, 0, WIDTH * sizeof *got);
        mix(k, plain, a, b, SIZE, WIDTH);
        mix(k, got, a, b, n, WIDTH);
        mix(k, got, a + n, b + n * WIDTH, SIZE - n, WIDTH);
        assert_memory_equal(got, plain, WIDTH * sizeof *got);
    }
}

TEST(mixes)
{
    for (int width = VALUE_PAD; width < 100; width += VALUE_PAD)
        FOR_SIZES(n)
    FOR_SETS(k)
    check_mix(k, n, width);
}

GROUP(fill_all, NULL)
