/* The trainer's arithmetic: the fast kernels give the plain ones' bits, the
 * exponential and the masks are what they should be, and the bf16 product is
 * the product of rounded factors, at every awkward size. */
#include "model/train_kernels.h"
#include "model/train_product.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint32_t state_of_random;

/* Numbers in [-1, 1). */
static float number(void)
{
    state_of_random = state_of_random * 1664525u + 1013904223u;
    return (float)(state_of_random >> 8) / 8388608.0f - 1.0f;
}

static float *numbers(size_t n, float scale)
{
    float *x = calloc(n, sizeof *x);
    assert_non_null(x);
    for (size_t i = 0; i < n; i++)
        x[i] = scale * number();
    return x;
}

enum { ROWS = 5, D = 45 };

static void norms_agree(const struct train_kernels *a, const struct train_kernels *b)
{
    float *x = numbers(ROWS * D, 3), *w = numbers(D, 1), *bias = numbers(D, 1);
    float *dy = numbers(ROWS * D, 1), y[2][ROWS * D], stats[2][ROWS * 2];
    float dx[2][ROWS * D] = {{0}}, dw[2][D], db[2][D];
    const struct train_kernels *k[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        k[i]->layer_norm(y[i], stats[i], x, w, bias, ROWS, D);
        k[i]->layer_norm_backward(dx[i], dw[i], db[i], dy, x, stats[i], w, ROWS, D);
    }
    assert_memory_equal(y[0], y[1], sizeof y[0]);
    assert_memory_equal(dx[0], dx[1], sizeof dx[0]);
    assert_memory_equal(dw[0], dw[1], sizeof dw[0]);
    assert_memory_equal(db[0], db[1], sizeof db[0]);
    free(x), free(w), free(bias), free(dy);
}

enum { LD = 64, FIRST = 37, KEYS = FIRST + ROWS };

static void softmaxes_agree(const struct train_kernels *a,
                            const struct train_kernels *b)
{
    float *scores = numbers(ROWS * LD, 20), *dp = numbers(ROWS * LD, 1),
          inner[ROWS] = {0};
    float s[2][ROWS * LD], p[2][ROWS * LD], d[2][ROWS * LD], sums[2][ROWS],
        inverse[2][ROWS];
    const struct train_kernels *k[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        memcpy(s[i], scores, sizeof s[i]);
        memcpy(p[i], scores, sizeof p[i]);
        memcpy(d[i], dp, sizeof d[i]);
        k[i]->softmax_causal(s[i], LD, ROWS, FIRST, KEYS, sums[i], inverse[i]);
        k[i]->softmax_causal_backward(p[i], d[i], LD, ROWS, FIRST, KEYS, sums[i],
                                      inner);
    }
    for (int r = 0; r < ROWS; r++)
        for (int i = 0; i < KEYS; i++) {
            int at = r * LD + i;
            assert_true(s[0][at] == s[1][at] && p[0][at] == p[1][at]);
            assert_true(d[0][at] == d[1][at]);
            assert_true(i <= FIRST + r || (s[0][at] == 0.0f && p[0][at] == 0.0f));
            assert_true(fabsf(s[0][at] * inverse[0][r] - p[0][at]) < 1e-6f);
        }
    free(scores), free(dp);
}

/* Every place reads its own row, and every row gets what was read from it. */
static void tables_agree(const struct train_kernels *best,
                         const struct train_kernels *plain)
{
    enum { N = 77, TABLE = 193 };
    float *table = numbers(TABLE, 1), *x = numbers(N, 1), one[N], other[N];
    float sums[2][TABLE] = {{0}};
    uint8_t index[N];
    for (int i = 0; i < N; i++)
        index[i] = (uint8_t)(i * i % TABLE);
    memcpy(one, x, sizeof one);
    memcpy(other, x, sizeof other);
    best->read_table(one, table, index, N);
    plain->read_table(other, table, index, N);
    for (int i = 0; i < N; i++)
        assert_true(one[i] == x[i] + table[index[i]]);
    assert_memory_equal(one, other, sizeof one);
    best->sum_into_table(sums[0], x, index, N);
    plain->sum_into_table(sums[1], x, index, N);
    assert_memory_equal(sums[0], sums[1], sizeof sums[0]);
    for (int row = 0; row < TABLE; row++) {
        float want = 0.0f;
        for (int i = 0; i < N; i++)
            want += index[i] == row ? x[i] : 0.0f;
        assert_true(fabsf(sums[0][row] - want) < 1e-6f);
    }
    free(table), free(x);
}

static void sums_agree(const struct train_kernels *a, const struct train_kernels *b)
{
    float *x = numbers(1000, 1), *y = numbers(1000, 1), one[1000], other[1000];
    struct dropout drop = {.key = 9, .threshold = 1u << 30, .scale = 4.0f / 3.0f};
    assert_true(a->dot(x, y, 45) == b->dot(x, y, 45));
    assert_true(a->sum_squares(x, 1000) == b->sum_squares(x, 1000));
    a->add_dropped(one, x, y, 1000, drop, 3);
    b->add_dropped(other, x, y, 1000, drop, 3);
    assert_memory_equal(one, other, sizeof one);
    free(x), free(y);
}

static void every_set_gives_the_same_bits(void **state)
{
    (void)state;
    const struct train_kernels *plain = train_kernels_at(0), *k;
    for (int i = 0; (k = train_kernels_at(i)); i++) {
        norms_agree(k, plain);
        softmaxes_agree(k, plain);
        tables_agree(k, plain);
        sums_agree(k, plain);
    }
}

/* Against the definition in double precision. */
static void cross_entropy_is_the_definition(void **state)
{
    (void)state;
    enum { N = 21, PADDED = 32, TARGET = 4 };
    float logits[PADDED] = {0};
    double total = 0, p[N];
    for (int i = 0; i < N; i++) {
        logits[i] = 30.0f * number();
        p[i] = exp((double)logits[i]);
        total += p[i];
    }
    double want = log(total) - (double)logits[TARGET];
    float nats = train_kernels_best()->cross_entropy(logits, N, PADDED, TARGET, 0.5f);
    assert_true(fabs((double)nats - want) < 1e-5 * (1 + want));
    for (int i = 0; i < N; i++)
        assert_true(fabs(logits[i] - 0.5 * (p[i] / total - (i == TARGET))) < 1e-6);
    for (int i = N; i < PADDED; i++)
        assert_true(logits[i] == 0.0f);
}

static void masks_drop_their_share_and_repeat(void **state)
{
    (void)state;
    enum { N = 100000 };
    struct dropout drop = {
        .key = 77, .threshold = 858993459u, .scale = 1.25f}; /* 0.2 */
    float *x = calloc(N, sizeof *x), *first = calloc(N, sizeof *x),
          *second = calloc(N, sizeof *x);
    int dropped = 0, together = 0;
    for (int i = 0; i < N; i++)
        x[i] = 1.0f;
    train_kernels_best()->drop(first, x, N, drop, 0);
    train_kernels_best()->drop(second, x + 500, N - 500, drop, 500);
    assert_memory_equal(first + 500, second, (N - 500) * sizeof *x);
    drop.key++;
    train_kernels_best()->drop(second, x, N, drop, 0);
    for (int i = 0; i < N; i++) {
        assert_true(first[i] == 0.0f || first[i] == 1.25f);
        dropped += first[i] == 0.0f;
        together += first[i] == 0.0f && second[i] == 0.0f;
    }
    assert_in_range(dropped, 19300, 20700);
    assert_in_range(together, 3600, 4400); /* keys are independent */
    free(x), free(first), free(second);
}

/* To the nearest bf16, ties to even. */
static double rounded(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits = (bits + 0x7fffu + (bits >> 16 & 1u)) & 0xffff0000u;
    memcpy(&x, &bits, sizeof x);
    return (double)x;
}

static double factor(const float *x, int ld, bool across, int row, int k)
{
    return rounded(across ? x[(size_t)k * (size_t)ld + (size_t)row]
                          : x[(size_t)row * (size_t)ld + (size_t)k]);
}

static void check_product(int m, int n, int k, bool a_across, bool b_across, float beta)
{
    int ld_a = (a_across ? m : k) + 3, ld_b = (b_across ? k : n) + 5, ld_c = n + 2;
    float *a = numbers((size_t)ld_a * (size_t)(a_across ? k : m), 1);
    float *b = numbers((size_t)ld_b * (size_t)(b_across ? n : k), 1);
    float *c = numbers((size_t)ld_c * (size_t)m, 1),
          *was = calloc((size_t)(ld_c * m), 4);
    uint32_t *panels =
        aligned_alloc(64, (product_panels((size_t)m, (size_t)n) * 4 + 63) / 64 * 64);
    memcpy(was, c, (size_t)(ld_c * m) * sizeof *c);
    struct product p = {m, n,    k,        0.5f, a, ld_a, a_across,
                        b, ld_b, b_across, beta, c, ld_c};
    product_bf16(&p, panels);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < ld_c; j++) {
            double want = was[i * ld_c + j], sum = 0;
            for (int x = 0; x < k && j < n; x++)
                sum +=
                    factor(a, ld_a, a_across, i, x) * factor(b, ld_b, !b_across, j, x);
            if (j < n)
                want = 0.5 * sum + (double)beta * want;
            assert_true(fabs((double)c[i * ld_c + j] - want) < 1e-5 * (1 + k));
        }
    free(a), free(b), free(c), free(was), free(panels);
}

static void bf16_products_are_right_at_every_edge(void **state)
{
    (void)state;
    const int sizes[][3] = {{1, 1, 1},    {8, 32, 2},    {7, 31, 3},   {9, 33, 255},
                            {16, 48, 64}, {17, 16, 257}, {24, 65, 33}, {5, 97, 513}};
    if (!product_has_bf16())
        skip();
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int kind = 0; kind < 8; kind++)
            check_product(sizes[i][0], sizes[i][1], sizes[i][2], kind & 1, kind & 2,
                          kind & 4 ? 1.0f : 0.0f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_set_gives_the_same_bits),
        cmocka_unit_test(cross_entropy_is_the_definition),
        cmocka_unit_test(masks_drop_their_share_and_repeat),
        cmocka_unit_test(bf16_products_are_right_at_every_edge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
