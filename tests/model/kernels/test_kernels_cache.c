/* The kernels of caches in 8 bits and of looking up times: products are near those of
 * double precision; rows give the same bits alone and together, and in every set; the rest
 * is exact. */
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

enum { MOST_ROWS = 13, GAP = 3 };
static float weights[MAX]; /* as the kernels should take them */
static float cache[MAX];   /* what the tiles hold */
static _Alignas(64) uint8_t tiles[MAX];

/* to[n] = from in 16 bits, by the scale of its largest. */
static void round_row(float *to, const float *from, int n)
{
    float most = 0.0f;
    for (int i = 0; i < n; i++)
        most = fmaxf(most, fabsf(from[i]));
    for (int i = 0; i < n; i++)
        to[i] = most > 0 ? rintf(from[i] * (32767.0f / most)) * (most / 32767.0f) : 0;
}

static void round_parts(float *to, const float *from, int n)
{
    for (int i = 0; i < n; i += KEY_TILE)
        round_row(to + i, from + i, n - i < KEY_TILE ? n - i : KEY_TILE);
}

/* The numbers of one position, read from its bytes. */
static void read_back(float *to, const uint8_t *tile, int place, int d, int width,
                      bool key)
{
    float scale;
    memcpy(&scale, tile + (size_t)place * sizeof scale, sizeof scale);
    for (int i = 0; i < d; i++) {
        const int at = key ? (i / 2 * KEY_TILE + place) * 2 + i % 2
                           : (place / 2 * width + i) * 2 + place % 2;
        to[i] = scale * (float)(int8_t)tile[INT8_SCALES + at];
    }
}

static void assert_rounded(const float *got_x, const float *x, int d)
{
    float most = 0.0f;
    for (int i = 0; i < d; i++)
        most = fmaxf(most, fabsf(x[i]));
    for (int i = 0; i < d; i++)
        assert_true(fabsf(got_x[i] - x[i]) <= most * (0.5001f / 127));
}

/* n_tiles of keys of d dimensions: cache [position][d]. */
static void make_keys(const struct kernels *k, int n_tiles, int d)
{
    memset(tiles, 0x55, sizeof tiles);
    for (int t = 0; t < n_tiles * KEY_TILE; t++) {
        uint8_t *tile = tiles + (size_t)(t / KEY_TILE) * int8_tile(d);
        const float *x = b + t * 7 % 1000;
        k->store_key_int8(tile, t % KEY_TILE, x, d);
        read_back(cache + t * d, tile, t % KEY_TILE, d, 0, true);
        assert_rounded(cache + t * d, x, d);
    }
}

static double score_of(const float *q, int d, int key)
{
    double sum = 0;
    for (int j = 0; j < d; j++)
        sum += (double)q[j] * cache[key * d + j];
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
                            .keys = tiles,
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
        for (int n_tiles = 1; n_tiles < 4; n_tiles++)
            FOR_SETS(k)
            {
                const int d = DIMENSIONS[at], whole = n_tiles * KEY_TILE;
                make_keys(k, n_tiles, d);
                for (int r = 0; r < MOST_ROWS; r++)
                    round_parts(weights + r * (d + GAP), a + r * (d + GAP), d);
                for (int n_rows = 1; n_rows <= MOST_ROWS; n_rows++) {
                    check_scores(k, n_rows, whole, d);
                    check_scores(k, n_rows, whole - 3 * n_rows, d);
                }
            }
}

/* n positions; in the last tile, what lies beyond them is anything. */
static void make_values(const struct kernels *k, int n, int width)
{
    memset(tiles, 0x55, sizeof tiles);
    for (int t = 0; t < n; t++) {
        uint8_t *tile = tiles + (size_t)(t / KEY_TILE) * int8_tile(width);
        const float *x = b + t * 11 % 1000;
        k->store_value_int8(tile, t % KEY_TILE, x, width, width);
        read_back(cache + t * width, tile, t % KEY_TILE, width, width, false);
        assert_rounded(cache + t * width, x, width);
    }
}

/* What position t of a row weighs: it is rounded together with its value's scale. */
static void make_weights(const float *p, int n, int width)
{
    float scales[KEY_TILE];
    for (int from = 0; from < n; from += KEY_TILE) {
        const int part = n - from < KEY_TILE ? n - from : KEY_TILE;
        float most = 0.0f;
        memcpy(scales, tiles + (size_t)(from / KEY_TILE) * int8_tile(width),
               sizeof scales);
        for (int i = 0; i < part; i++)
            most = fmaxf(most, scales[i]);
        for (int i = 0; i < part; i++) {
            const float step = scales[i] * (32767.0f / most);
            weights[from + i] = rintf(p[from + i] * step) / step;
        }
    }
}

static struct mixing mixing_of(float *y, int n_rows, int n, int width)
{
    return (struct mixing){.y = y,
                           .ldy = (size_t)width + GAP,
                           .p = a,
                           .ldp = (size_t)n + GAP,
                           .values = tiles,
                           .n_rows = n_rows,
                           .n = n,
                           .width = width};
}

static double mix_of(int n, int width, int column)
{
    double sum = 7.0;
    for (int t = 0; t < n; t++)
        sum += (double)weights[t] * cache[t * width + column];
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
        make_weights(one.p, n, width);
        for (int i = 0; i < width; i++)
            assert_float_equal(row[i], mix_of(n, width, i), 2e-5);
        assert_untouched(row + width, GAP);
    }
}

TEST(mixes)
{
    for (int width = VALUE_PAD; width < 100; width += VALUE_PAD)
        FOR_SIZES(n)
    FOR_SETS(k)
    {
        make_values(k, n, width);
        for (int n_rows = 1; n_rows <= MOST_ROWS; n_rows += 2)
            check_mix(k, n_rows, n, width);
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
    rest.values = tiles + (size_t)(cut / KEY_TILE) * int8_tile(width);
    k->mix_values[1](&rest);
    assert_memory_equal(got, plain, (size_t)n_rows * whole.ldy * sizeof *got);
}

TEST(mixes_by_tiles)
{
    enum { SIZE = 3 * KEY_TILE + 5, WIDTH = 2 * VALUE_PAD };
    make_values(kernels_at(0), SIZE, WIDTH);
    FOR_SETS(k)
    for (int cut = 0; cut <= SIZE; cut += KEY_TILE)
        for (int n_rows = 1; n_rows <= MOST_ROWS; n_rows++)
            check_mix_in_two(k, n_rows, SIZE, WIDTH, cut);
}

/* Whatever the instructions: the bytes of a tile, what it is in f32, scores, sums. */
TEST(sets_agree)
{
    enum {
        TILES = 2,
        D = 47,
        WIDTH = 48,
        N = TILES * KEY_TILE,
        ALL = MOST_ROWS * (N + GAP)
    };
    static uint8_t first[MAX];
    FOR_SETS(k)
    {
        make_keys(k, TILES, D);
        if (!at_k)
            memcpy(first, tiles, sizeof first);
        assert_memory_equal(tiles, first, sizeof first);
        struct scoring s = scoring_of(got, MOST_ROWS, N, D);
        fill_with_sevens(got);
        k->score_keys[1](&s);
        assert_same_bits(k, ALL);
    }
    FOR_SETS(k)
    {
        make_values(k, N, WIDTH);
        struct mixing m = mixing_of(got, MOST_ROWS, N, WIDTH);
        fill_with_sevens(got);
        k->mix_values[1](&m);
        assert_same_bits(k, ALL);
    }
}

TEST(tiles_widen_to_what_they_hold)
{
    enum { D = 33, WIDTH = 48 };
    FOR_SETS(k)
    {
        make_keys(k, 1, D);
        k->widen_keys_int8(got, tiles, D);
        for (int t = 0; t < KEY_TILE; t++)
            for (int i = 0; i < D; i++)
                assert_true(got[i * KEY_TILE + t] == cache[t * D + i]);
        make_values(k, KEY_TILE, WIDTH);
        k->widen_values_int8(got, tiles, WIDTH);
        assert_memory_equal(got, cache, KEY_TILE * WIDTH * sizeof *got);
    }
}

/* The largest sums fit; zeros and what is not finite do no harm. */
TEST(extremes)
{
    enum { D = KEY_TILE, WIDTH = VALUE_PAD };
    static float ones[D];
    FOR_SETS(k)
    for (int i = 0; i < 4; i++) {
        const float x = (float[]){1.0f, 0.0f, INFINITY, NAN}[i];
        for (int j = 0; j < D; j++)
            ones[j] = j ? 1.0f : x;
        for (int t = 0; t < KEY_TILE; t++)
            k->store_key_int8(tiles, t, ones, D);
        struct scoring s = scoring_of(got, 1, KEY_TILE, D);
        s.q = ones;
        k->score_keys[1](&s);
        for (int t = 0; i < 2 && t < KEY_TILE; t++)
            assert_float_equal(got[t], D - i, 1e-4);
        for (int t = 0; t < KEY_TILE; t++)
            k->store_value_int8(tiles, t, ones, WIDTH, WIDTH);
        struct mixing m = mixing_of(got, 1, KEY_TILE, WIDTH);
        m.p = ones;
        fill_with_sevens(got);
        k->mix_values[1](&m);
        for (int j = 1; i < 2 && j < WIDTH; j++)
            assert_float_equal(got[j], 7 + D - i, 1e-4);
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
