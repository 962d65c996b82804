/* Small models to train, and something to train them on. */
#ifndef TESTS_MODEL_TRAINING_H
#define TESTS_MODEL_TRAINING_H

#include "tests/check.h"
#include "tests/model/auto.h"
#include "tests/model/random.h"
#include "tests/model/variants.h"

/* Sizes that divide nothing: tails of vectors, blocks and tiles all occur. */
enum { SHORT_BATCH = 2, SHORT_LENGTH = 7, SHORT_N = SHORT_BATCH * SHORT_LENGTH };

static inline struct model_config tiny(void)
{
    return (struct model_config){SIZES(11, 9, 6, 2, 2, 10),
                                 .position = POSITION_LEARNED, .tied = true};
}

static inline struct train_options options_for(int batch, int length)
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
static inline void fill_batch(int32_t *tokens, int32_t *targets, int n, int vocab,
                              int salt)
{
    for (int i = 0; i < n; i++)
        tokens[i] = (int32_t)(((uint32_t)i * 3u + (uint32_t)(i / 5) * 7u +
                               (uint32_t)salt * 5u) %
                              (uint32_t)vocab);
    for (int i = 0; i < n; i++)
        targets[i] = i % 6 == 5 ? -1 : (tokens[i] + 2) % vocab;
}

static inline void fill_times(int32_t *times, int n)
{
    for (int i = 0; i < n; i++)
        times[i] = i * i * 5 % 23 - (i % SHORT_LENGTH == 2 ? 90 : 0) + i * 40 % 300;
}

/* What an encoder reads: sources that end at different places. */
enum { SHORT_SOURCE = 5, LONG_SOURCE = 130, MOST_SOURCES = 3 * LONG_SOURCE };

static inline int source_length(int length)
{
    return length == SHORT_LENGTH ? SHORT_SOURCE : LONG_SOURCE;
}

/* A source for each of some rows, in `sources` and `times`. */
static inline void fill_sources(int32_t *sources, int32_t *times, int batch, int n,
                                int vocab)
{
    for (int i = 0; i < batch * n; i++) {
        int row = i / n, at = i % n;
        sources[i] = at < n - row * n / 3 ? (i * 5 + i / 3) % vocab : -1;
        times[i] = at * 7 + at * at % 11 - 20 * row;
    }
}

/* A variant in the sizes of another configuration. */
static inline struct model_config sized_as(struct model_config c,
                                           struct model_config sizes)
{
    c.vocab = sizes.vocab;
    c.context = sizes.context;
    c.d_model = sizes.d_model;
    c.n_heads = sizes.n_heads;
    c.n_layers = sizes.n_layers;
    c.d_ff = sizes.d_ff;
    if (c.max_distance > c.context)
        c.max_distance = c.context;
    return c;
}

enum { LONG_BATCH = 3, LONG_LENGTH = 150, LONG_N = LONG_BATCH * LONG_LENGTH };

static inline struct model_config medium(void)
{
    return (struct model_config){SIZES(37, LONG_LENGTH, 24, 3, 2, 70),
                                 .position = POSITION_LEARNED, .tied = true};
}

static inline struct model_config with_encoder(void)
{
    return sized_as(VARIANTS[N_VARIANTS - 1].config, medium());
}

/* A batch and its memory. */
struct lesson {
    int32_t tokens[LONG_N], targets[LONG_N], times[LONG_N], sources[MOST_SOURCES],
        source_times[MOST_SOURCES];
    struct train_batch batch;
};

/* A batch of either size, without times. */
static inline const struct train_batch *lesson_fill(struct lesson *l, int batch,
                                                    int length, int vocab, int salt)
{
    fill_batch(l->tokens, l->targets, batch * length, vocab, salt);
    fill_sources(l->sources, l->source_times, batch, source_length(length), vocab);
    l->batch =
        (struct train_batch){l->tokens, l->targets, NULL, l->sources, l->source_times};
    return &l->batch;
}

/* A trainer with all it stands on. */
struct school {
    struct pool *pool;
    struct trainer *trainer;
    float *block;    /* the trainer's weights, */
    size_t n_floats; /* so many */
    struct model_tensor *tensors;
    size_t n_tensors;
};

static inline struct trainer *make(const struct model_config *c,
                                   const struct train_options *o, struct pool *pool)
{
    struct trainer *t = NULL;
    struct train_options own = *o;
    own.state = &TOY_STATE;
    own.source_length = c->n_encoder_layers ? source_length(o->length) : 0;
    assert_ok(trainer_create(&t, c, &own, NULL, pool));
    return t;
}

static inline struct school school_begin(const struct model_config *c,
                                         const struct train_options *o, int n_threads)
{
    struct school s = {.pool = pool_create(n_threads)};
    assert_non_null(s.pool);
    s.trainer = make(c, o, s.pool);
    s.block = trainer_block(s.trainer);
    s.n_tensors = model_tensors(c, NULL, &s.tensors, &s.n_floats);
    return s;
}

static inline void school_end(struct school *s)
{
    trainer_destroy(s->trainer);
    pool_destroy(s->pool);
    free(s->tensors);
}

#define auto_school __attribute__((cleanup(school_end))) struct school

/* Weights far from their small beginnings, so that every path carries weight. */
static inline void stir(float *w, size_t n, float by)
{
    for (size_t i = 0; i < n; i++)
        w[i] += by * random_number();
}

#endif
