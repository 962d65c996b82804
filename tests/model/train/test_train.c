/* What the trainer's steps promise: they learn, they resume to the same bits, they do not
 * depend on the number of threads; and what is written is whole. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "model/weights/safetensors.h"
#include "tests/model/train/training.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

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
    trainer_set_end(before, 40, 0);
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
    o.seed++;
    struct trainer *other = make(&c, &o, pool);
    assert_int_equal(trainer_load_state(other, path, extra, sizeof extra),
                     MODEL_BAD_RESUME);
    assert_int_equal(trainer_load_state(t, path, extra, 1), MODEL_BAD_RESUME);
    o.seed--;
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
