/* The trainer against an independent decoder in double precision: the loss,
 * and every element of every gradient by finite differences of that decoder. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/model/reference.h"
#include "tests/model/train/training.h"

#include <math.h>
#include <stdio.h>

/* Which elements of a matrix: each; under TSan, which asks about threads and makes the
 * reference a hundred times as slow, some. */
#ifdef __SANITIZE_THREAD__
enum { EVERY = 16 };
#else
enum { EVERY = 1 };
#endif

static double reference_nats(const double *logits, int n, int target)
{
    double total = 0;
    for (int i = 0; i < n; i++)
        total += exp(logits[i]);
    return log(total) - logits[target];
}

static struct ref_sequence source_of(const struct train_batch *b, int row)
{
    struct ref_sequence s = {b->sources + row * SOURCE, b->source_times + row * SOURCE,
                             0};
    while (s.n < SOURCE && s.tokens[s.n] >= 0)
        s.n++;
    return s;
}

static double reference_loss(const struct model_config *c, const double *block,
                             const struct train_batch *b)
{
    double sum = 0;
    int count = 0;
    for (int row = 0; row < N; row += LENGTH) {
        struct ref_sequence s = {b->tokens + row, b->times + row, LENGTH};
        struct ref_sequence source = source_of(b, row / LENGTH);
        double *logits = reference(c, block, &s, c->n_encoder_layers ? &source : NULL);
        for (int t = 0; t < LENGTH; t++)
            if (b->targets[row + t] >= 0) {
                sum += reference_nats(logits + t * c->vocab, c->vocab,
                                      b->targets[row + t]);
                count++;
            }
        free(logits);
    }
    return sum / count;
}

/* Weights far from their small beginnings, so that every path carries weight. */
static void stir(float *block, size_t n)
{
    uint32_t h = 1;
    for (size_t i = 0; i < n; i++) {
        h = h * 1664525u + 1013904223u;
        block[i] += 0.5f * ((float)(h >> 8) / 8388608.0f - 1.0f);
    }
}

static double slope(const struct model_config *c, double *block, size_t at,
                    const struct train_batch *b)
{
    const double step = 1e-5, was = block[at];
    block[at] = was + step;
    double up = reference_loss(c, block, b);
    block[at] = was - step;
    double down = reference_loss(c, block, b);
    block[at] = was;
    return (up - down) / (2 * step);
}

static void check_tensor(const struct model_config *c,
                         const struct model_tensor *tensor, double *block,
                         const float *gradients, const struct train_batch *b)
{
    size_t n =
        (size_t)tensor->shape[0] * (size_t)(tensor->n_dims > 1 ? tensor->shape[1] : 1);
    size_t step = tensor->n_dims > 1 ? EVERY : 1;
    double worst = 0, largest = 0;
    for (size_t i = tensor->offset; i < tensor->offset + n; i += step) {
        double want = slope(c, block, i, b);
        worst = fmax(worst, fabs(want - (double)gradients[i]));
        largest = fmax(largest, fabs(want));
    }
    if (worst > 1e-5 + 1e-4 * largest)
        fail_msg("%s: off by %g, of slopes up to %g", tensor->name, worst, largest);
    if (largest < 1e-6)
        fail_msg("%s: its slopes are all zero, so nothing was tested", tensor->name);
}

static void check_gradients(const struct model_config *c)
{
    struct pool *pool = pool_create(2);
    struct train_options o = options_for(BATCH, LENGTH);
    struct trainer *t = make(c, &o, pool);
    struct model_tensor *tensors;
    size_t n_floats, n_tensors = model_tensors(c, &tensors, &n_floats);
    float *gradients = calloc(n_floats, sizeof *gradients);
    double *block = calloc(n_floats, sizeof *block), loss;
    int32_t tokens[N], targets[N], times[N], sources[BATCH * SOURCE],
        source_times[BATCH * SOURCE];
    struct train_batch b = {tokens, targets, times, sources, source_times};

    fill_batch(tokens, targets, N, c->vocab, 1);
    fill_times(times, N);
    for (int i = N - LENGTH + 1; i < N; i++) /* of one sequence they never go back */
        times[i] = times[i] < times[i - 1] ? times[i - 1] : times[i];
    fill_sources(sources, source_times, BATCH, SOURCE, c->vocab);
    stir(trainer_block(t), n_floats);
    for (size_t i = 0; i < n_floats; i++)
        block[i] = (double)trainer_block(t)[i];
    assert_int_equal(trainer_gradients(t, &b, &loss, gradients), MODEL_OK);
    assert_true(fabs(loss - reference_loss(c, block, &b)) < 1e-5);
    for (size_t i = 0; i < n_tensors; i++)
        check_tensor(c, &tensors[i], block, gradients, &b);

    free(block);
    free(gradients);
    free(tensors);
    trainer_destroy(t);
    pool_destroy(pool);
}

static void gradients_match_finite_differences(void **state)
{
    (void)state;
    struct model_config c = tiny();
    check_gradients(&c);
}

static void gradients_of_the_variants_too(void **state)
{
    (void)state;
    struct model_config c = tiny();
    c.activation = ACTIVATION_GELU;
    c.tied = false;
    check_gradients(&c);
    c.position = POSITION_NONE;
    check_gradients(&c);
}

static void gradients_of_every_variant(void **state)
{
    (void)state;
    for (int i = 0; i < N_VARIANTS; i++) {
        struct model_config sizes = tiny(), c;
        sizes.d_model = 8; /* a head's four pairs turn both ways */
        print_message("%s\n", VARIANTS[i].name);
        c = sized_as(VARIANTS[i].config, sizes);
        c.reach = c.reach ? 2 + i % 3 * 3 : 0;
        c.block = c.mixing == MIXING_FOURIER ? 5 : c.block;
        check_gradients(&c);
    }
}

/* The gradient predicts how the loss changes along itself, tensor by tensor;
 * that is only one number each, but through every block and tile. */
static void check_along_gradients(const struct model_config *c)
{
    struct train_options o = options_for(LONG_BATCH, LONG_LENGTH);
    struct pool *pool = pool_create(2);
    struct trainer *t = make(c, &o, pool);
    struct model_tensor *tensors;
    size_t n_floats, n_tensors = model_tensors(c, &tensors, &n_floats);
    float *gradients = calloc(n_floats, sizeof *gradients), *w = trainer_block(t);
    int32_t tokens[LONG_N], targets[LONG_N], times[LONG_N], sources[MOST_SOURCES],
        source_times[MOST_SOURCES];
    struct train_batch b = {tokens, targets, times, sources, source_times};
    double loss, up, down;
    int64_t count;

    fill_batch(tokens, targets, LONG_N, c->vocab, 2);
    variant_times(times, LONG_N);
    fill_sources(sources, source_times, LONG_BATCH, LONG_SOURCE, c->vocab);
    for (size_t i = 0; i < n_floats; i++)
        w[i] *= 4.0f;
    assert_int_equal(trainer_gradients(t, &b, &loss, gradients), MODEL_OK);
    for (size_t k = 0; k < n_tensors; k++) {
        size_t end = k + 1 < n_tensors ? tensors[k + 1].offset : n_floats;
        double square = 0;
        for (size_t i = tensors[k].offset; i < end; i++)
            square += (double)gradients[i] * (double)gradients[i];
        assert_true(square > 0);
        float step = (float)fmin(4e-3 / sqrt(square), 4e-3 / square);
        float *was = calloc(n_floats, sizeof *was);
        memcpy(was, w, n_floats * sizeof *was);
        for (size_t i = tensors[k].offset; i < end; i++)
            w[i] = was[i] + step * gradients[i];
        trainer_evaluate(t, &b, &up, &count, NULL);
        for (size_t i = tensors[k].offset; i < end; i++)
            w[i] = was[i] - step * gradients[i];
        trainer_evaluate(t, &b, &down, &count, NULL);
        memcpy(w, was, n_floats * sizeof *was);
        free(was);
        double found = (up - down) / (double)count, want = 2 * (double)step * square;
        if (fabs(found - want) > 0.02 * want + 1e-6)
            fail_msg("%s: the loss moved by %g, not %g", tensors[k].name, found, want);
    }
    free(gradients);
    free(tensors);
    trainer_destroy(t);
    pool_destroy(pool);
}

static void gradients_hold_across_blocks_and_tiles(void **state)
{
    (void)state;
    struct model_config c = medium();
    check_along_gradients(&c);
    for (int i = 0; i < N_VARIANTS; i++) {
        print_message("%s\n", VARIANTS[i].name);
        c = sized_as(VARIANTS[i].config, medium());
        check_along_gradients(&c);
    }
}

/* Rounded products bend the gradient a little, and never turn it. */
static void check_bf16_gradients(struct model_config c)
{
    struct train_options o = options_for(LONG_BATCH, LONG_LENGTH);
    struct pool *pool = pool_create(2);
    int32_t tokens[LONG_N], targets[LONG_N], times[LONG_N];
    struct train_batch b = {.tokens = tokens, .targets = targets, .times = times};
    struct model_tensor *tensors;
    size_t n;
    model_tensors(&c, &tensors, &n);
    float *gradients[2] = {calloc(n, sizeof(float)), calloc(n, sizeof(float))};
    double loss[2], error = 0, square = 0;

    fill_batch(tokens, targets, LONG_N, c.vocab, 2);
    variant_times(times, LONG_N);
    for (int i = 0; i < 2; i++) {
        o.bf16 = i == 1;
        struct trainer *t = make(&c, &o, pool);
        trainer_gradients(t, &b, &loss[i], gradients[i]);
        trainer_destroy(t);
    }
    for (size_t i = 0; i < n; i++) {
        double exact = (double)gradients[0][i], off = (double)gradients[1][i] - exact;
        error += off * off;
        square += exact * exact;
    }
    assert_true(fabs(loss[0] - loss[1]) < 1e-3);
    assert_true(error < 0.02 * 0.02 * square);
    free(gradients[0]);
    free(gradients[1]);
    free(tensors);
    pool_destroy(pool);
}

static void bf16_gradients_point_the_same_way(void **state)
{
    (void)state;
    struct model_config c = medium();
    check_bf16_gradients(c);
    c.position = POSITION_NONE;
    c.relative = RELATIVE_ROTARY;
    c.time = TIME_BUCKETS;
    c.activation = ACTIVATION_GELU;
    check_bf16_gradients(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradients_match_finite_differences),
        cmocka_unit_test(gradients_of_the_variants_too),
        cmocka_unit_test(gradients_of_every_variant),
        cmocka_unit_test(gradients_hold_across_blocks_and_tiles),
        cmocka_unit_test(bf16_gradients_point_the_same_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
