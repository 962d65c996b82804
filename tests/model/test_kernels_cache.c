/* The kernels of caches in bf16 and of looking up times: keys and values in bf16 give
 * what the same numbers give in f32, which test_kernels measures; the rest is exact. */
#include "tests/model/kernel_data.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

static uint16_t halves[MAX];
static uint8_t rows[MAX], looked_up[MAX];
static int32_t times[MAX];

static float widened(uint16_t half)
{
    uint32_t bits = (uint32_t)half << 16;
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Numbers of a cache, any of those near b's. */
static uint16_t cached(int i)
{
    uint32_t bits;
    memcpy(&bits, b + i, sizeof bits);
    return (uint16_t)(bits >> 16);
}

/* d dimensions of n_tiles tiles, in bf16 and, in b's place, as they are. */
static void make_keys(float *keys, int n_tiles, int d)
{
    const int pairs = (d + 1) / 2;
    memset(halves, 0, sizeof halves);
    for (int t = 0; t < n_tiles; t++)
        for (int j = 0; j < d; j++)
            for (int i = 0; i < KEY_TILE; i++) {
                uint16_t key = cached((t * d + j) * KEY_TILE + i);
                halves[((t * pairs + j / 2) * KEY_TILE + i) * 2 + j % 2] = key;
                keys[(t * d + j) * KEY_TILE + i] = widened(key);
            }
}

/* The plain set gives the bits of f32. Those that multiply and add at once round less:
 * they are near, and one gives the bits of the next. */
static void assert_as_f32(const struct kernels *k, int n)
{
    static float fused[MAX];
    if (k == kernels_at(0))
        assert_memory_equal(got, plain, (size_t)n * sizeof *got);
    if (k == kernels_at(1))
        memcpy(fused, got, (size_t)n * sizeof *got);
    for (int i = 0; i < n; i++)
        assert_float_equal(got[i], plain[i], 1e-5);
    if (k != kernels_at(0))
        assert_memory_equal(got, fused, (size_t)n * sizeof *got);
}

static void scores(void **state)
{
    static float keys[MAX];
    const struct kernels *k;
    (void)state;
    for (int n_tiles = 1; n_tiles < 4; n_tiles++)
        for (int d = 1; d < 100; d += 11) {
            make_keys(keys, n_tiles, d);
            kernels_at(0)->score_keys(plain, a, keys, n_tiles, d);
            FOR_SETS(k)
            {
                k->score_keys_bf16(got, a, halves, n_tiles, d);
                assert_as_f32(k, n_tiles * KEY_TILE);
            }
        }
}

/* n positions; the partner of an odd last one is a NaN. */
static void make_values(float *values, int n, int width)
{
    for (int t = 0; t < n + n % 2; t++)
        for (int i = 0; i < width; i++) {
            uint16_t value = t < n ? cached(t * width + i) : 0x7fc1;
            halves[(t / 2 * width + i) * 2 + t % 2] = value;
            if (t < n)
                values[t * width + i] = widened(value);
        }
}

static void check_mix(const struct kernels *k, int n, int width)
{
    memcpy(got, b, (size_t)width * sizeof *got);
    k->mix_values_bf16(got, a, halves, n, width);
    assert_as_f32(k, width);
}

static void mixes(void **state)
{
    static float values[MAX];
    const struct kernels *k;
    (void)state;
    for (int width = VALUE_PAD; width < 100; width += VALUE_PAD)
        FOR_SIZES(n)
        {
            make_values(values, n, width);
            memcpy(plain, b, (size_t)width * sizeof *plain);
            kernels_at(0)->mix_values(plain, a, values, n, width);
            FOR_SETS(k)
            check_mix(k, n, width);
        }
}

/* In two calls, cut at the end of a tile: the bits of one. */
static void mixes_by_tiles(void **state)
{
    enum { SIZE = 3 * KEY_TILE + 5, WIDTH = 2 * VALUE_PAD };
    static float values[MAX];
    const struct kernels *k;
    (void)state;
    make_values(values, SIZE, WIDTH);
    FOR_SETS(k)
    for (int n = 0; n <= SIZE; n += KEY_TILE) {
        memset(plain, 0, WIDTH * sizeof *plain);
        memset(got, 0, WIDTH * sizeof *got);
        k->mix_values_bf16(plain, a, halves, SIZE, WIDTH);
        k->mix_values_bf16(got, a, halves, n, WIDTH);
        k->mix_values_bf16(got, a + n, halves + (ptrdiff_t)n * WIDTH, SIZE - n, WIDTH);
        assert_memory_equal(got, plain, WIDTH * sizeof *got);
    }
}

/* Of the two bf16 about a finite x the nearer, and if neither is the even one. Infinity
 * stands where the next power of two would. */
static void assert_nearest(float x, uint16_t half)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    const uint16_t down = (uint16_t)(bits >> 16), up = (uint16_t)(down + 1);
    double high = isinf(widened(up)) ? copysign(0x1p128, x) : (double)widened(up);
    double to_down = fabs(x - (double)widened(down)), to_up = fabs(high - x);
    bool goes_up = to_up < to_down || (to_up == to_down && down % 2);
    assert_int_equal(half, goes_up ? up : down);
}

static void check_rounding(const struct kernels *k, const uint32_t *bits, int n)
{
    memcpy(got, bits, (size_t)n * sizeof *got);
    k->to_bf16(halves, got, n);
    for (int i = 0; i < n; i++)
        if (isnan(got[i]))
            assert_true(isnan(widened(halves[i])));
        else if (isinf(got[i]))
            assert_int_equal(halves[i], bits[i] >> 16);
        else
            assert_nearest(got[i], halves[i]);
}

/* Every upper half with lower halves about a tie. */
static void rounds(void **state)
{
    static const uint32_t LOWER[] = {0, 1, 0x7fff, 0x8000, 0x8001, 0xffff};
    static uint32_t bits[MAX];
    const struct kernels *k;
    (void)state;
    for (size_t at = 0; at < sizeof LOWER / sizeof *LOWER; at++) {
        for (uint32_t i = 0; i < MAX; i++)
            bits[i] = i << 16 | LOWER[at];
        FOR_SETS(k)
        check_rounding(k, bits, MAX);
        FOR_SIZES(n)
        FOR_SETS(k)
        check_rounding(k, bits + 0x7f70, n);
    }
}

/* Nothing beside the n is written. */
static void rounds_no_more(void **state)
{
    const struct kernels *k;
    (void)state;
    FOR_SIZES(n)
    FOR_SETS(k)
    {
        memset(halves, 0x55, sizeof halves);
        k->to_bf16(halves + 3, a, n);
        assert_int_equal(halves[2], 0x5555);
        assert_int_equal(halves[n + 3], 0x5555);
    }
}

/* A table that ends, on the heap, where its highest row does: the sanitizer sees who
 * reads on. */
static void check_look_up(const struct kernels *k, int n, int n_rows)
{
    float *table = malloc((size_t)n_rows * sizeof *table);
    assert_non_null(table);
    memcpy(table, b, (size_t)n_rows * sizeof *table);
    for (int i = 0; i < n; i++)
        rows[i] = (uint8_t)((i * 37 + n_rows - 1) % n_rows);
    memcpy(got, a, (size_t)(n + 1) * sizeof *got);
    k->add_looked_up(got, table, rows, n);
    for (int i = 0; i < n; i++)
        assert_true(got[i] == a[i] + table[rows[i]]);
    assert_true(got[n] == a[n]);
    free(table);
}

static void looks_up(void **state)
{
    static const int N_ROWS[] = {1, 2, 16, 17, 32, 33, 97, 128, 129, 193, 255, 256};
    const struct kernels *k;
    (void)state;
    for (size_t i = 0; i < sizeof N_ROWS / sizeof *N_ROWS; i++)
        FOR_SIZES(n)
    FOR_SETS(k)
    check_look_up(k, n, N_ROWS[i]);
    FOR_SETS(k)
    check_look_up(k, 1900, 193);
}

static void check_times(const struct kernels *k, int far, int64_t now, int n)
{
    looked_up[n] = 77;
    k->time_rows(looked_up, rows, far, now, times, n);
    for (int i = 0; i < n; i++) {
        int64_t delta = now - times[i];
        delta = delta < -far ? -far : delta > far ? far : delta;
        assert_int_equal(looked_up[i], rows[delta + far]);
    }
    assert_int_equal(looked_up[n], 77);
}

/* Around now, around what is far, and the ends of what a time can be. */
static void make_times(int n, int far, int64_t now)
{
    const int64_t from[] = {now, now - far, now + far, INT32_MIN, INT32_MAX, 0};
    for (int i = 0; i < n; i++) {
        int64_t time = from[i % 6] + i / 6 % 9 - 4;
        times[i] = (int32_t)(time < INT32_MIN   ? INT32_MIN
                             : time > INT32_MAX ? INT32_MAX
                                                : time);
    }
}

static void time_rows(void **state)
{
    static const int FARS[] = {0, 1, 48, 12288};
    const struct kernels *k;
    (void)state;
    for (size_t at = 0; at < sizeof FARS / sizeof *FARS; at++) {
        const int far = FARS[at];
        const int64_t nows[] = {0,
                                777,
                                -777,
                                INT32_MAX,
                                INT32_MAX - (int64_t)far / 2,
                                INT32_MIN,
                                INT64_MIN / 2,
                                INT64_MAX / 2,
                                1LL << 32,
                                -(1LL << 33)};
        for (int i = 0; i < 2 * far + 1; i++)
            rows[i] = (uint8_t)(i * 29 + i / 256);
        for (size_t i = 0; i < sizeof nows / sizeof *nows; i++)
            FOR_SIZES(n)
            {
                make_times(n, far, nows[i]);
                FOR_SETS(k)
                check_times(k, far, nows[i], n);
            }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scores),         cmocka_unit_test(mixes),
        cmocka_unit_test(mixes_by_tiles), cmocka_unit_test(rounds),
        cmocka_unit_test(rounds_no_more), cmocka_unit_test(looks_up),
        cmocka_unit_test(time_rows),
    };
    return cmocka_run_group_tests(tests, fill, NULL);
}
