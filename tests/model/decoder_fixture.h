/* A decoder with all it stands on, for tests: a random model whose outputs say
 * something, a pool, tokens with their times, and a source for those that need one. */
#ifndef TESTS_MODEL_DECODER_FIXTURE_H
#define TESTS_MODEL_DECODER_FIXTURE_H

#include "model/base/cpu_level.h"
#include "tests/check.h"
#include "tests/model/auto.h"
#include "tests/model/variants.h"

/* More than a chunk, and more than four tiles. */
enum { N = 290, SOURCE = 270 };

static const struct model_precision F32 = {WEIGHTS_F32, CACHE_F32};

/* Large enough that a step is shared out over the pool. */
static const struct model_config MEDIUM = {SIZES(300, 200, 192, 4, 2, 400),
                                           .activation = ACTIVATION_GELU};

/* The weights of a random model are too alike for a test: every one is moved a
 * lot. The decoder only ever reads them. */
static inline struct model *make_model(const struct model_config *c)
{
    struct model *m = NULL;
    assert_ok(model_random(&m, c, 7));
    m->state_kind = &TOY_STATE;
    float *w = (float *)(uintptr_t)m->weights.token;
    uint32_t x = 12345;
    for (size_t i = 0; i < m->n_parameters; i++) {
        x = x * 1664525u + 1013904223u;
        w[i] += ((float)(x >> 8) / 0x1p24f - 0.5f) * 0.5f;
    }
    return m;
}

/* A decoder with all it stands on. */
enum { FIXTURE_MOST = 2 * DECODER_MAX_BATCH + 4 };

struct fixture {
    struct model *model;
    struct pool *pool;
    struct decoder *decoder;
    int32_t tokens[N], times[N], source[SOURCE], source_times[SOURCE];
    int vocab;
    /* What make_logits and make_decoder gave goes with the rest. */
    float *logits[FIXTURE_MOST];
    struct decoder *decoders[FIXTURE_MOST];
    int n_logits, n_decoders;
};

static inline struct fixture set_up_at(const struct model_config *c, int n_threads,
                                       struct model_precision precision)
{
    struct fixture b = {.model = make_model(c), .vocab = c->vocab};
    b.model->precision = precision;
    b.pool = pool_create(n_threads);
    assert_non_null(b.pool);
    assert_ok(decoder_create(&b.decoder, b.model, b.pool));
    for (int i = 0; i < N; i++)
        b.tokens[i] = (i * i * 7 + i * 13 + 5) % c->vocab;
    variant_times(b.times, N);
    for (int i = 0; i < SOURCE; i++) {
        b.source[i] = (i * 5 + i / 3) % c->vocab;
        b.source_times[i] = b.times[i] + 3;
    }
    if (c->n_encoder_layers)
        assert_ok(decoder_encode(b.decoder, b.source, b.source_times, SOURCE));
    return b;
}

static inline struct fixture set_up(const struct model_config *c, int n_threads)
{
    return set_up_at(c, n_threads, F32);
}

static inline void tear_down(struct fixture *b)
{
    for (int i = 0; i < b->n_logits; i++)
        free(b->logits[i]);
    for (int i = 0; i < b->n_decoders; i++)
        decoder_destroy(b->decoders[i]);
    decoder_destroy(b->decoder);
    pool_destroy(b->pool);
    model_close(b->model);
    *b = (struct fixture){0};
}

#define auto_fixture      __attribute__((cleanup(tear_down))) struct fixture

/* At each level that this processor has: the lower ones by their names, its own, with what is in
 * no level, as it is used. */
#define FOR_LEVELS(level) for (int level = 0; begin_level(level); level++)

static inline bool begin_level(int level)
{
    const int own = (int)cpu_level_of_processor();
    if (level < own)
        setenv("CONTINUO_KERNELS", cpu_level_name(level), 1);
    else
        unsetenv("CONTINUO_KERNELS");
    return level <= own;
}

/* Zeros [n, vocab], until tear_down. */
static inline float *make_logits(struct fixture *b, int n)
{
    float *logits = calloc((size_t)n * (size_t)b->vocab, sizeof *logits);
    assert_non_null(logits);
    assert_in_range(b->n_logits, 0, FIXTURE_MOST - 1);
    return b->logits[b->n_logits++] = logits;
}

/* Another decoder of the model, until tear_down. */
static inline struct decoder *make_decoder(struct fixture *b)
{
    assert_in_range(b->n_decoders, 0, FIXTURE_MOST - 1);
    struct decoder **d = &b->decoders[b->n_decoders++];
    assert_ok(decoder_create(d, b->model, b->pool));
    return *d;
}

/* Each variant v in turn, in a fixture b. */
#define FOR_VARIANTS(v, b, n_threads, precision)                                       \
    for (int v = 0; v < N_VARIANTS; v++)                                               \
        for (struct fixture b = set_up_at(&VARIANTS[v].config, n_threads, precision);  \
             (b).model; tear_down(&(b)))

/* The last that make_logits gave outlives the fixture: the caller frees it. */
static inline float *take_logits(struct fixture *b)
{
    return b->logits[--b->n_logits];
}

/* Row i of logits. */
static inline float *row_of(const struct fixture *b, float *logits, int i)
{
    return logits + (size_t)i * (size_t)b->vocab;
}

/* d reads the fixture's tokens [from, to) at once; all: logits [to - from, vocab], else
 * [vocab] of the last, or NULL. */
static inline void read_at_once(const struct fixture *b, struct decoder *d, int from,
                                int to, bool all, float *logits)
{
    assert_ok(
        decoder_prefill(d, b->tokens + from, b->times + from, to - from, all, logits));
}

/* The same in steps; logits [to - from, vocab], or NULL. */
static inline void read_in_steps(const struct fixture *b, struct decoder *d, int from,
                                 int to, float *logits)
{
    for (int i = from; i < to; i++)
        assert_ok(decoder_step(d, b->tokens[i], b->times[i],
                               logits ? row_of(b, logits, i - from) : NULL));
}

/* Two decoders' logits of n rows are the same bits. */
static inline void assert_same_logits(const struct fixture *b, const float *one,
                                      const float *other, int n)
{
    assert_memory_equal(one, other, (size_t)n * (size_t)b->vocab * sizeof *one);
}

#endif
