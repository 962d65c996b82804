/* The kernels of caches in bf16 and of looking up times: products are near those of
 * double precision, rows give the same bits alone and together; the rest is exact. */
#include "tests/check.h"
#include "tests/model/kernels/kernel_data.h"

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

enum { MOST_ROWS = 9, GAP = 3 };
static float weights[MAX], cache[MAX]; /* as the kernels should take them */

/* The set with the instruction for it rounds the weights, too. */
static void make_weights(const struct kernels *k, int n)
{
    static uint16_t narrow[MAX];
    bool rounds = !strcmp(k->name, "avx512bf16");
    k->to_bf16(narrow, a, n);
    for (int i = 0; i < n; i++)
        weights[i] = rounds ? widened(narrow[i]) : a[i];
}

/* d dimensions of n_tiles tiles. */
static void make_keys(int n_tiles, int d)
{
    const int pairs = (d + 1) / 2;
    memset(halves, 0, sizeof halves);
    for (int t = 0; t < n_tiles; t++)
        for (int j = 0; j < d; j++)
            for (int i = 0; i < KEY_TILE; i++) {
                uint16_t key = cached((t * d + j) * KEY_TILE + i);
                halves[((t * pairs + j / 2) * KEY_TILE + i) * 2 + j % 2] = key;
                cache[(t * d + j) * KEY_TILE + i] = widened(key);
            }
}

static double score_of(const float *q, int d, int key)
{
    const float *of = cache + key / KEY_TILE * d * KEY_TILE + key % KEY_TILE;
    double sum = 0;
    for (int j = 0; j < d; j++)
        sum += (double)q[j] * of[j * KEY_TILE];
    return sum;
}

static void assert_untouched(const float *x, int n)
{
    for (int i = 0; i < n; i++)
        assert_true(x[i] == 7.0f);
}

static void fill_with_sevens(float *x)
{
    for (int i = 0; i < MAX; i++)
        x[i] = 7.0f;
}

static struct scoring scoring_of(float *scores, int n_rows, int n, int d)
{
    const int n_tiles = (n + KEY_TILE - 1) / KEY_TILE;
    return (struct scoring){.scores = scores,
                            .ld = (size_t)n_tiles * KEY_TILE + GAP,
                            .q = a,
                            .ldq = (size_t)d + GAP,
                            .keys = halves,
                            .n_rows = n_rows,
                            .n = n,
                            .d = d};
}

/* Near double precision, and each row as it is alone, with all keys of its tiles. */
static void check_scores(const struct kernels *k, int n_rows, int n, int d)
{
    const int whole = (n + KEY_TILE - 1) / KEY_TILE * KEY_TILE;
    struct scoring all = scoring_of(got, n_rows, n, d);
    fill_with_sevens(got);
    k->score_keys[1](&all);
    for (int r = 0; r < n_rows; r++) {
        struct scoring one = scoring_of(plain, 1, whole, d);
        one.q += (size_t)r * one.ldq;
        const float *row = got + (size_t)r * all.ld;
        k->score_keys[1](&one);
        assert_memory_equal(row, plain, (size_t)n * sizeof *row);
        for (int i = 0; i < n; i += 5)
            assert_float_equal(row[i], score_of(weights + (size_t)r * one.ldq, d, i),
                               1e-5);
        assert_untouched(row + whole, GAP);
    }
}

TEST(scores)
{
    static const int DIMENSIONS[] = {1, 2, 12, 31, 32, 33, 64, 65, 96, 131};
    for (size_t at = 0; at < sizeof DIMENSIONS / sizeof *DIMENSIONS; at++)
        for (int n_tiles = 1; n_tiles < 4; n_tiles++) {
            make_keys(n_tiles, DIMENSIONS[at]);
            FOR_SETS(k)
            {
                make_weights(k, MOST_ROWS * (DIMENSIONS[at] + GAP));
                for (int n_rows = 1; n_rows <= MOST_ROWS; n_rows++) {
                    const int whole = n_tiles * KEY_TILE;
                    check_scores(k, n_rows, whole, DIMENSIONS[at]);
                    check_scores(k, n_rows, whole - 7 * n_rows, DIMENSIONS[at]);
                }
            }
        }
}

/* n positions; the partner of an odd last one is a NaN. */
static void make_values(int n, int width)
{
    for (int t = 0; t < n + n % 2; t++)
        for (int i = 0; i < width; i++) {
            uint16_t value = t < n ? cached(t * width + i) : 0x7fc1;
            halves[(t / 2 * width + i) * 2 + t % 2] = value;
            if (t < n)
                cache[t * width + i] = widened(value);
        }
}

static struct mixing mixing_of(float *y, int n_rows, int n, int width)
{
    return (struct mixing){.y = y,
                           .ldy = (size_t)width + GAP,
                           .p = a,
                           .ldp = (size_t)n + GAP,
                           .values = halves,
                           .n_rows = n_rows,
                           .n = n,
                           .width = width};
}

static double mix_of(const float *p, int n, int width, int column)
{
    double sum = 7.0;
    for (int t = 0; t < n; t++)
        sum += (double)p[t] * cache[t * width + column];
    return sum;
}

static void check_mix(const struct kernels *k, int n_rows, int n, int width)
{
    struct mixing all = mixing_of(got, n_rows, n, width);
    fill_with_sevens(got);
    k->mix_values[1](&all);
    for (int r = 0; r < n_rows; r++) {
        struct mixing one = mixing_of(plain, 1, n, width);
        const float *row = got + (size_t)r * all.ldy;
        fill_with_sevens(plain);
        one.p += (size_t)r * one.ldp;
        k->mix_values[1](&one);
        assert_memory_equal(row, plain, (size_t)width * sizeof *row);
        for (int i = 0; i < width; i++)
            assert_float_equal(
                row[i], mix_of(weights + (size_t)r * one.ldp, n, width, i), 2e-5);
        assert_untouched(row + width, GAP);
    }
}

TEST(mixes)
{
    for (int width = VALUE_PAD; width < 100; width += VALUE_PAD)
        FOR_SIZES(n)
        {
            make_values(n, width);
            FOR_SETS(k)
            {
                make_weights(k, MOST_ROWS * (n + GAP));
                for (int n_rows = 1; n_rows <= MOST_ROWS; n_rows += 2)
                    check_mix(k, n_rows, n, width);
            }
        }
}

/* In two calls, cut at the end of a tile: the bits of one. */
static void check_mix_in_two(const struct kernels *k, int n_rows, int size, int width,
                             int cut)
{
    struct mixing first = mixing_of(got, n_rows, size, width), rest = first;
    struct mixing whole = mixing_of(plain, n_rows, size, width);
    fill_with_sevens(plain);
    fill_with_sevens(got);
    k->mix_values[1](&whole);
    first.n = cut;
    k->mix_values[1](&first);
    rest.n -= cut;
    rest.p += cut;
    rest.values = halves + (ptrdiff_t)cut * width;
    k->mix_values[1](&rest);
    assert_memory_equal(got, plain, (size_t)n_rows * whole.ldy * sizeof *got);
}

TEST(mixes_by_tiles)
{
    enum { SIZE = 3 * KEY_TILE + 5, WIDTH = 2 * VALUE_PAD };
    make_values(SIZE, WIDTH);
    FOR_SETS(k)
    for (int cut = 0; cut <= SIZE; cut += KEY_TILE)
        for (int n_rows = 1; n_rows <= MOST_ROWS; n_rows++)
            check_mix_in_two(k, n_rows, SIZE, WIDTH, cut);
}

/* All sets that widen and round once give the same bits. */
TEST(fused_sets_agree)
{
    enum { TILES = 2, DIMENSIONS = 48 };
    struct scoring s = scoring_of(got, MOST_ROWS, TILES * KEY_TILE, DIMENSIONS);
    const size_t n = MOST_ROWS * s.ld;
    if (!kernels_at(2))
        skip();
    make_keys(TILES, DIMENSIONS);
    for (int i = 1; i <= 2; i++) {
        fill_with_sevens(got);
        kernels_at(i)->score_keys[1](&s);
        if (i == 1)
            memcpy(plain, got, n * sizeof *got);
    }
    assert_memory_equal(got, plain, n * sizeof *got);
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
TEST(rounds)
{
    static const uint32_t LOWER[] = {0, 1, 0x7fff, 0x8000, 0x8001, 0xffff};
    static uint32_t bits[MAX];
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
TEST(rounds_no_more)
{
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
    auto_free float *table = malloc((size_t)n_rows * sizeof *table);
    assert_non_null(table);
    memcpy(table, b, (size_t)n_rows * sizeof *table);
    for (int i = 0; i < n; i++)
        rows[i] = (uint8_t)((i * 37 + n_rows - 1) % n_rows);
    memcpy(got, a, (size_t)(n + 1) * sizeof *got);
    k->add_looked_up(got, table, rows, n);
    for (int i = 0; i < n; i++)
        assert_true(got[i] == a[i] + table[rows[i]]);
    assert_true(got[n] == a[n]);
}

TEST(looks_up)
{
    static const int N_ROWS[] = {1, 2, 16, 17, 32, 33, 97, 128, 129, 193, 255, 256};
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

TEST(time_rows)
{
    static const int FARS[] = {0, 1, 48, 12288};
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

GROUP(fill, NULL)
