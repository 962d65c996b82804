/* Muon: the orthogonal matrix as its formula has it, whatever multiplies; and whole steps,
 * each as the formulas of Muon and of AdamW beside it have them. */
#include "model/train/newton_schulz.h"
#include "tests/check.h"
#include "tests/model/train/training.h"

/* --- the formulas, in double precision --- */

/* c [m, n] = a [m, k] b; b is [k, n], or [n, k] when across. */
static void plain_product(double *c, const double *a, const double *b, int m, int n,
                          int k, int across)
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int p = 0; p < k; p++)
                sum += a[i * k + p] * (across ? b[j * k + p] : b[p * n + j]);
            c[i * n + j] = sum;
        }
}

/* x [m, n]. Of tall ones, too: a polynomial of x x' times x is x times that of x' x. */
static void plain_newton_schulz(double *x, int m, int n)
{
    auto_free double *a = calloc((size_t)m * (size_t)m, sizeof *a),
                     *aa = calloc((size_t)m * (size_t)m, sizeof *aa),
                     *y = calloc((size_t)m * (size_t)n, sizeof *y);
    double squares = 0.0;
    for (int i = 0; i < m * n; i++)
        squares += x[i] * x[i];
    for (int i = 0; i < m * n; i++)
        x[i] /= sqrt(squares) + 1e-7;
    for (int step = 0; step < 5; step++) {
        plain_product(a, x, x, m, m, n, 1);
        plain_product(aa, a, a, m, m, m, 0);
        for (int i = 0; i < m * m; i++)
            a[i] = -4.7750 * a[i] + 2.0315 * aa[i];
        plain_product(y, a, x, m, n, m, 0);
        for (int i = 0; i < m * n; i++)
            x[i] = 3.4445 * x[i] + y[i];
    }
}

/* --- the orthogonal matrix --- */

static const int SIZES[][2] = {{1, 1},   {1, 9},    {6, 6},     {10, 70},
                               {64, 64}, {65, 130}, {130, 130}, {128, 512}};
enum { N_SIZES = sizeof SIZES / sizeof *SIZES };

/* Gradients are far from orthogonal: directions here differ by thousands in size. */
static void fill_matrix(double *x, int m, int n)
{
    for (int i = 0; i < m * n; i++)
        x[i] =
            0.5 * (double)random_number() * exp(-7.0 * (i / n) / m) + 0.3 * sin(i % n);
}

static void *room(size_t n, size_t size)
{
    void *p = aligned_alloc(64, (n * size + 63) / 64 * 64);
    assert_non_null(p);
    memset(p, 0xff, n * size); /* what was there before must not matter */
    return p;
}

static void run(const struct product_set *set, double *out, const double *in, int m,
                int n)
{
    const int ld = newton_schulz_ld(n), ld_square = newton_schulz_ld(m);
    const struct newton_schulz at = {
        .x = room((size_t)(m * ld), sizeof(float)),
        .square = room((size_t)(m * ld_square), sizeof(float)),
        .polynomial = room((size_t)(m * ld_square), sizeof(float)),
        .panels = room(newton_schulz_panels(set, m, n), sizeof(uint32_t)),
        .multiplied = room(product_scratch((size_t)m, (size_t)n), sizeof(uint32_t)),
    };
    double squares = 0.0;
    for (int i = 0; i < m * n; i++) {
        at.x[i / n * ld + i % n] = (float)in[i];
        squares += in[i] * in[i];
    }
    newton_schulz(set, &at, m, n, squares);
    for (int i = 0; i < m * n; i++)
        out[i] = (double)at.x[i / n * ld + i % n];
    free(at.x);
    free(at.square);
    free(at.polynomial);
    free(at.panels);
    free(at.multiplied);
}

/* The root mean square of the difference, that of a full orthogonal matrix being 1. */
static double compare(const struct product_set *set, int m, int n)
{
    auto_free double *in = calloc((size_t)(m * n), sizeof *in),
                     *got = calloc((size_t)(m * n), sizeof *got);
    double sum = 0.0;
    fill_matrix(in, m, n);
    run(set, got, in, m, n);
    plain_newton_schulz(in, m, n);
    for (int i = 0; i < m * n; i++)
        sum += (got[i] - in[i]) * (got[i] - in[i]);
    return sqrt(sum / m);
}

TEST(products_agree_with_the_formula)
{
    const struct product_set *sets[] = {product_of_kind(PRODUCT_BLAS),
                                        product_of_kind(PRODUCT_F32),
                                        product_of_kind(PRODUCT_BF16)};
    for (int s = 0; s < 3; s++)
        for (int i = 0; sets[s] && i < N_SIZES; i++) {
            double off = compare(sets[s], SIZES[i][0], SIZES[i][1]);
            if (!(off < (s == 2 ? 0.1 : 2e-4)))
                fail_msg("set %d, %d x %d: off by %g", s, SIZES[i][0], SIZES[i][1],
                         off);
        }
}

TEST(zeros_stay)
{
    double x[6 * 10] = {0};
    run(product_best(true), x, x, 6, 10);
    for (int i = 0; i < 60; i++)
        assert_true(x[i] == 0.0);
}

/* --- a step against its plain twin --- */

/* How many matrices of a tensor are Muon's. */
static int parts_of(const char *name)
{
    const char *end = strrchr(name, '.');
    const size_t n = end ? (size_t)(end - name) : 0;
    static const struct {
        const char *name;
        int parts;
    } LIST[] = {{".attn.qkv", 3},  {".attn.out", 1}, {".cross.q", 1}, {".cross.kv", 2},
                {".cross.out", 1}, {".ff1", 1},      {".ff2", 1}};
    for (size_t i = 0; end && !strcmp(end, ".weight") && i < 7; i++) {
        size_t n_own = strlen(LIST[i].name);
        if (n > n_own && !strncmp(name + n - n_own, LIST[i].name, n_own))
            return LIST[i].parts;
    }
    return 0;
}

struct twin {
    const struct train_options *o;
    struct model_tensor *tensors;
    size_t n_tensors, n_floats;
    double *w, *m, *v;
    float *g;
    int step;
};

static void twin_muon(const struct twin *t, size_t at, int rows, int columns,
                      double rate)
{
    const int n = rows * columns;
    const double beta = (double)t->o->momentum;
    auto_free double *x = calloc((size_t)n, sizeof *x);
    for (int i = 0; i < n; i++) {
        double g = (double)t->g[at + (size_t)i], *m = &t->m[at + (size_t)i];
        *m = beta * *m + (1 - beta) * g;
        x[i] = (1 - beta) * g + beta * *m;
    }
    plain_newton_schulz(x, rows, columns);
    double size = 0.2 * sqrt(rows > columns ? rows : columns);
    for (int i = 0; i < n; i++) {
        double *w = &t->w[at + (size_t)i];
        *w = *w * (1 - rate * (double)t->o->weight_decay) - rate * size * x[i];
    }
}

static void twin_adam(const struct twin *t, size_t at, size_t n, bool decay,
                      double rate, double scale)
{
    const double b1 = (double)t->o->beta1, b2 = (double)t->o->beta2;
    for (size_t i = at; i < at + n; i++) {
        double g = (double)t->g[i] * scale;
        t->m[i] = b1 * t->m[i] + (1 - b1) * g;
        t->v[i] = b2 * t->v[i] + (1 - b2) * g * g;
        double m = t->m[i] / (1 - pow(b1, t->step + 1)),
               v = t->v[i] / (1 - pow(b2, t->step + 1));
        if (decay)
            t->w[i] *= 1 - rate * (double)t->o->weight_decay;
        t->w[i] -= rate * m / (sqrt(v) + (double)t->o->eps);
    }
}

static void twin_step(struct twin *t, double rate)
{
    double squares = 0.0, scale = 1.0;
    for (size_t i = 0; i < t->n_floats; i++)
        squares += (double)t->g[i] * (double)t->g[i];
    if (sqrt(squares) > (double)t->o->clip)
        scale = (double)t->o->clip / sqrt(squares);
    for (size_t i = 0; i < t->n_tensors; i++) {
        const struct model_tensor *tensor = &t->tensors[i];
        const size_t n = model_tensor_size(tensor);
        const int parts = parts_of(tensor->name);
        for (int p = 0; p < parts; p++)
            twin_muon(t, tensor->offset + n / (size_t)parts * (size_t)p,
                      (int)tensor->shape[0] / parts, (int)tensor->shape[1], rate);
        if (!parts)
            twin_adam(t, tensor->offset, n, tensor->n_dims > 1,
                      rate * (double)t->o->adam_share, scale);
    }
    t->step++;
}

static void twin_init(struct twin *t, const struct model_config *c,
                      const struct train_options *o)
{
    *t = (struct twin){.o = o};
    t->n_tensors = model_tensors(c, NULL, &t->tensors, &t->n_floats);
    t->w = calloc(3 * t->n_floats, sizeof *t->w);
    t->m = t->w + t->n_floats;
    t->v = t->m + t->n_floats;
    t->g = calloc(t->n_floats, sizeof *t->g);
}

static void twin_fini(struct twin *t)
{
    free(t->tensors);
    free(t->w);
    free(t->g);
}

static const char *name_at(const struct twin *t, size_t at)
{
    size_t i = 0;
    while (i + 1 < t->n_tensors && t->tensors[i + 1].offset <= at)
        i++;
    return t->tensors[i].name;
}

/* Every step begins at the trainer's weights; moments are the twin's own. Most weights
 * move by a hundredth of the rate at least. */
static void compare_steps(const struct model_config *c)
{
    struct train_options o = options_for(LONG_BATCH, LONG_LENGTH);
    struct lesson l;
    struct twin twin;
    o.optimiser = OPTIMISER_MUON;
    o.schedule = SCHEDULE_LINEAR;
    o.cooldown_steps = 20;
    o.momentum = 0.95f;
    o.adam_share = 0.5f;
    o.dropout = 0.0f;
    o.eps = 1e-4f; /* so that gradients that are rounding alone move nothing */
    auto_school s = school_begin(c, &o, 2);
    twin_init(&twin, c, &o);
    for (int step = 0; step < 3; step++) {
        const struct train_batch *b =
            lesson_fill(&l, LONG_BATCH, LONG_LENGTH, c->vocab, step);
        double loss, rate = (double)trainer_learning_rate(s.trainer);
        float step_loss;
        for (size_t i = 0; i < twin.n_floats; i++)
            twin.w[i] = (double)s.block[i];
        assert_ok(trainer_gradients(s.trainer, b, &loss, twin.g));
        assert_ok(trainer_step(s.trainer, b, &step_loss));
        twin_step(&twin, rate);
        for (size_t i = 0; i < twin.n_floats; i++)
            if (!(fabs(twin.w[i] - (double)s.block[i]) < 2e-3 * rate))
                fail_msg("step %d, %s: %g and %g", step, name_at(&twin, i), twin.w[i],
                         (double)s.block[i]);
    }
    twin_fini(&twin);
}

TEST(steps_are_as_the_formula_has_them)
{
    struct model_config c = medium();
    compare_steps(&c);
    c = with_encoder();
    compare_steps(&c);
}
