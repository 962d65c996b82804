/* The kernels of training beside plain loops in double precision, softmax in parts, and the
 * masks of dropout. */
#include "tests/model/kernels/kernel_table.h"

enum { ROWS = 5 };

/* Results of several kernels one after the other: these are right if training is
 * (tests/model/train), so the plain set is twin enough. */

/* Of rows of n numbers: norms, their statistics, and all gradients. */
RUN(run_norm)
{
    const int size = ROWS * s.n;
    float *stats = out + size, *dx = stats + 2 * ROWS, *dw = dx + size;
    k->layer_norm(out, stats, a, b, c, ROWS, s.n);
    k->layer_norm_backward(dx, dw, dw + s.n, c, a, stats, b, ROWS, s.n);
}

/* Of n numbers: sums, a sum in double as two numbers, and steps. */
RUN(run_steps)
{
    static const struct adam ADAM = {.rate = 0.1f,
                                     .beta1 = 0.9f,
                                     .beta2 = 0.98f,
                                     .eps = 1e-3f,
                                     .shrink = 0.99f,
                                     .correct1 = 2,
                                     .correct2 = 3,
                                     .grad_scale = 0.7f};
    const size_t n = (size_t)s.n;
    const double squares = k->sum_squares(a, n);
    for (size_t i = 0; i < n; i++)
        out[7 * n + i] = fabsf(start[i]); /* squares so far */
    k->relu_backward(out, a, n);
    k->multiply_each(out, b, n);
    k->nesterov(out + n, out + 2 * n, n, 0.95f);
    k->descend(out + 3 * n, out + n, n, 0.99f, 0.01f);
    k->sum_columns(out + 4 * n, a, s.n + GAP, ROWS, s.n);
    k->adam(out + 5 * n, out + 6 * n, out + 7 * n, a, n, &ADAM);
    out[8 * n] = k->dot(a, b, s.n);
    out[8 * n + 1] = (float)squares;
    out[8 * n + 2] = (float)(squares - (double)out[8 * n + 1]);
}

/* -- attention: row r sees its first n + r keys of `width` -- */

enum { KEYS = 64 };

static float score(int row, int i)
{
    return 20 * a[row * KEYS + i];
}

static double highest(struct shape s, int row)
{
    double high = -INFINITY;
    for (int i = 0; i < s.n + row; i++)
        high = fmax(high, score(row, i));
    return high;
}

static double log_sum(struct shape s, int row)
{
    double sum = 0;
    for (int i = 0; i < s.n + row; i++)
        sum += exp(score(row, i) - highest(s, row));
    return highest(s, row) + log(sum);
}

/* Rows of KEYS scores, and as many numbers of b. */
static void make_rows(float (*scores)[KEYS], float (*others)[KEYS], struct shape s)
{
    for (int at = 0; at < s.rows * KEYS; at++) {
        scores[at / KEYS][at % KEYS] = score(s.first, at);
        others[at / KEYS][at % KEYS] = b[s.first * KEYS + at];
    }
}

RUN(run_softmax)
{
    float scores[ROWS][KEYS], others[ROWS][KEYS], high[ROWS], sums[ROWS], factors[ROWS];
    make_rows(scores, others, s);
    k->softmax(scores[0], KEYS, s.rows, s.n + s.first, 1, s.width, false, high, sums,
               factors);
    for (int r = 0; r < s.rows; r++) {
        const struct shape same = {.n = s.n};
        assert_true(high[r] == (float)highest(same, s.first + r) && factors[r] == 0);
        assert_float_equal(high[r] + logf(sums[r]), log_sum(same, s.first + r), 1e-5);
        memcpy(out + r * ld(s), scores[r], (size_t)s.width * sizeof *out);
    }
}

TWIN(twin_softmax)
{
    return i < s.n + r ? exp(score(r, i) - highest(s, r)) : 0;
}

/* With `with`, what becomes of the gradients; else, of the scores. */
RUN(run_softmax_back)
{
    float scores[ROWS][KEYS], dp[ROWS][KEYS], log_sums[ROWS] = {0};
    make_rows(scores, dp, s);
    for (int r = 0; r < s.rows; r++)
        log_sums[r] = (float)log_sum((struct shape){.n = s.n}, s.first + r);
    k->softmax_backward(scores[0], dp[0], KEYS, s.rows, s.n + s.first, 1, s.width,
                        log_sums, c + s.first);
    for (int r = 0; r < s.rows; r++)
        memcpy(out + r * ld(s), s.with ? dp[r] : scores[r],
               (size_t)s.width * sizeof *out);
}

TWIN(twin_softmax_back)
{
    const double p = i < s.n + r ? exp(score(r, i) - log_sum(s, r)) : 0;
    return s.with ? p * (b[r * KEYS + i] - c[r]) : p;
}

/* The nats of a target, then the gradients; past n they are 0. */
enum { TARGET = 4, SCALE = 2 };

RUN(run_cross_entropy)
{
    for (int i = 0; i < s.width - 1; i++)
        out[1 + i] = score(0, i);
    out[0] = k->cross_entropy(out + 1, s.n, s.width - 1, TARGET, SCALE);
}

TWIN(twin_cross_entropy)
{
    const double all = log_sum(s, 0);
    if (i == 0)
        return all - score(0, TARGET);
    return i > s.n ? 0 : SCALE * (exp(score(0, i - 1) - all) - (i - 1 == TARGET));
}

/* -- tables -- */

enum { TABLE_ROWS = 193, LD_TABLE = TABLE_ROWS + 3, LD_X = 64, MOST_TABLES = 11 };

/* In runs of `with`, which come close to each other or not. */
static uint8_t index_at(struct shape s, int i)
{
    const int run = i / s.with;
    return (uint8_t)((i < 128 ? run : run * run) % TABLE_ROWS);
}

RUN(run_read_table)
{
    uint8_t index[MAX];
    for (int i = 0; i < s.n; i++)
        index[i] = index_at(s, i);
    k->add_looked_up(out, a, index, s.n);
}

TWIN(twin_read_table)
{
    return (double)start[i] + a[index_at(s, i)];
}

/* A row's indices come in runs, from the fifth row on of sixteen. */
static uint8_t in_runs(int i)
{
    return (uint8_t)(i / (i < 4 * LD_X ? 5 : 16) * 7 % TABLE_ROWS);
}

/* With n rows, each `with` longer than the one before. */
RUN(run_into_tables)
{
    uint8_t index[MOST_TABLES * LD_X];
    for (int i = 0; i < MOST_TABLES * LD_X; i++)
        index[i] = in_runs(i);
    k->sum_into_tables(out, LD_TABLE, a, LD_X, index, LD_X, s.n, 40, s.with);
}

TWIN(twin_into_tables)
{
    const int row = i / LD_TABLE, n = row < s.n ? 40 + row * s.with : 0;
    double sum = start[i];
    for (int j = 0; j < n; j++)
        sum += in_runs(row * LD_X + j) == i % LD_TABLE ? a[row * LD_X + j] : 0;
    return sum;
}

/* -- turns and masks -- */

static float turn(int i)
{
    return i % 2 ? sinf(3 * b[i / 2]) : cosf(3 * b[i / 2]);
}

/* As the decoder turns; with `with` and back. */
RUN(run_rotate)
{
    float turns[MAX];
    for (int i = 0; i < s.n; i++)
        turns[i] = turn(i);
    k->rotate(out, 0, 1, turns, s.n, 1, false);
    if (s.with)
        k->rotate(out, 0, 1, turns, s.n, 1, true);
}

TWIN(twin_rotate)
{
    const float x = start[i / 2 * 2], y = start[i / 2 * 2 + 1],
                cosine = turn(i / 2 * 2), sine = turn(i / 2 * 2 + 1);
    if (s.with)
        return start[i];
    return i % 2 ? x * sine + y * cosine : x * cosine - y * sine;
}

static const struct dropout DROP = {.key = 9, .threshold = 1u << 30, .scale = 4.0f / 3};

/* From element `with` on; the mask is that of ones. */
RUN(run_add_dropped)
{
    k->add_dropped(out, a, b, (size_t)s.n, DROP, (uint32_t)s.with);
}

TWIN(twin_add_dropped)
{
    float mask = 1;
    kernels_at(0)->drop(&mask, &mask, 1, DROP, (uint32_t)(s.with + i));
    return a[i] + (double)mask * b[i];
}

#define NORMS(n) (2 * ROWS * (n) + 2 * ROWS + 2 * (n))
#define STEPS(n) (8 * (n) + 3)

static const struct kernel TABLE[] = {
    {"norms of 45", run_norm, .n = LIST(45), .width = LIST(NORMS(45))},
    {"norms of 64", run_norm, .n = LIST(64), .width = LIST(NORMS(64))},
    {"steps of 45", run_steps, .n = LIST(45), .width = LIST(STEPS(45))},
    {"steps of 256", run_steps, .n = LIST(256), .width = LIST(STEPS(256))},
    {"softmax", run_softmax, twin_softmax, .error = 1e-30, .relative = 3e-6,
     .sets_differ = true, .n = LIST(1, 15, 16, 38), .width = LIST(42, 48),
     .rows = LIST(1, 5)},
    {"softmax back", run_softmax_back, twin_softmax_back, .error = 1e-6,
     .sets_differ = true, .n = LIST(1, 15, 16, 38), .width = LIST(42, 48),
     .rows = LIST(1, 5), .with = LIST(0, 1)},
    {"cross-entropy", run_cross_entropy, twin_cross_entropy, .error = 1e-5,
     .sets_differ = true, .n = LIST(5, 16, 21, 32), .width = LIST(33)},
    {"read table", run_read_table, twin_read_table, .n = SIZES, .with = LIST(1, 3, 20)},
    {"sum into tables", run_into_tables, twin_into_tables, .error = 1e-6,
     .n = LIST(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11),
     .width = LIST(MOST_TABLES * LD_TABLE), .with = LIST(0, 1)},
    {"rotate", run_rotate, twin_rotate, .n = LIST(2, 4, 14, 16, 18, 32, 50)},
    {"rotate back", run_rotate, twin_rotate, .error = 1e-6,
     .n = LIST(2, 4, 14, 16, 18, 32, 50), .with = LIST(1)},
    {"add dropped", run_add_dropped, twin_add_dropped, .error = 1e-6, .n = SIZES,
     .with = LIST(0, 3)},
};

TEST(kernels_are_their_twins)
{
    CHECK_KERNELS(TABLE);
}

/* A row in two parts of FIRST and REST keys, either of which may have the maximum. */
static void parts_agree(const struct kernels *k, float raise)
{
    enum { FIRST = 37, REST = 5, ALL = FIRST + REST };
    float whole[KEYS], parts[2][KEYS], high[3], sums[3], factors[3];
    memcpy(whole, a, sizeof whole);
    whole[FIRST + 1] += raise;
    memcpy(parts[0], whole, sizeof whole);
    memcpy(parts[1], whole + FIRST, REST * sizeof *whole);
    k->softmax(whole, KEYS, 1, ALL, 0, ALL, false, high, sums, factors);
    k->softmax(parts[0], KEYS, 1, FIRST, 0, FIRST, false, high + 1, sums + 1,
               factors + 1);
    k->softmax(parts[1], KEYS, 1, REST, 0, REST, true, high + 1, sums + 1, factors + 1);
    assert_true(high[1] == high[0]);
    assert_true(fabsf(sums[1] - sums[0]) < 1e-6f * sums[0]);
    for (int i = 0; i < ALL; i++) {
        const float got = i < FIRST ? parts[0][i] * factors[1] : parts[1][i - FIRST];
        assert_true(fabsf(got - whole[i]) < 1e-6f);
    }
}

TEST(softmax_goes_on_where_it_stopped)
{
    FOR_SETS(k)
    {
        parts_agree(k, -50.0f);
        parts_agree(k, 50.0f);
    }
}

TEST(masks_drop_their_share_and_repeat)
{
    enum { N = 100000 };
    struct dropout drop = {
        .key = 77, .threshold = 858993459u, .scale = 1.25f}; /* 0.2 */
    float *x = calloc(N, sizeof *x), *first = calloc(N, sizeof *x),
          *second = calloc(N, sizeof *x);
    int dropped = 0, together = 0;
    for (int i = 0; i < N; i++)
        x[i] = 1.0f;
    kernels_best()->drop(first, x, N, drop, 0);
    kernels_best()->drop(second, x + 500, N - 500, drop, 500);
    assert_memory_equal(first + 500, second, (N - 500) * sizeof *x);
    drop.key++;
    kernels_best()->drop(second, x, N, drop, 0);
    for (int i = 0; i < N; i++) {
        assert_true(first[i] == 0.0f || first[i] == 1.25f);
        dropped += first[i] == 0.0f;
        together += first[i] == 0.0f && second[i] == 0.0f;
    }
    assert_in_range(dropped, 19300, 20700);
    assert_in_range(together, 3600, 4400); /* keys are independent */
    free(x), free(first), free(second);
}

GROUP(fill, NULL)
