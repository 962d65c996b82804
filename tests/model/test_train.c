/* The trainer against an independent decoder in double precision: the loss,
 * and every element of every gradient by finite differences of that decoder.
 * Then what the steps promise: they learn, they resume to the same bits, they
 * do not depend on the number of threads. */
#include "model/safetensors.h"
#include "model/train.h"
#include "tests/model/reference.h"
#include "tests/model/variants.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Sizes that divide nothing: tails of vectors, blocks and tiles all occur. */
enum { BATCH = 2, LENGTH = 7, N = BATCH * LENGTH };

static struct model_config tiny(void)
{
    return (struct model_config){
        .vocab = 11,
        .context = 9,
        .d_model = 6,
        .n_heads = 2,
        .n_layers = 2,
        .d_ff = 10,
        .activation = ACTIVATION_RELU,
        .position = POSITION_LEARNED,
        .tied = true,
    };
}

static struct train_options options_for(int batch, int length)
{
    return (struct train_options){
        .batch = batch,
        .length = length,
        .max_steps = 40,
        .warmup_steps = 4,
        .lr = 1e-2f,
        .min_lr = 1e-3f,
        .beta1 = 0.9f,
        .beta2 = 0.95f,
        .eps = 1e-8f,
        .weight_decay = 0.05f,
        .clip = 1.0f,
        .dropout = 0.2f,
        .seed = 5,
    };
}

/* A learnable sequence: mostly counting up, with a few targets not counted. */
static void fill_batch(int32_t *tokens, int32_t *targets, int n, int vocab, int salt)
{
    for (int i = 0; i < n; i++)
        tokens[i] = (int32_t)(((uint32_t)i * 3u + (uint32_t)(i / 5) * 7u +
                               (uint32_t)salt * 5u) %
                              (uint32_t)vocab);
    for (int i = 0; i < n; i++)
        targets[i] = i % 6 == 5 ? -1 : (tokens[i] + 2) % vocab;
}

static void fill_times(int32_t *times, int n)
{
    for (int i = 0; i < n; i++)
        times[i] = i * i * 5 % 23 - (i % LENGTH == 2 ? 90 : 0) + i * 40 % 300;
}

/* What an encoder reads: sources that end at different places. */
enum { SOURCE = 5, LONG_SOURCE = 130, MOST_SOURCES = 3 * LONG_SOURCE };

static int source_length(int length)
{
    return length == LENGTH ? SOURCE : LONG_SOURCE;
}

/* A source for each of some rows, in `sources` and `times`. */
static void fill_sources(int32_t *sources, int32_t *times, int batch, int n, int vocab)
{
    for (int i = 0; i < batch * n; i++) {
        int row = i / n, at = i % n;
        sources[i] = at < n - row * n / 3 ? (i * 5 + i / 3) % vocab : -1;
        times[i] = at * 7 + at * at % 11 - 20 * row;
    }
}

static struct trainer *make(const struct model_config *c, const struct train_options *o,
                            struct pool *pool)
{
    struct trainer *t = NULL;
    struct train_options own = *o;
    own.source_length = c->n_encoder_layers ? source_length(o->length) : 0;
    assert_int_equal(trainer_create(&t, c, &own, NULL, pool), MODEL_OK);
    return t;
}

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
    double worst = 0, largest = 0;
    for (size_t i = tensor->offset; i < tensor->offset + n; i++) {
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

/* A variant in the sizes of another configuration. */
static struct model_config sized_as(struct model_config c, struct model_config sizes)
{
    c.vocab = sizes.vocab;
    c.context = sizes.context;
    c.d_model = sizes.d_model;
    c.n_heads = sizes.n_heads;
    c.n_layers = sizes.n_layers;
    c.d_ff = sizes.d_ff;
    if (c.reach > c.context)
        c.reach = c.context;
    return c;
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

enum { LONG_BATCH = 3, LONG_LENGTH = 150, LONG_N = LONG_BATCH * LONG_LENGTH };

static struct model_config medium(void)
{
    struct model_config c = tiny();
    c.vocab = 37;
    c.context = LONG_LENGTH;
    c.d_model = 24;
    c.n_heads = 3;
    c.d_ff = 70;
    return c;
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
static void bf16_gradients_point_the_same_way(void **state)
{
    (void)state;
    struct model_config c = medium();
    struct train_options o = options_for(LONG_BATCH, LONG_LENGTH);
    struct pool *pool = pool_create(2);
    int32_t tokens[LONG_N], targets[LONG_N];
    struct train_batch b = {.tokens = tokens, .targets = targets};
    struct model_tensor *tensors;
    size_t n;
    model_tensors(&c, &tensors, &n);
    float *gradients[2] = {calloc(n, sizeof(float)), calloc(n, sizeof(float))};
    double loss[2], error = 0, square = 0;

    fill_batch(tokens, targets, LONG_N, c.vocab, 2);
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

static void run_steps(struct trainer *t, int from, int to, float *last)
{
    int32_t tokens[LONG_N], targets[LONG_N], sources[MOST_SOURCES],
        source_times[MOST_SOURCES];
    struct train_batch b = {tokens, targets, NULL, sources, source_times};
    fill_sources(sources, source_times, LONG_BATCH, LONG_SOURCE, 37);
    for (int i = from; i < to; i++) {
        fill_batch(tokens, targets, LONG_N, 37, i);
        assert_int_equal(trainer_step(t, &b, last), MODEL_OK);
    }
}

static void steps_learn(void **state)
{
    (void)state;
    struct model_config c = medium();
    struct train_options o = options_for(LONG_BATCH, LONG_LENGTH);
    struct pool *pool = pool_create(2);
    struct trainer *t = make(&c, &o, pool);
    float first, last;
    run_steps(t, 0, 1, &first);
    assert_true(fabsf(first - logf(37.0f)) < 0.2f);
    run_steps(t, 1, 40, &last);
    assert_true(last < 0.5f * first);
    assert_int_equal(trainer_steps(t), 40);
    assert_true(fabsf(trainer_learning_rate(t) - o.min_lr) < 1e-6f);
    trainer_destroy(t);
    pool_destroy(pool);
}

static void compare_threads(const struct model_config *c)
{
    struct train_options o = options_for(LONG_BATCH, LONG_LENGTH);
    struct model_tensor *tensors;
    size_t n;
    float *one = NULL, loss;
    model_tensors(c, &tensors, &n);
    for (int threads = 1; threads <= 3; threads++) {
        struct pool *pool = pool_create(threads);
        struct trainer *t = make(c, &o, pool);
        run_steps(t, 0, 4, &loss);
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
    struct model_config c = medium();
    compare_threads(&c);
    for (int i = 0; i < N_VARIANTS; i++) {
        c = sized_as(VARIANTS[i].config, medium());
        compare_threads(&c);
    }
}

static void name_file(char *path, size_t n, const char *suffix)
{
    const char *dir = getenv("TMPDIR");
    snprintf(path, n, "%s/continuo-train-%ld.%s", dir ? dir : "/tmp", (long)getpid(),
             suffix);
}

static void compare_resumed(const struct model_config *c)
{
    struct train_options o = options_for(LONG_BATCH, LONG_LENGTH);
    struct pool *pool = pool_create(2);
    struct trainer *through = make(c, &o, pool), *before = make(c, &o, pool);
    char path[256], extra[32];
    float a, b;
    struct model_tensor *tensors;
    size_t n;
    model_tensors(c, &tensors, &n);
    name_file(path, sizeof path, "state");

    run_steps(through, 0, 6, &a);
    trainer_set_end(before, 40);
    run_steps(before, 0, 3, &b);
    assert_int_equal(trainer_save_state(before, path, "here"), MODEL_OK);
    trainer_destroy(before);

    struct trainer *after = make(c, &o, pool);
    assert_int_equal(trainer_load_state(after, path, extra, sizeof extra), MODEL_OK);
    assert_string_equal(extra, "here");
    assert_int_equal(trainer_steps(after), 3);
    run_steps(after, 3, 6, &b);
    assert_memory_equal(trainer_block(through), trainer_block(after),
                        n * sizeof(float));
    assert_memory_equal(&a, &b, sizeof a);

    unlink(path);
    free(tensors);
    trainer_destroy(through);
    trainer_destroy(after);
    pool_destroy(pool);
}

static void resuming_changes_no_bit(void **state)
{
    (void)state;
    struct model_config c = medium();
    compare_resumed(&c);
    for (int i = 0; i < N_VARIANTS; i += 3) {
        c = sized_as(VARIANTS[i].config, medium());
        compare_resumed(&c);
    }
}

static void another_run_is_refused(void **state)
{
    (void)state;
    struct model_config c = medium();
    struct train_options o = options_for(LONG_BATCH, LONG_LENGTH);
    struct pool *pool = pool_create(1);
    struct trainer *t = make(&c, &o, pool);
    char path[256], extra[32] = "untouched";
    name_file(path, sizeof path, "refused");
    assert_int_equal(trainer_save_state(t, path, "x"), MODEL_OK);
    o.lr *= 2;
    struct trainer *other = make(&c, &o, pool);
    assert_int_equal(trainer_load_state(other, path, extra, sizeof extra),
                     MODEL_BAD_RESUME);
    assert_int_equal(trainer_load_state(t, path, extra, 1), MODEL_BAD_RESUME);
    o.lr /= 2;
    c.activation = ACTIVATION_GELU; /* as many weights, but another model */
    struct trainer *third = make(&c, &o, pool);
    assert_int_equal(trainer_load_state(third, path, extra, sizeof extra),
                     MODEL_BAD_RESUME);
    trainer_destroy(third);
    assert_string_equal(extra, "untouched");
    unlink(path);
    assert_int_equal(trainer_load_state(t, path, extra, sizeof extra), MODEL_NO_FILE);
    trainer_destroy(t);
    trainer_destroy(other);
    pool_destroy(pool);
}

static const struct metadata about[] = {
    {"config",
     "{\"vocab\":37,\"context\":150,\"d_model\":24,\"n_heads\":3,\"n_layers\":2,"
     "\"d_ff\":70,\"activation\":\"relu\",\"position\":\"learned\",\"tied\":true}"},
};

/* What is written opens as a model, and training can begin from it. */
static void models_are_written_whole(void **state)
{
    (void)state;
    struct model_config c = medium();
    struct train_options o = options_for(LONG_BATCH, LONG_LENGTH);
    struct pool *pool = pool_create(1);
    struct trainer *t = make(&c, &o, pool), *again = NULL;
    struct model *m = NULL;
    char path[256];
    float loss;
    struct model_tensor *tensors;
    size_t n;
    model_tensors(&c, &tensors, &n);
    name_file(path, sizeof path, "safetensors");

    run_steps(t, 0, 2, &loss);
    assert_int_equal(trainer_save_model(t, path, about, 1), MODEL_OK);
    assert_int_equal(model_open(&m, path, NULL, 0), MODEL_OK);
    assert_int_equal(trainer_create(&again, &c, &o, m, pool), MODEL_OK);
    assert_memory_equal(trainer_block(t), trainer_block(again), n * sizeof(float));
    model_close(m);

    assert_int_equal(trainer_save_model_bf16(t, path, about, 1), MODEL_OK);
    assert_int_equal(model_open(&m, path, NULL, 0), MODEL_OK);
    const float *token = model_weights(m)->token;
    for (int i = 0; i < c.vocab * c.d_model; i++)
        assert_true(fabsf(token[i] - trainer_block(t)[i]) <=
                    fabsf(trainer_block(t)[i]) / 256.0f);
    model_close(m);

    unlink(path);
    free(tensors);
    trainer_destroy(t);
    trainer_destroy(again);
    pool_destroy(pool);
}

static void sources_are_asked_for(void **state)
{
    (void)state;
    struct model_config c = sized_as(VARIANTS[N_VARIANTS - 1].config, medium()),
                        plain = medium();
    struct train_options o = options_for(LONG_BATCH, LONG_LENGTH);
    struct pool *pool = pool_create(1);
    struct trainer *t = NULL;
    float loss;
    assert_int_equal(trainer_create(&t, &c, &o, NULL, pool), MODEL_BAD_CONFIG);
    o.source_length = LONG_SOURCE;
    assert_int_equal(trainer_create(&t, &plain, &o, NULL, pool), MODEL_BAD_CONFIG);
    t = make(&c, &o, pool);
    int32_t tokens[LONG_N], targets[LONG_N], sources[MOST_SOURCES], times[MOST_SOURCES];
    struct train_batch b = {.tokens = tokens, .targets = targets};
    fill_batch(tokens, targets, LONG_N, c.vocab, 0);
    fill_sources(sources, times, LONG_BATCH, LONG_SOURCE, c.vocab);
    assert_int_equal(trainer_step(t, &b, &loss), MODEL_NO_SOURCE);
    b.sources = sources;
    assert_int_equal(trainer_step(t, &b, &loss), MODEL_OK);
    sources[LONG_SOURCE] = -1; /* nothing in the second */
    assert_int_equal(trainer_step(t, &b, &loss), MODEL_NO_SOURCE);
    sources[LONG_SOURCE] = c.vocab;
    assert_int_equal(trainer_step(t, &b, &loss), MODEL_BAD_TOKEN);
    trainer_destroy(t);
    pool_destroy(pool);
}

static void bad_batches_are_refused(void **state)
{
    (void)state;
    struct model_config c = tiny();
    struct train_options o = options_for(BATCH, LENGTH);
    struct pool *pool = pool_create(1);
    struct trainer *t = make(&c, &o, pool), *none = NULL;
    int32_t tokens[N], targets[N];
    struct train_batch b = {.tokens = tokens, .targets = targets};
    float loss;
    fill_batch(tokens, targets, N, c.vocab, 0);
    tokens[3] = c.vocab;
    assert_int_equal(trainer_step(t, &b, &loss), MODEL_BAD_TOKEN);
    tokens[3] = -1;
    assert_int_equal(trainer_step(t, &b, &loss), MODEL_BAD_TOKEN);
    tokens[3] = 0;
    targets[N - 1] = c.vocab;
    assert_int_equal(trainer_step(t, &b, &loss), MODEL_BAD_TOKEN);
    assert_int_equal(trainer_steps(t), 0);
    o.length = c.context + 1;
    assert_int_equal(trainer_create(&none, &c, &o, NULL, pool), MODEL_TOO_LONG);
    o.length = 1 << 30;
    assert_int_equal(trainer_create(&none, &c, &o, NULL, pool), MODEL_TOO_LONG);
    trainer_destroy(t);
    pool_destroy(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradients_match_finite_differences),
        cmocka_unit_test(gradients_of_the_variants_too),
        cmocka_unit_test(gradients_of_every_variant),
        cmocka_unit_test(gradients_hold_across_blocks_and_tiles),
        cmocka_unit_test(bf16_gradients_point_the_same_way),
        cmocka_unit_test(steps_learn),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(resuming_changes_no_bit),
        cmocka_unit_test(another_run_is_refused),
        cmocka_unit_test(models_are_written_whole),
        cmocka_unit_test(sources_are_asked_for),
        cmocka_unit_test(bad_batches_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
