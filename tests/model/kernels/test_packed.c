/* Packed matrices: products against double precision, every set against the plain one,
 * and vectors and panels together against one at a time, bit for bit. What may be read
 * ends where its memory does, for AddressSanitizer to watch; beside what may be written
 * stand guards. */
#include "model/kernels/bf16.h"
#include "model/kernels/kernels.h"
#include "tests/check.h"
#include "tests/model/random.h"

static void multiply(const struct kernels *k, const struct packed_product *p)
{
    k->multiply[p->w->kind](p);
}

enum { MOST_PANELS = 9, MOST_N = 300, ROWS = MOST_PANELS * PANEL };
static const int SIZES[] = {1, 2, 3, 4, 5, 15, 16, 17, 31, 64, 67, 129, MOST_N};
static float weights[ROWS * MOST_N], bias[ROWS];
static float vectors[PACKED_MOST_VECTORS * MOST_N];

#define FOR_SIZES(n)                                                                   \
    for (int at_##n = 0, n;                                                            \
         at_##n < (int)(sizeof SIZES / sizeof *SIZES) && ((n) = SIZES[at_##n], 1);     \
         at_##n++)
#define FOR_SETS(k)                                                                    \
    for (int at_##k = 0; at_##k >= 0; at_##k = -1)                                     \
        for (const struct kernels *k; (k = kernels_at(at_##k)); at_##k++)
#define FOR_KINDS(kind)                                                                \
    for (enum model_weights_kind kind = WEIGHTS_F32; kind <= WEIGHTS_INT8; kind++)

static int fill(void **state)
{
    fill_random(weights, ROWS * MOST_N, 1.0f);
    fill_random(vectors, PACKED_MOST_VECTORS * MOST_N, 2.0f);
    fill_random(bias, ROWS, 1.0f);
    return 0;
}

/* A matrix of n columns and its vectors made ready by the plain set. */
struct case_of {
    enum model_weights_kind kind;
    int n, n_x;
    void *matrix, *blocks, *x; /* blocks: w's, with nothing after them */
    size_t ldx;
    float scale[PACKED_MOST_VECTORS];
    struct packed w;
};

static void *aligned(size_t size)
{
    void *at = aligned_alloc(64, size);
    assert_non_null(at);
    memset(at, 0x5a, size);
    return at;
}

/* gap: bytes between the vectors. */
static struct case_of begin(enum model_weights_kind kind, int n, int n_x, size_t gap)
{
    const struct packing piece = {weights, bias, n, ROWS};
    const size_t size = packed_vector_size(kind, n);
    struct case_of c = {.kind = kind, .n = n, .n_x = n_x, .ldx = size + gap};
    c.matrix = aligned(packed_size(kind, &piece, 1, n));
    c.w = packed_make(kind, &piece, 1, n, c.matrix);
    const size_t blocks_size = (size_t)MOST_PANELS * packed_groups(kind, n) * 64;
    c.blocks = aligned(blocks_size);
    memcpy(c.blocks, c.w.blocks, blocks_size);
    c.w.blocks = c.blocks;
    c.x = aligned((size_t)(n_x - 1) * c.ldx + size);
    for (int v = 0; v < n_x; v++)
        c.scale[v] = kernels_at(0)->prepare[kind]((uint8_t *)c.x + (size_t)v * c.ldx,
                                                  vectors + v * n, n);
    return c;
}

static void end(struct case_of *c)
{
    free(c->matrix);
    free(c->blocks);
    free(c->x);
}

#define auto_case __attribute__((cleanup(end))) struct case_of

static struct packed_product product(const struct case_of *c, float *y, int ldy)
{
    return (struct packed_product){&c->w,    0,      MOST_PANELS, c->n_x, c->x,
                                   c->scale, c->ldx, y,           ldy};
}

/* Weight i of a row and value i of a vector as they were rounded. */
static double weight_of(const struct case_of *c, int row, int i)
{
    const int panel = row / PANEL, apart = packed_width(&c->w, panel) * 64;
    const uint8_t *groups =
        (const uint8_t *)c->w.blocks + 4 * packed_place(&c->w, panel) + row % PANEL * 4;
    float f32;
    uint16_t half;
    if (c->kind == WEIGHTS_INT8)
        return (int8_t)groups[i / 4 * apart + i % 4] * (double)c->w.scale[row];
    if (c->kind == WEIGHTS_F32) {
        memcpy(&f32, groups + i * apart, sizeof f32);
        return f32;
    }
    memcpy(&half, groups + i / 2 * apart + i % 2 * 2, sizeof half);
    return bf16_widen(half);
}

static double value_of(const struct case_of *c, int v, int i)
{
    const uint8_t *x = (const uint8_t *)c->x + (size_t)v * c->ldx;
    if (c->kind == WEIGHTS_INT8)
        return (x[i] - 128) * (double)c->scale[v];
    if (c->kind == WEIGHTS_BF16)
        return bf16_widen(((const uint16_t *)(const void *)x)[i]);
    return ((const float *)(const void *)x)[i];
}

/* A chain of n multiplications and additions errs, step by step, by half a unit in the
 * last place of a sum no larger than that of the magnitudes (Higham 2002, section 3.1);
 * int8 only at its end. */
TEST(products_are_right)
{
    float y[ROWS];
    FOR_KINDS(kind)
    FOR_SIZES(n)
    {
        auto_case c = begin(kind, n, 1, 0);
        struct packed_product p = product(&c, y, ROWS);
        FOR_SETS(k)
        {
            multiply(k, &p);
            for (int r = 0; r < ROWS; r++) {
                double sum = bias[r], size = fabs(sum);
                for (int i = 0; i < n; i++) {
                    double term = weight_of(&c, r, i) * value_of(&c, 0, i);
                    sum += term;
                    size += fabs(term);
                }
                assert_true(fabs(y[r] - sum) <= (n + 4) * 0x1p-24 * size);
            }
        }
    }
}

/* The matrix is the one that was asked for: to the step of its rounding. */
TEST(rounding_is_near)
{
    FOR_KINDS(kind)
    FOR_SIZES(n)
    {
        const double steps[] = {0, 0x1p-8, 0};
        auto_case c = begin(kind, n, 1, 0);
        for (int r = 0; r < ROWS; r++)
            for (int i = 0; i < n; i++) {
                double off = fabs(weight_of(&c, r, i) - weights[r * n + i]);
                double step = steps[kind] * fabs((double)weights[r * n + i]);
                if (kind == WEIGHTS_INT8)
                    step = 0.5001 * c.w.scale[r];
                assert_true(off <= step);
            }
    }
}

/* Each vector and each panel of p, alone, gives the bits that y holds. */
static void check_alone(const struct kernels *k, const struct packed_product *p)
{
    float alone[PANEL];
    for (int v = 0; v < p->n_x; v++)
        for (int i = 0; i < p->n_panels; i++) {
            struct packed_product one = *p;
            one.panel += i;
            one.n_panels = one.n_x = 1;
            one.x = (const uint8_t *)p->x + (size_t)v * p->ldx;
            one.scale = p->scale + v;
            one.y = alone;
            multiply(k, &one);
            assert_memory_equal(alone, p->y + v * p->ldy + i * PANEL, sizeof alone);
        }
}

static void check_guards(const struct packed_product *p, const float *from,
                         const float *to)
{
    for (const float *at = from; at < to; at++) {
        ptrdiff_t i = at - p->y;
        if (i < 0 || i / p->ldy >= p->n_x || i % p->ldy >= p->n_panels * PANEL)
            assert_true(*at == 7.0f);
    }
}

static void check_company(const struct kernels *k, const struct case_of *c, int panel,
                          int n_panels)
{
    enum { GUARD = 5, LDY = ROWS + 3 };
    static float memory[GUARD + PACKED_MOST_VECTORS * LDY + GUARD];
    const int size = sizeof memory / sizeof *memory;
    struct packed_product p = product(c, memory + GUARD, n_panels * PANEL + panel % 4);
    p.panel = panel;
    p.n_panels = n_panels;
    for (int i = 0; i < size; i++)
        memory[i] = 7.0f;
    multiply(k, &p);
    check_guards(&p, memory, memory + size);
    check_alone(k, &p);
}

TEST(company_changes_nothing)
{
    FOR_KINDS(kind)
    for (int n_x = 1; n_x <= PACKED_MOST_VECTORS; n_x++) {
        auto_case c = begin(kind, 31 + 5 * n_x, n_x, n_x % 3 * 64);
        FOR_SETS(k)
        for (int n_panels = 1; n_panels <= MOST_PANELS; n_panels++)
            check_company(k, &c, MOST_PANELS - n_panels, n_panels);
    }
}

TEST(int8_results_are_the_plain_ones)
{
    static float plain[PACKED_MOST_VECTORS * ROWS], y[PACKED_MOST_VECTORS * ROWS];
    FOR_SIZES(n)
    {
        auto_case c = begin(WEIGHTS_INT8, n, PACKED_MOST_VECTORS, 64);
        struct packed_product p = product(&c, plain, ROWS);
        multiply(kernels_at(0), &p);
        p.y = y;
        for (p.n_x = 1; p.n_x <= PACKED_MOST_VECTORS; p.n_x++)
            FOR_SETS(k)
            {
                multiply(k, &p);
                assert_memory_equal(y, plain, sizeof *y * ROWS * (size_t)p.n_x);
            }
    }
}

/* Vectors of one value, as int8 has it, each row of which gives `wanted`. */
static void check_extreme(const struct packed *w, int8_t value, float wanted)
{
    float y[PACKED_MOST_VECTORS * PANEL], scale[PACKED_MOST_VECTORS];
    const size_t ld = packed_vector_size(WEIGHTS_INT8, w->n);
    void *x = aligned(PACKED_MOST_VECTORS * ld);
    memset(x, 128 + value, PACKED_MOST_VECTORS * ld);
    for (int v = 0; v < PACKED_MOST_VECTORS; v++)
        scale[v] = 1.0f;
    for (int n_x = 1; n_x <= PACKED_MOST_VECTORS; n_x++)
        FOR_SETS(k)
        {
            multiply(k, &(struct packed_product){w, 0, 1, n_x, x, scale, ld, y, PANEL});
            for (int v = 0; v < n_x; v++) {
                assert_true(y[v * PANEL] == wanted);
                assert_true(y[v * PANEL + 1] == 0.0f);
            }
        }
    free(x);
}

/* The largest products there are, of one sign: nothing saturates. */
TEST(int8_extremes_are_exact)
{
    enum { N = 256 };
    float row[N];
    const struct packing piece = {row, NULL, N, 1};
    for (int sign = -1; sign <= 1; sign += 2) {
        for (int i = 0; i < N; i++)
            row[i] = 127.0f * (float)sign;
        void *at = aligned(packed_size(WEIGHTS_INT8, &piece, 1, N));
        struct packed w = packed_make(WEIGHTS_INT8, &piece, 1, N, at);
        check_extreme(&w, 127, (float)(sign * 127 * 127 * N));
        check_extreme(&w, -127, (float)(-sign * 127 * 127 * N));
        free(at);
    }
}

/* All sets make a vector ready alike, to its last byte and no further; x may stand
 * anywhere, and ends where its memory does. */
static void check_prepared(const struct kernels *k, enum model_weights_kind kind,
                           const float *x, int n)
{
    const size_t size = packed_vector_size(kind, n);
    auto_free uint8_t *plain = aligned(size + 64), *to = aligned(size + 64);
    const float plain_scale = kernels_at(0)->prepare[kind](plain, x, n);
    const float scale = k->prepare[kind](to, x, n);
    assert_memory_equal(to, plain, size + 64);
    assert_memory_equal(&scale, &plain_scale, sizeof scale);
}

TEST(vectors_are_made_ready_alike)
{
    static const float TESTS[] = {1.0f,  0.0f,    1e-37f,   1e-42f,
                                  1e38f, 1.7e38f, INFINITY, NAN};
    FOR_KINDS(kind)
    FOR_SIZES(n)
    FOR_SETS(k)
    for (size_t t = 0; t < sizeof TESTS / sizeof *TESTS; t++) {
        float *memory = malloc((size_t)(n + 1) * sizeof *memory), *x = memory + 1;
        assert_non_null(memory);
        for (int i = 0; i < n; i++)
            x[i] = vectors[i] * (isfinite(TESTS[t]) ? TESTS[t] : 1.0f);
        x[n / 2] = isfinite(TESTS[t]) ? x[n / 2] : TESTS[t];
        check_prepared(k, kind, x, n);
        free(memory);
    }
}

/* Halves of steps go to the even neighbour. */
TEST(ties_go_to_even)
{
    static const float X[] = {127.0f, 0.5f, 1.5f, 2.5f, -0.5f, -1.5f, -2.5f, 126.5f};
    static const int WHOLE[] = {127, 0, 2, 2, 0, -2, -2, 126};
    auto_free uint8_t *to = aligned(64);
    FOR_SETS(k)
    {
        assert_true(k->prepare[WEIGHTS_INT8](to, X, 8) == 1.0f);
        for (int i = 0; i < 8; i++)
            assert_int_equal(to[i], 128 + WHOLE[i]);
    }
}

GROUP(fill, NULL)
