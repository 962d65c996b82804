/* The trainer's arithmetic: the fast kernels give the plain ones' bits, the
 * exponential and the masks are what they should be, and the bf16 product is
 * the product of rounded factors, at every awkward size. */
#include "model/decoder/position.h"
#include "model/kernels/train_kernels.h"
#include "model/kernels/product.h"
#include "tests/check.h"
#include "tests/model/random.h"

#include <time.h>

static float *numbers(size_t n, float scale)
{
    float *x = calloc(n, sizeof *x);
    assert_non_null(x);
    fill_random(x, n, scale);
    return x;
}

enum { ROWS = 5, D = 45, LD = 64, FIRST = 37, KEYS = FIRST + ROWS };
enum { PLACES = 77, TABLE = 193, UPPER = 96, LONG = 1000 };

static struct {
    float x[ROWS * D], w[D], bias[D], dy[ROWS * D], steps[3][D];
    float scores[ROWS][LD], dp[ROWS][LD], table[TRAIN_TABLE], read[PLACES];
    float one[LONG], other[LONG];
} given;

/* What a set makes of it. */
struct made {
    float y[ROWS * D], stats[ROWS * 2], dx[ROWS * D], dw[D], db[D], steps[3][D];
    float s[ROWS][LD], p[ROWS][LD], d[ROWS][LD], high[ROWS], sums[ROWS], factors[ROWS];
    float log_sums[ROWS];
    float read[PLACES], read_upper[PLACES], dropped[LONG], dot;
    double squares;
};

static int table_index(int i)
{
    return i * i % TABLE;
}

static void make_all(const struct train_kernels *k, struct made *m)
{
    const struct dropout drop = {.key = 9, .threshold = 1u << 30, .scale = 4.0f / 3.0f};
    const float inner[ROWS] = {0};
    uint8_t index[PLACES];
    memset(m, 0, sizeof *m);
    k->layer_norm(m->y, m->stats, given.x, given.w, given.bias, ROWS, D);
    k->layer_norm_backward(m->dx, m->dw, m->db, given.dy, given.x, m->stats, given.w,
                           ROWS, D);
    memcpy(m->steps, given.steps, sizeof m->steps);
    k->nesterov(m->steps[0], m->steps[1], D, 0.95f);
    k->descend(m->steps[2], m->steps[0], D, 0.99f, 0.01f);
    memcpy(m->s, given.scores, sizeof m->s);
    memcpy(m->p, given.scores, sizeof m->p);
    memcpy(m->d, given.dp, sizeof m->d);
    k->softmax(m->s[0], LD, ROWS, FIRST + 1, 1, KEYS, false, m->high, m->sums,
               m->factors);
    for (int r = 0; r < ROWS; r++)
        m->log_sums[r] = m->high[r] + logf(m->sums[r]);
    k->softmax_backward(m->p[0], m->d[0], LD, ROWS, FIRST + 1, 1, KEYS, m->log_sums,
                        inner);
    for (int i = 0; i < PLACES; i++)
        index[i] = (uint8_t)table_index(i);
    memcpy(m->read, given.read, sizeof m->read);
    k->read_table(m->read, given.table, index, PLACES, 0);
    for (int i = 0; i < PLACES; i++)
        index[i] = (uint8_t)(UPPER + table_index(i) % (TABLE - UPPER));
    memcpy(m->read_upper, given.read, sizeof m->read_upper);
    k->read_table(m->read_upper, given.table, index, PLACES, UPPER);
    k->add_dropped(m->dropped, given.one, given.other, LONG, drop, 3);
    m->dot = k->dot(given.one, given.other, D);
    m->squares = k->sum_squares(given.one, LONG);
}

/* No key after its query is seen; every place reads its own row. */
static void check_made(const struct made *m)
{
    for (int r = 0; r < ROWS; r++)
        for (int i = 0; i < KEYS; i++) {
            assert_true(i <= FIRST + r || (m->s[r][i] == 0.0f && m->p[r][i] == 0.0f));
            assert_true(fabsf(m->s[r][i] / m->sums[r] - m->p[r][i]) < 1e-6f);
        }
    for (int i = 0; i < PLACES; i++) {
        const int upper = UPPER + table_index(i) % (TABLE - UPPER);
        assert_true(m->read[i] == given.read[i] + given.table[table_index(i)]);
        assert_true(m->read_upper[i] == given.read[i] + given.table[upper]);
    }
}

/* Forwards as the decoder turns; and back to where it was. */
static void turns_agree(const struct train_kernels *k)
{
    enum { MOST = 50 };
    float *x = numbers(MOST, 1), *angles = numbers(MOST, 3), turns[MOST];
    float got[MOST], want[MOST];
    for (int i = 0; i < MOST; i++)
        turns[i] = i % 2 ? sinf(angles[i / 2]) : cosf(angles[i / 2]);
    for (int e = 2; e <= MOST; e += 2) {
        memcpy(got, x, sizeof got);
        memcpy(want, x, sizeof want);
        k->rotate(got, turns, e, false);
        position_rotate(want, turns, e);
        assert_memory_equal(got, want, sizeof got);
        k->rotate(got, turns, e, true);
        train_kernels_at(0)->rotate(want, turns, e, true);
        assert_memory_equal(got, want, sizeof got);
        for (int i = 0; i < MOST; i++)
            assert_true(fabsf(got[i] - x[i]) < 1e-6f);
    }
    free(x), free(angles);
}

/* So many rows, each `more` longer than the one before, whose indices come in runs: every
 * row of a table gets what was read from it. */
static void table_sums_agree(const struct train_kernels *best,
                             const struct train_kernels *plain, int rows, int more)
{
    enum { N = 40, LD_X = 64, LD_TABLE = TABLE + 3, MOST = 11 };
    auto_free float *x = numbers(MOST * LD_X, 1);
    float sums[2][MOST * LD_TABLE] = {{0}};
    uint8_t index[MOST * LD_X];
    for (int i = 0; i < MOST * LD_X; i++)
        index[i] = (uint8_t)(i / 5 * 7 % TABLE);
    best->sum_into_tables(sums[0], LD_TABLE, x, LD_X, index, LD_X, rows, N, more);
    plain->sum_into_tables(sums[1], LD_TABLE, x, LD_X, index, LD_X, rows, N, more);
    assert_memory_equal(sums[0], sums[1], sizeof sums[0]);
    for (int i = 0; i < MOST * LD_TABLE; i++) {
        const int row = i / LD_TABLE, n = row < rows ? N + row * more : 0;
        float want = 0.0f;
        for (int j = 0; j < n; j++)
            want += index[row * LD_X + j] == i % LD_TABLE ? x[row * LD_X + j] : 0.0f;
        assert_true(fabsf(sums[0][i] - want) < 1e-6f);
    }
}

TEST(every_set_gives_the_same_bits)
{
    static struct made first, made;
    const struct train_kernels *plain = train_kernels_at(0), *k;
    fill_random((float *)&given, sizeof given / sizeof(float), 1);
    fill_random(given.scores[0], ROWS * LD, 20);
    make_all(plain, &first);
    check_made(&first);
    for (int i = 0; (k = train_kernels_at(i)); i++) {
        make_all(k, &made);
        assert_memory_equal(&made, &first, sizeof made);
        turns_agree(k);
        for (int rows = 1; rows <= 11; rows++) {
            table_sums_agree(k, plain, rows, 0);
            table_sums_agree(k, plain, rows, 1);
        }
    }
}

/* A row in two parts of FIRST and ROWS keys, either of which may have the maximum. */
static void parts_agree(const struct train_kernels *k, float raise)
{
    float whole[LD], parts[2][LD], high[3], sums[3], factors[3];
    memcpy(whole, given.scores[0], sizeof whole);
    whole[FIRST + 1] += raise;
    memcpy(parts[0], whole, sizeof whole);
    memcpy(parts[1], whole + FIRST, ROWS * sizeof *whole);
    k->softmax(whole, LD, 1, KEYS, 0, KEYS, false, high, sums, factors);
    assert_true(factors[0] == 0.0f);
    k->softmax(parts[0], LD, 1, FIRST, 0, FIRST, false, high + 1, sums + 1,
               factors + 1);
    k->softmax(parts[1], LD, 1, ROWS, 0, ROWS, true, high + 1, sums + 1, factors + 1);
    assert_true(high[1] == high[0]);
    assert_true(fabsf(sums[1] - sums[0]) < 1e-6f * sums[0]);
    for (int i = 0; i < KEYS; i++) {
        const float got = i < FIRST ? parts[0][i] * factors[1] : parts[1][i - FIRST];
        assert_true(fabsf(got - whole[i]) < 1e-6f);
    }
}

TEST(softmax_goes_on_where_it_stopped)
{
    const struct train_kernels *k;
    fill_random(given.scores[0], ROWS * LD, 5);
    for (int i = 0; (k = train_kernels_at(i)); i++) {
        parts_agree(k, -50.0f);
        parts_agree(k, 50.0f);
    }
}

/* Against the definition in double precision. */
TEST(cross_entropy_is_the_definition)
{
    enum { N = 21, PADDED = 32, TARGET = 4 };
    float logits[PADDED] = {0};
    double total = 0, p[N];
    for (int i = 0; i < N; i++) {
        logits[i] = 30.0f * random_number();
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
        for (int kind = 0; kind < 16; kind++) {
            struct product p = {.m = sizes[i][0], .n = sizes[i][1], .k = sizes[i][2]};
            p.a.transposed = kind & 1, p.b.transposed = kind & 2;
            p.beta = kind & 4 ? 1.0f : 0.0f;
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

/* The least processor time of a product in the second-level cache. */
static double least_time(const struct product_set *set)
{
    enum { M = 96, N = 128, K = 256 };
    auto_free float *a = numbers(M * K, 1), *b = numbers(K * N, 1),
                    *c = numbers(M * N, 1);
    auto_free uint32_t *scratch = words(product_scratch(M, N));
    const struct product p =
        product_of(M, N, K, row_major(a, K), row_major(b, N), c, N);
    double least = 1.0;
    for (int i = 0; i < 50; i++) {
        struct timespec from, to;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
        set->multiply(&p, scratch);
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &to);
        const double s = (double)(to.tv_sec - from.tv_sec) +
                         1e-9 * (double)(to.tv_nsec - from.tv_nsec);
        least = s < least ? s : least;
    }
    return least;
}

/* Processors without AMX multiply bf16 twice or half as fast as f32. */
TEST(bf16_is_chosen_where_it_is_faster)
{
    const struct product_set *f32 = product_of_kind(PRODUCT_F32),
                             *bf16 = product_of_kind(PRODUCT_BF16);
    if (!bf16 || product_of_kind(PRODUCT_AMX))
        skip();
    const struct product_set *best = product_best(true);
    assert_true(best == f32 || best == bf16);
    assert_ptr_equal(product_best(true), best);
    assert_ptr_equal(product_best(false), f32);
    assert_true(least_time(best) < 1.4 * least_time(best == f32 ? bf16 : f32));
}
