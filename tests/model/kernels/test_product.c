/* The matrix products of training: at every awkward size those of (rounded) factors in double
 * precision, and bf16 only where it is faster. */
#include "model/kernels/product.h"
#include "tests/check.h"
#include "tests/model/random.h"

static float *numbers(size_t n, float scale)
{
    float *x = calloc(n, sizeof *x);
    assert_non_null(x);
    fill_random(x, n, scale);
    return x;
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

/* What a product multiplies: all of a factor, or only its high half. */
static double factor(const float *x, int ld, bool across, int row, int k, bool bf16)
{
    float value = across ? x[(size_t)k * (size_t)ld + (size_t)row]
                         : x[(size_t)row * (size_t)ld + (size_t)k];
    return bf16 ? rounded(value) : (double)value;
}

static uint32_t *words(size_t n)
{
    return aligned_alloc(64, (n * sizeof(uint32_t) + 63) / 64 * 64);
}

/* Every value of c, those beyond its columns included, which stay. */
static void check_result(const struct product *p, const float *was, bool bf16)
{
    for (int i = 0; i < p->m; i++)
        for (int j = 0; j < p->ld_c; j++) {
            double want = was[i * p->ld_c + j], sum = 0;
            for (int x = 0; x < p->k && j < p->n; x++)
                sum += factor(p->a.at, p->a.ld, p->a.transposed, i, x, bf16) *
                       factor(p->b.at, p->b.ld, !p->b.transposed, j, x, bf16);
            if (j < p->n)
                want = 0.5 * sum + (double)p->beta * want +
                       (p->bias ? (double)p->bias[j] : 0.0);
            assert_true(fabs((double)p->c[i * p->ld_c + j] - want) < 1e-5 * (1 + p->k));
        }
}

/* What a panel has beyond the columns there are is zero. */
static void check_rest(const uint32_t *panels, int n, size_t n_words)
{
    const int last = n / PRODUCT_COLUMNS;
    panels += (size_t)last * PRODUCT_COLUMNS * n_words;
    for (size_t i = 0; n % PRODUCT_COLUMNS && i < n_words; i++)
        for (int column = n % PRODUCT_COLUMNS; column < PRODUCT_COLUMNS; column++)
            assert_int_equal(panels[i * PRODUCT_COLUMNS + (size_t)column], 0);
}

static void check_product(const struct product_set *set, struct product p, bool packed)
{
    bool bf16 = set->per_word == 2;
    p.a.ld = (p.a.transposed ? p.m : p.k) + 3,
    p.b.ld = (p.b.transposed ? p.k : p.n) + 5, p.ld_c = p.n + 2;
    float *a = numbers((size_t)p.a.ld * (size_t)(p.a.transposed ? p.k : p.m), 1);
    float *b = numbers((size_t)p.b.ld * (size_t)(p.b.transposed ? p.n : p.k), 1);
    float *c = numbers((size_t)p.ld_c * (size_t)p.m, 1),
          *was = calloc((size_t)(p.ld_c * p.m), sizeof *was);
    uint32_t *scratch = words(product_scratch((size_t)p.m, (size_t)p.n));
    uint32_t *panels = words(product_packed(set, p.n, p.k));
    memcpy(was, c, (size_t)(p.ld_c * p.m) * sizeof *c);
    for (int i = 0; p.sparse && i < p.a.ld * (p.a.transposed ? p.k : p.m); i++) {
        const int at = p.a.transposed ? i / p.a.ld : i % p.a.ld; /* along k */
        a[i] = at % 5 == 1 || i % 31 == 0 ? a[i] : 0.0f;
    }
    p.alpha = 0.5f, p.a.at = a, p.b.at = b, p.c = c;
    auto_free float *bias = numbers((size_t)p.n, 1);
    p.bias = set->adds_bias && p.beta == 0.0f ? bias : NULL;
    if (packed) {
        memset(panels, 0xff, product_packed(set, p.n, p.k) * sizeof *panels);
        set->pack(panels, b, p.b.ld, p.b.transposed, p.n, p.k);
        check_rest(panels, p.n, product_words(set, p.k));
        p.packed = panels;
        p.panel = product_words(set, p.k) * PRODUCT_COLUMNS;
        p.b.at = NULL;
    }
    set->multiply(&p, scratch);
    p.b.at = b;
    check_result(&p, was, bf16);
    free(a), free(b), free(c), free(was), free(scratch), free(panels);
}

static void check_set(const struct product_set *set)
{
    const int sizes[][3] = {{1, 1, 1},    {8, 32, 2},    {7, 31, 3},   {9, 33, 255},
                            {16, 48, 64}, {17, 16, 257}, {24, 65, 33}, {5, 97, 513},
                            {48, 64, 65}, {49, 63, 66},  {6, 96, 17},  {101, 129, 70},
                            {33, 80, 40}, {65, 32, 1030}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int kind = 0; kind < 32; kind++) {
            struct product p = {.m = sizes[i][0], .n = sizes[i][1], .k = sizes[i][2]};
            p.a.transposed = kind & 1, p.b.transposed = kind & 2;
            p.beta = kind & 4 ? 1.0f : 0.0f;
            p.sparse = kind & 16;
            if (set->pack || !(kind & 8))
                check_product(set, p, kind & 8);
        }
}

/* The set of f32 at a level. */
static const struct product_set *f32_at(const char *level)
{
    setenv("CONTINUO_KERNELS", level, 1);
    const struct product_set *set = product_of_kind(PRODUCT_F32);
    unsetenv("CONTINUO_KERNELS");
    return set;
}

TEST(products_are_right_at_every_edge)
{
    const struct product_set *sets[] = {
        product_of_kind(PRODUCT_BLAS), f32_at("avx2"), product_of_kind(PRODUCT_F32),
        product_of_kind(PRODUCT_BF16), product_of_kind(PRODUCT_AMX)};
    for (int i = 0; i < 5; i++)
        if (sets[i])
            check_set(sets[i]);
}

/* Processors without AMX multiply bf16 twice as fast as f32 or, Intel's, half as fast. The choice
 * is the same in each run. */
TEST(bf16_is_chosen_where_it_is_faster)
{
#if defined(__x86_64__)
    const struct product_set *f32 = product_of_kind(PRODUCT_F32),
                             *bf16 = product_of_kind(PRODUCT_BF16);
    if (!bf16 || product_of_kind(PRODUCT_AMX))
        skip();
    assert_ptr_equal(product_best(true), __builtin_cpu_is("amd") ? bf16 : f32);
    assert_ptr_equal(product_best(false), f32);
#else
    skip();
#endif
}
