/* Steps of Muon: each as its formula has it, and of AdamW beside it; the same bits for
 * any number of threads and after resuming; and the schedule of the rate. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/model/train/plain_muon.h"
#include "tests/model/train/training.h"

#include <stdio.h>
#include <unistd.h>

static struct train_options muon_options(int batch, int length)
{
    struct train_options o = options_for(batch, length);
    o.optimiser = OPTIMISER_MUON;
    o.schedule = SCHEDULE_LINEAR;
    o.cooldown_steps = 20;
    o.momentum = 0.95f;
    o.adam_share = 0.5f;
    return o;
}

/* One batch of the medium sizes. */
struct lesson {
    int32_t tokens[LONG_N], targets[LONG_N], sources[MOST_SOURCES],
        source_times[MOST_SOURCES];
    struct train_batch batch;
};

static const struct train_batch *lesson_fill(struct lesson *l, int step)
{
    fill_sources(l->sources, l->source_times, LONG_BATCH, LONG_SOURCE, 37);
    fill_batch(l->tokens, l->targets, LONG_N, 37, step);
    l->batch =
        (struct train_batch){l->tokens, l->targets, NULL, l->sources, l->source_times};
    return &l->batch;
}

static void run_steps(struct trainer *t, int from, int to)
{
    struct lesson l;
    float loss;
    for (int i = from; i < to; i++)
        assert_int_equal(trainer_step(t, lesson_fill(&l, i), &loss), MODEL_OK);
}

static struct model_config with_encoder(void)
{
    return sized_as(VARIANTS[N_VARIANTS - 1].config, medium());
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
    double *x = calloc((size_t)n, sizeof *x);
    for (int i = 0; i < n; i++) {
        double g = (double)t->g[at + (size_t)i], *m = &t->m[at + (size_t)i];
        *m = beta * *m + (1 - beta) * g;
        x[i] = (1 - beta) * g + beta * *m;
    }
    plain_orthogonal(x, rows, columns);
    double size = 0.2 * sqrt(rows > columns ? rows : columns);
    for (int i = 0; i < n; i++) {
        double *w = &t->w[at + (size_t)i];
        *w = *w * (1 - rate * (double)t->o->weight_decay) - rate * size * x[i];
    }
    free(x);
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

static size_t tensor_size(const struct model_tensor *t)
{
    return (size_t)t->shape[0] * (size_t)(t->n_dims > 1 ? t->shape[1] : 1);
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
        const size_t n = tensor_size(tensor);
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
    t->n_tensors = model_tensors(c, &t->tensors, &t->n_floats);
    t->w = calloc(t->n_floats, sizeof *t->w);
    t->m = calloc(t->n_floats, sizeof *t->m);
    t->v = calloc(t->n_floats, sizeof *t->v);
    t->g = calloc(t->n_floats, sizeof *t->g);
}

static void twin_fini(struct twin *t)
{
    free(t->tensors);
    free(t->w);
    free(t->m);
    free(t->v);
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
    struct train_options o = muon_options(LONG_BATCH, LONG_LENGTH);
    struct pool *pool = pool_create(2);
    struct lesson l;
    struct twin twin;
    o.dropout = 0.0f;
    o.eps = 1e-4f; /* so that gradients that are rounding alone move nothing */
    struct trainer *t = make(c, &o, pool);
    twin_init(&twin, c, &o);
    for (int step = 0; step < 3; step++) {
        const struct train_batch *b = lesson_fill(&l, step);
        double loss, rate = (double)trainer_learning_rate(t);
        float step_loss;
        for (size_t i = 0; i < twin.n_floats; i++)
            twin.w[i] = (double)trainer_block(t)[i];
        assert_int_equal(trainer_gradients(t, b, &loss, twin.g), MODEL_OK);
        assert_int_equal(trainer_step(t, b, &step_loss), MODEL_OK);
        twin_step(&twin, rate);
        for (size_t i = 0; i < twin.n_floats; i++)
            if (!(fabs(twin.w[i] - (double)trainer_block(t)[i]) < 2e-3 * rate))
                fail_msg("step %d, %s: %g and %g", step, name_at(&twin, i), twin.w[i],
                         (double)trainer_block(t)[i]);
    }
    twin_fini(&twin);
    trainer_destroy(t);
    pool_destroy(pool);
}

static void steps_are_as_the_formula_has_them(void **state)
{
    (void)state;
    struct model_config c = medium();
    compare_steps(&c);
    c = with_encoder();
    compare_steps(&c);
}

/* --- what every optimiser promises --- */

static void compare_threads(const struct model_config *c, bool bf16)
{
    struct train_options o = muon_options(LONG_BATCH, LONG_LENGTH);
    struct model_tensor *tensors;
    size_t n;
    float *one = NULL;
    o.bf16 = bf16;
    model_tensors(c, &tensors, &n);
    for (int threads = 1; threads <= 4; threads++) {
        struct pool *pool = pool_create(threads);
        struct trainer *t = make(c, &o, pool);
        run_steps(t, 0, 4);
        if (!one) {
            one = malloc(n * sizeof *one);
            memcpy(one, trainer_block(t), n * sizeof *one);
        }
        assert_memory_equal(one, trainer_block(t), n * sizeof *one);
        trainer_destroy(t);
        pool_destroy(pool);
    }
    free(one);
    free(tensors);
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    struct model_config c = medium(), encoder = with_encoder();
    compare_threads(&c, false);
    compare_threads(&c, true);
    compare_threads(&encoder, true);
}

static void steps_learn(void **state)
{
    (void)state;
    struct model_config c = medium();
    struct train_options o = muon_options(LONG_BATCH, LONG_LENGTH);
    struct pool *pool = pool_create(1);
    struct trainer *t = make(&c, &o, pool);
    struct lesson l;
    float first, last;
    assert_int_equal(trainer_step(t, lesson_fill(&l, 0), &first), MODEL_OK);
    run_steps(t, 1, 39);
    assert_int_equal(trainer_step(t, lesson_fill(&l, 39), &last), MODEL_OK);
    assert_true(last < 0.5f * first);
    trainer_destroy(t);
    pool_destroy(pool);
}

static void path_of(char *path, size_t n)
{
    snprintf(path, n, "/tmp/continuo-muon-%ld.state", (long)getpid());
}

/* The state of a trainer after three steps, in a new one with these options. */
static struct trainer *resumed(const struct model_config *c,
                               const struct train_options *o, struct pool *pool)
{
    struct train_options first = muon_options(LONG_BATCH, LONG_LENGTH);
    struct trainer *before = make(c, &first, pool), *after = make(c, o, pool);
    char path[256], extra[8];
    path_of(path, sizeof path);
    run_steps(before, 0, 3);
    assert_int_equal(trainer_save_state(before, path, "here"), MODEL_OK);
    assert_int_equal(trainer_load_state(after, path, extra, sizeof extra), MODEL_OK);
    assert_int_equal(trainer_steps(after), 3);
    unlink(path);
    trainer_destroy(before);
    return after;
}

static void resuming_changes_no_bit(void **state)
{
    (void)state;
    struct model_config c = medium();
    struct train_options o = muon_options(LONG_BATCH, LONG_LENGTH);
    struct pool *pool = pool_create(2);
    struct trainer *through = make(&c, &o, pool), *after = resumed(&c, &o, pool);
    struct model_tensor *tensors;
    size_t n;
    model_tensors(&c, &tensors, &n);
    run_steps(through, 0, 6);
    run_steps(after, 3, 6);
    assert_memory_equal(trainer_block(through), trainer_block(after),
                        n * sizeof(float));
    free(tensors);
    trainer_destroy(through);
    trainer_destroy(after);
    pool_destroy(pool);
}

/* Half as long, at another rate and for another time: the weights and moments are the
 * same, so two such trainers go on alike, and learn. */
static void a_run_goes_on_otherwise(void **state)
{
    (void)state;
    struct model_config c = medium();
    struct train_options o = muon_options(2 * LONG_BATCH, LONG_LENGTH / 2);
    struct pool *pool = pool_create(2);
    struct model_tensor *tensors;
    struct lesson l;
    size_t n;
    float loss[2];
    o.lr = 2e-3f;
    o.max_steps = 10;
    o.cooldown_steps = 0;
    model_tensors(&c, &tensors, &n);
    struct trainer *one = resumed(&c, &o, pool), *two = resumed(&c, &o, pool);
    assert_int_equal(trainer_options(one)->max_steps, 10);
    for (int i = 0; i < 7; i++) {
        const struct train_batch *b = lesson_fill(&l, i);
        if (i == 1) /* warm */
            assert_true(trainer_learning_rate(one) == o.lr);
        assert_int_equal(trainer_step(one, b, &loss[0]), MODEL_OK);
        assert_int_equal(trainer_step(two, b, &loss[1]), MODEL_OK);
        assert_true(loss[0] == loss[1]);
    }
    assert_true(loss[0] < 3.5f); /* log 37 is 3.6 */
    assert_memory_equal(trainer_block(one), trainer_block(two), n * sizeof(float));
    free(tensors);
    trainer_destroy(one);
    trainer_destroy(two);
    pool_destroy(pool);
}

static void another_optimiser_is_refused(void **state)
{
    (void)state;
    struct model_config c = medium();
    struct train_options o = muon_options(LONG_BATCH, LONG_LENGTH);
    struct pool *pool = pool_create(1);
    struct trainer *muon = make(&c, &o, pool);
    char path[256], extra[8];
    path_of(path, sizeof path);
    o.optimiser = OPTIMISER_ADAMW;
    struct trainer *adamw = make(&c, &o, pool);
    assert_int_equal(trainer_save_state(muon, path, "x"), MODEL_OK);
    assert_int_equal(trainer_load_state(adamw, path, extra, sizeof extra),
                     MODEL_BAD_RESUME);
    assert_int_equal(trainer_load_state(muon, path, extra, sizeof extra), MODEL_OK);
    unlink(path);
    trainer_destroy(muon);
    trainer_destroy(adamw);
    pool_destroy(pool);
}

/* --- the schedule --- */

static float rate_at(struct trainer *t, int64_t end, int64_t cooldown)
{
    trainer_set_end(t, end, cooldown);
    return trainer_learning_rate(t);
}

/* After eight steps, four of them warm-up: the end comes nearer. */
static void the_rate_is_constant_then_falls_in_a_line(void **state)
{
    (void)state;
    struct model_config c = medium();
    struct train_options o = muon_options(LONG_BATCH, LONG_LENGTH);
    struct pool *pool = pool_create(1);
    struct trainer *t = make(&c, &o, pool);
    const float span = o.lr - o.min_lr;
    for (int i = 0; i < 8; i++) {
        float wanted = i < 4 ? o.lr * (float)(i + 1) / 4.0f : o.lr;
        assert_true(fabsf(trainer_learning_rate(t) - wanted) < 1e-8f);
        run_steps(t, i, i + 1);
    }
    assert_true(rate_at(t, 28, 20) == o.lr);
    assert_true(fabsf(rate_at(t, 18, 20) - o.min_lr - span / 2) < 1e-8f);
    assert_true(fabsf(rate_at(t, 9, 20) - o.min_lr - span / 20) < 1e-8f);
    assert_true(fabsf(rate_at(t, 8, 20) - o.min_lr) < 1e-8f);
    assert_true(fabsf(rate_at(t, 3, 20) - o.min_lr) < 1e-8f);
    assert_true(rate_at(t, 8, 0) == o.lr); /* no cooldown: never */
    trainer_destroy(t);
    pool_destroy(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_as_the_formula_has_them),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(steps_learn),
        cmocka_unit_test(resuming_changes_no_bit),
        cmocka_unit_test(a_run_goes_on_otherwise),
        cmocka_unit_test(another_optimiser_is_refused),
        cmocka_unit_test(the_rate_is_constant_then_falls_in_a_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
