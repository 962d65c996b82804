/* The kernels of the decoder beside plain loops in double precision; and what is exact: the
 * ends of the exponential and of GELU. */
#include "model/kernels/kernels.h"
#include "tests/model/kernels/kernel_table.h"

#include <float.h>

/* -- rows of vectors -- */

RUN(run_norm)
{
    k->layer_norm(out, NULL, a, b, c, 1, s.n);
}

TWIN(twin_norm)
{
    double mean = 0, variance = 0;
    for (int j = 0; j < s.n; j++)
        mean += (double)a[j] / s.n;
    for (int j = 0; j < s.n; j++)
        variance += (a[j] - mean) * (a[j] - mean) / s.n;
    return (a[i] - mean) / sqrt(variance + 1e-5) * b[i] + c[i];
}

RUN(run_elementwise)
{
    memcpy(out, a, (size_t)s.n * sizeof *out);
    k->relu(out, s.n);
    k->add(out, b, s.n);
    k->scale(out, 0.3f, s.n);
}

TWIN(twin_elementwise)
{
    return 0.3 * (fmax(a[i], 0) + b[i]);
}

RUN(run_add_many)
{
    k->add_many(out, b, (size_t)ld(s), s.n, s.width);
}

/* One after the other, as the kernel is to round. */
TWIN(twin_add_many)
{
    float sum = start[i];
    for (int v = 0; v < s.n; v++)
        sum += b[v * ld(s) + i];
    return sum;
}

/* -- attention over a cache in f32, or with `with` in 8 bits -- */

static float cache[MAX]; /* what the tiles hold: [position][dimension] */
static _Alignas(64) uint8_t tiles[4 * MAX];

/* The numbers of one position, read from its bytes: near x, and at `to`. */
static void read_back(float *to, const float *x, const uint8_t *tile, int place,
                      int width, bool is_key)
{
    float scale, most = 0.0f;
    memcpy(&scale, tile + (size_t)place * sizeof scale, sizeof scale);
    for (int i = 0; i < width; i++)
        most = fmaxf(most, fabsf(x[i]));
    for (int i = 0; i < width; i++) {
        const int at = is_key ? (i / 2 * KEY_TILE + place) * 2 + i % 2
                              : (place / 2 * width + i) * 2 + place % 2;
        to[i] = scale * (float)(int8_t)tile[INT8_SCALES + at];
        assert_true(fabsf(to[i] - x[i]) <= most * (0.5001f / 127));
    }
}

static size_t tile_size(struct shape s, int width)
{
    return s.with ? int8_tile(width) : KEY_TILE * (size_t)width * sizeof(float);
}

/* n positions; in the last tile, what lies beyond them is anything. */
static void make_tiles(const struct kernels *k, struct shape s, int n, int width,
                       bool is_key)
{
    memset(tiles, 0x55, sizeof tiles);
    for (int t = 0; t < n; t++) {
        const int place = t % KEY_TILE;
        uint8_t *tile = tiles + (size_t)(t / KEY_TILE) * tile_size(s, width);
        float *plain = (float *)(void *)tile;
        const float *x = b + t * 7 % 1000;
        for (int i = 0; !s.with && i < width; i++)
            plain[is_key ? i * KEY_TILE + place : place * width + i] = x[i];
        if (s.with && is_key)
            k->store_key_int8(tile, place, x, width);
        else if (s.with)
            k->store_value_int8(tile, place, x, width, width);
        memcpy(cache + t * width, x, (size_t)width * sizeof *x);
        if (s.with)
            read_back(cache + t * width, x, tile, place, width, is_key);
    }
}

/* Alone, a row is scored against all keys of its last tile. */
RUN(run_scores)
{
    static float scores[MAX];
    const int whole = (s.width + KEY_TILE - 1) / KEY_TILE * KEY_TILE;
    if (s.first == 0)
        make_tiles(k, s, whole, s.n, true);
    k->score_keys[s.with](&(struct scoring){.scores = scores,
                                            .ld = (size_t)whole + GAP,
                                            .q = a + s.first * (s.n + GAP),
                                            .ldq = (size_t)s.n + GAP,
                                            .keys = tiles,
                                            .n_rows = s.rows,
                                            .n = s.rows > 1 ? s.width : whole,
                                            .d = s.n});
    for (int r = 0; r < s.rows; r++)
        memcpy(out + r * ld(s), scores + r * (whole + GAP),
               (size_t)s.width * sizeof *out);
}

/* A number of a query in 16 bits, by the scale of the largest of its KEY_TILE. */
static double query(const float *q, int d, int at)
{
    float most = 0.0f;
    for (int i = at / KEY_TILE * KEY_TILE; i < d && i / KEY_TILE == at / KEY_TILE; i++)
        most = fmaxf(most, fabsf(q[i]));
    return most > 0 ? rintf(q[at] * (32767.0f / most)) * (most / 32767.0f) : 0;
}

TWIN(twin_scores)
{
    static double q[MAX];
    double sum = 0;
    for (int j = 0; i == 0 && j < s.n; j++) /* results come in order */
        q[j] = s.with ? query(a + r * (s.n + GAP), s.n, j) : a[r * (s.n + GAP) + j];
    for (int j = 0; j < s.n; j++)
        sum += q[j] * cache[i * s.n + j];
    return sum;
}

/* Alone, a row is mixed in two calls, cut at the end of a tile. */
RUN(run_mix)
{
    const int cut = s.rows > 1 ? s.n : s.n / 2 / KEY_TILE * KEY_TILE;
    if (s.first == 0)
        make_tiles(k, s, s.n, s.width, false);
    struct mixing m = {.y = out,
                       .ldy = (size_t)ld(s),
                       .p = a + s.first * (s.n + GAP),
                       .ldp = (size_t)s.n + GAP,
                       .values = tiles,
                       .n_rows = s.rows,
                       .n = cut,
                       .width = s.width};
    k->mix_values[s.with](&m);
    m.p += cut;
    m.values = tiles + (size_t)(cut / KEY_TILE) * tile_size(s, s.width);
    m.n = s.n - cut;
    if (m.n > 0)
        k->mix_values[s.with](&m);
}

/* What a position of a row weighs: it is rounded together with its value's scale. */
static double weight(const float *p, int n, int width, int at)
{
    const int from = at / KEY_TILE * KEY_TILE;
    float scales[KEY_TILE], most = 0.0f;
    memcpy(scales, tiles + (size_t)(from / KEY_TILE) * int8_tile(width), sizeof scales);
    for (int i = from; i < n && i < from + KEY_TILE; i++)
        most = fmaxf(most, scales[i - from]);
    const float step = scales[at - from] * (32767.0f / most);
    return rintf(p[at] * step) / step;
}

TWIN(twin_mix)
{
    static double p[MAX];
    double sum = start[r * ld(s) + i];
    for (int t = 0; i == 0 && t < s.n; t++)
        p[t] = s.with ? weight(a + r * (s.n + GAP), s.n, s.width, t)
                      : a[r * (s.n + GAP) + t];
    for (int t = 0; t < s.n; t++)
        sum += p[t] * cache[t * s.width + i];
    return sum;
}

/* To what they hold: keys if n is odd (after which they have a line more), else values. */
RUN(run_widen)
{
    static float lines[MAX];
    const bool is_key = s.n % 2;
    make_tiles(k, s, KEY_TILE, s.n, is_key);
    if (is_key)
        k->widen_keys_int8(lines, tiles, s.n);
    else
        k->widen_values_int8(lines, tiles, s.n);
    memcpy(out, lines, (size_t)s.n * KEY_TILE * sizeof *out);
}

TWIN(twin_widen)
{
    return s.n % 2 ? cache[i % KEY_TILE * s.n + i / KEY_TILE] : cache[i];
}

/* As attention does it: the largest goes to e^0, some are lost beside it. The sum is first. */
RUN(run_softmax)
{
    for (int i = 1; i < s.n; i++)
        out[i] = a[i] * 50;
    out[0] = k->exp_sum(out + 1, s.n - 1, k->highest(out + 1, s.n - 1));
}

TWIN(twin_softmax)
{
    float high = -INFINITY;
    double sum = 0;
    for (int j = 1; j < s.n; j++)
        high = fmaxf(high, a[j] * 50);
    for (int j = 1; j < s.n; j++)
        sum += exp((double)(a[j] * 50 - high));
    return i ? exp((double)(a[i] * 50 - high)) : sum;
}

/* -- looking up -- */

static const struct kernel TABLE[] = {
    {"norm", run_norm, twin_norm, .error = 1e-4, .n = SIZES},
    {"relu, add, scale", run_elementwise, twin_elementwise, .error = 1e-6, .n = SIZES},
    {"add many", run_add_many, twin_add_many, .n = LIST(0, 1, 2, 3, 4, 5, 7, 8, 9),
     .width = SIZES},
    {"scores", run_scores, twin_scores, .error = 1e-5,
     .n = LIST(1, 2, 12, 31, 32, 33, 64, 65, 96, 131),
     .width = LIST(KEY_TILE - 39, KEY_TILE, 2 * KEY_TILE - 3, 3 * KEY_TILE),
     .rows = LIST(1, 2, 3, 4, 5, 6, 7, 8, 12, 13), .with = LIST(0, 1)},
    {"mix", run_mix, twin_mix, .error = 2e-5, .n = SIZES,
     .width = LIST(VALUE_PAD, 2 * VALUE_PAD, 3 * VALUE_PAD, 6 * VALUE_PAD),
     .rows = LIST(1, 2, 3, 4, 5, 6, 7, 8, 12, 13), .with = LIST(0, 1)},
    {"widen keys", run_widen, twin_widen, .n = LIST(33), .width = LIST(33 * KEY_TILE),
     .with = LIST(1)},
    {"widen values", run_widen, twin_widen, .n = LIST(48), .width = LIST(48 * KEY_TILE),
     .with = LIST(1)},
    {"softmax", run_softmax, twin_softmax, .error = 1e-37, .relative = 3e-7,
     .sets_differ = true, .n = LIST(2, 3, 16, 17, 18, 32, 65, 68, 101, 257, 260)},
};

TEST(kernels_are_their_twins)
{
    CHECK_KERNELS(TABLE);
}

/* -- all numbers -- */

/* The largest sums fit; zeros and what is not finite do no harm. */
TEST(extremes)
{
    enum { D = KEY_TILE, WIDTH = VALUE_PAD };
    static const float X[] = {1.0f, 0.0f, INFINITY, NAN};
    float ones[D], scores[KEY_TILE], y[WIDTH];
    FOR_SETS(k)
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < D; j++)
            ones[j] = j ? 1.0f : X[i];
        for (int t = 0; t < KEY_TILE; t++)
            k->store_key_int8(tiles, t, ones, D);
        k->score_keys[1](&(struct scoring){.scores = scores,
                                           .q = ones,
                                           .keys = tiles,
                                           .n_rows = 1,
                                           .n = KEY_TILE,
                                           .d = D});
        for (int t = 0; i < 2 && t < KEY_TILE; t++)
            assert_float_equal(scores[t], D - i, 1e-4);
        for (int t = 0; t < KEY_TILE; t++)
            k->store_value_int8(tiles, t, ones, WIDTH, WIDTH);
        memset(y, 0, sizeof y);
        k->mix_values[1](&(struct mixing){.y = y,
                                          .p = ones,
                                          .values = tiles,
                                          .n_rows = 1,
                                          .n = KEY_TILE,
                                          .width = WIDTH});
        for (int j = 1; i < 2 && j < WIDTH; j++)
            assert_float_equal(y[j], D - i, 1e-4);
    }
}

/* All that a weight can be: on a grid, down to where it is nothing. Plain C rounds
 * products before it adds. */
TEST(exponentials)
{
    static float x[MAX], y[MAX];
    FOR_SETS(k)
    for (int from = 0; from < 87 * 4096; from += MAX) {
        for (int i = 0; i < MAX; i++)
            x[i] = y[i] = -fminf((float)(from + i) / 4096 + a[i] / 8192, 86.9f);
        k->exp_sum(y, MAX, 0.0f);
        for (int i = 0; i < MAX; i++) {
            double wanted = exp((double)x[i]);
            assert_true(fabs(y[i] - wanted) <= (at_k ? 2e-7 : 3e-7) * wanted);
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

/* -- GELU -- */

/* x Phi(x) and its slope Phi(x) + x phi(x). */
static double plain_gelu(double x)
{
    return 0.5 * x * erfc(-x * M_SQRT1_2);
}

static double plain_gelu_slope(double x)
{
    return 0.5 * erfc(-x * M_SQRT1_2) + x * exp(-0.5 * x * x) * 0.3989422804014327;
}

/* Everywhere, then closer and closer to zero, with several tails. */
TEST(gelu)
{
    static const float ENDS[] = {12.0f, 4.0f, 1e-3f, 1e-37f};
    static const int SIZES_OF[] = {MAX, MAX - 1, MAX - 9, MAX - 31};
    static float grid[MAX], y[MAX], values[MAX], slopes[MAX], plain[2][MAX];
    for (size_t at = 0; at < sizeof ENDS / sizeof *ENDS; at++) {
        const int n = SIZES_OF[at];
        for (int i = 0; i < MAX; i++)
            grid[i] = ENDS[at] * (2 * (float)i / (MAX - 1) - 1);
        FOR_SETS(k)
        {
            memcpy(slopes, grid, sizeof grid);
            for (int i = n; i < MAX; i++)
                y[i] = values[i] = 7.0f;
            k->gelu(y, grid, (size_t)n);
            k->gelu_slope(values, slopes, (size_t)n);
            if (!at_k) {
                memcpy(plain[0], y, sizeof y);
                memcpy(plain[1], slopes, sizeof slopes);
            }
            assert_memory_equal(y, plain[0], sizeof y);
            assert_memory_equal(values, y, sizeof y);
            assert_memory_equal(slopes, plain[1], sizeof slopes);
            for (int i = 0; i < n; i++) {
                assert_true(fabs(y[i] - plain_gelu(grid[i])) <= 1e-6);
                assert_true(fabs(slopes[i] - plain_gelu_slope(grid[i])) <= 1e-6);
            }
            for (int i = n; i < MAX; i++)
                assert_true(y[i] == 7.0f && values[i] == 7.0f && slopes[i] == grid[i]);
        }
    }
}

/* The ends, bit for bit; -0 is no 0. */
TEST(gelu_ends)
{
    static const float X[][3] = {/* x, its value, its slope */
                                 {0.0f, 0.0f, 0.5f},         {-0.0f, -0.0f, 0.5f},
                                 {20.0f, 20.0f, 1.0f},       {-20.0f, -0.0f, 0.0f},
                                 {FLT_MAX, FLT_MAX, 1.0f},   {-FLT_MAX, -0.0f, 0.0f},
                                 {INFINITY, INFINITY, 1.0f}, {-INFINITY, -0.0f, 0.0f}};
    FOR_SETS(k)
    for (size_t at = 0; at < sizeof X / sizeof *X; at++) {
        float made[3] = {X[at][0], 0.0f, X[at][0]}, y;
        k->gelu_slope(&made[1], &made[2], 1);
        k->gelu(&y, &made[0], 1);
        assert_memory_equal(made, X[at], sizeof made);
        assert_memory_equal(&y, &made[1], sizeof y);
    }
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
