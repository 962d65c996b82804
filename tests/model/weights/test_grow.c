/* A grown model says what the smaller one said, until it learns. */
#include "model/weights/grow.h"
#include "tests/model/draft.h"
#include "tests/model/variants.h"

enum { SMALL = 20, LARGE = 31, LENGTH = 12 };

static struct model_config config(int vocab, enum model_time time)
{
    return (struct model_config){SIZES(vocab, 16, 16, 2, 2, 24),
                                 .position = POSITION_LEARNED, .time = time,
                                 .tied = true};
}

static void run(const struct model *m, struct pool *pool, float *logits)
{
    int32_t ids[LENGTH], times[LENGTH];
    auto_decoder *d = NULL;
    for (int i = 0; i < LENGTH; i++) {
        ids[i] = i * 7 % SMALL;
        times[i] = i * i * 5 - 40;
    }
    assert_ok(decoder_create(&d, m, pool));
    assert_ok(decoder_prefill(d, ids, times, LENGTH, true, logits));
}

/* Through the trainer and a file, as it is done. */
static struct model *grown(const struct model *from, const struct model_config *c,
                           const int32_t *like, struct pool *pool)
{
    const struct train_options o = {.batch = 1,
                                    .length = 8,
                                    .max_steps = 1,
                                    .lr = 1e-3f,
                                    .like = like,
                                    .state = &TOY_STATE};
    const char *path = temp_path("grown");
    auto_trainer *t = NULL;
    assert_ok(trainer_create(&t, c, &o, from, pool));
    auto_free char *json = model_config_json(c);
    const struct metadata metadata[] = {{"config", json}};
    assert_ok(trainer_save_model(t, path, false, metadata, 1));
    struct model *m = open_model(path);
    m->state_kind = &TOY_STATE;
    return m;
}

TEST(a_grown_model_says_the_same)
{
    auto_pool *pool = pool_create(1);
    struct model_config small = config(SMALL, TIME_NONE);
    float before[LENGTH * SMALL], after[LENGTH * LARGE];
    auto_model *m = random_model(&small, 3);
    run(m, pool, before);
    for (int kind = 0; kind < 16; kind++) {
        struct model_config large = config(LARGE, kind & 1 ? TIME_BUCKETS : TIME_NONE);
        large.tied = kind & 2;
        large.state = kind & 4 ? TOY_ROWS : 0;
        large.values = kind & 8;
        auto_model *g = grown(m, &large, NULL, pool);
        run(g, pool, after);
        for (int i = 0; i < LENGTH; i++)
            for (int k = 0; k < SMALL; k++)
                assert_true(fabsf(before[i * SMALL + k] - after[i * LARGE + k]) <
                            1e-5f);
    }
}

/* Copies of layers add nothing, in front of, between and behind the others. */
TEST(more_layers_say_the_same)
{
    auto_pool *pool = pool_create(1);
    struct model_config small = config(LARGE, TIME_BUCKETS);
    float before[LENGTH * LARGE], after[LENGTH * LARGE];
    small.n_layers = 3;
    small.values = true;
    auto_model *m = random_model(&small, 3);
    run(m, pool, before);
    for (int n = 3; n <= 7; n++) {
        struct model_config large = small;
        large.n_layers = n;
        assert_true(model_grows_into(&small, &large));
        auto_model *g = grown(m, &large, NULL, pool);
        run(g, pool, after);
        for (int i = 0; i < LENGTH * LARGE; i++)
            assert_true(fabsf(before[i] - after[i]) < 1e-5f);
    }
    struct model_config fewer = small, post = small;
    fewer.n_layers = 2;
    assert_false(model_grows_into(&small, &fewer));
    small.norm = post.norm = NORM_POST;
    post.n_layers = 6;
    assert_false(model_grows_into(&small, &post));
}

/* Also to the values of one that a trained model knows. */
TEST(values_begin_like_anothers)
{
    auto_pool *pool = pool_create(1);
    struct model_config small = config(SMALL, TIME_NONE), large;
    int32_t like[LARGE];
    small.values = true;
    large = small;
    large.vocab = LARGE;
    auto_model *m = random_model(&small, 3);
    const size_t d = (size_t)small.d_model;
    float *was = (float *)(uintptr_t)m->weights.layers[1].value_embedding;
    for (size_t i = 0; i < SMALL * d; i++)
        was[i] = (float)i;
    for (int i = 0; i < LARGE; i++)
        like[i] = i == SMALL + 2 || i == 4 ? 7 : -1;
    auto_model *g = grown(m, &large, like, pool); /* 4 is not new */
    const float *is = g->weights.layers[1].value_embedding;
    assert_memory_equal(is, was, SMALL * d * sizeof *is);
    assert_memory_equal(is + (SMALL + 2) * d, was + 7 * d, d * sizeof *is);
    assert_true(is[(SMALL + 3) * d] == 0.0f);
}

/* Distance of two tokens' embeddings. */
static float apart(const struct model *m, int a, int b)
{
    const int d = m->config.d_model;
    const float *rows = m->weights.token;
    float sum = 0;
    for (int i = 0; i < d; i++) {
        float x = rows[a * d + i] - rows[b * d + i];
        sum += x * x;
    }
    return sqrtf(sum);
}

TEST(a_new_token_begins_like_another)
{
    auto_pool *pool = pool_create(1);
    struct model_config small = config(SMALL, TIME_NONE),
                        large = config(LARGE, TIME_NONE);
    int32_t like[LARGE];
    auto_model *m = random_model(&small, 3);
    auto_model *plain = grown(m, &large, NULL, pool);
    for (int i = 0; i < LARGE; i++)
        like[i] = i == SMALL + 2 || i == 4 ? 7 : -1;
    auto_model *g = grown(m, &large, like, pool); /* 4 is not new */
    assert_true(apart(g, SMALL + 2, 7) < 0.9f * apart(plain, SMALL + 2, 7));
    assert_true(apart(g, 4, 7) == apart(plain, 4, 7));
    assert_true(apart(g, SMALL + 3, 7) == apart(plain, SMALL + 3, 7));
    large.tied = false;
    auto_model *untied = grown(m, &large, like, pool); /* its own head is new */
    assert_true(apart(untied, 4, 7) < 0.9f * apart(plain, 4, 7));
}

TEST(other_shapes_are_not_grown_into)
{
    const struct model_config small = config(SMALL, TIME_NONE);
    struct model_config turns = config(LARGE, TIME_ROTARY), wide = small, other;
    struct model_config larger[] = {config(LARGE, TIME_BUCKETS), small, small};
    larger[1].tied = false;
    larger[2].state = TOY_ROWS;
    larger[2].values = true;
    assert_true(model_grows_into(&small, &small));
    for (int i = 0; i < 3; i++) {
        assert_true(model_grows_into(&small, &larger[i]));
        assert_false(model_grows_into(&larger[i], &small));
    }
    other = larger[2];
    other.state++;
    assert_false(model_grows_into(&larger[2], &other));
    assert_false(model_grows_into(&small, &turns));
    wide.d_ff++;
    assert_false(model_grows_into(&small, &wide));
}
