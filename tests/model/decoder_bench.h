/* A decoder with all it stands on, for tests: a random model whose outputs say
 * something, a pool, tokens with their times, and a source for those that need one. */
#ifndef TESTS_MODEL_DECODER_BENCH_H
#define TESTS_MODEL_DECODER_BENCH_H

#include "model/decoder/decoder.h"
#include "tests/model/variants.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

/* More than a chunk, and more than four tiles. */
enum { N = 290, SOURCE = 270 };

/* Large enough that a step is shared out over the pool. */
static const struct model_config MEDIUM = {
    .vocab = 300,
    .context = 200,
    .d_model = 192,
    .n_heads = 4,
    .n_layers = 2,
    .d_ff = 400,
    .activation = ACTIVATION_GELU,
    .position = POSITION_NONE,
    .tied = false,
};

/* The weights of a random model are too alike for a test: every one is moved a
 * lot. The decoder only ever reads them. */
static inline struct model *make_model(const struct model_config *c)
{
    struct model *m = NULL;
    assert_int_equal(model_random(&m, c, 7), MODEL_OK);
    model_set_state_kind(m, &TOY_STATE);
    float *w = (float *)(uintptr_t)model_weights(m)->token;
    uint32_t x = 12345;
    for (size_t i = 0; i < model_n_parameters(m); i++) {
        x = x * 1664525u + 1013904223u;
        w[i] += ((float)(x >> 8) / 0x1p24f - 0.5f) * 0.5f;
    }
    return m;
}

static inline void fill(int32_t *tokens, int n, int vocab)
{
    for (int i = 0; i < n; i++)
        tokens[i] = (i * i * 7 + i * 13 + 5) % vocab;
}

/* A decoder with all it stands on. */
struct bench {
    struct model *model;
    struct pool *pool;
    struct decoder *decoder;
    int32_t tokens[N], times[N], source[SOURCE], source_times[SOURCE];
    int vocab;
};

static inline void set_up_at(struct bench *b, const struct model_config *c,
                             int n_threads, struct model_precision precision)
{
    *b = (struct bench){.model = make_model(c), .vocab = c->vocab};
    model_set_precision(b->model, precision);
    b->pool = pool_create(n_threads);
    assert_non_null(b->pool);
    assert_int_equal(decoder_create(&b->decoder, b->model, b->pool), MODEL_OK);
    fill(b->tokens, N, c->vocab);
    variant_times(b->times, N);
    for (int i = 0; i < SOURCE; i++) {
        b->source[i] = (i * 5 + i / 3) % c->vocab;
        b->source_times[i] = b->times[i] + 3;
    }
    if (c->n_encoder_layers)
        assert_int_equal(decoder_encode(b->decoder, b->source, b->source_times, SOURCE),
                         MODEL_OK);
}

static inline void set_up(struct bench *b, const struct model_config *c, int n_threads)
{
    set_up_at(b, c, n_threads, (struct model_precision){WEIGHTS_F32, CACHE_F32});
}

static inline void tear_down(struct bench *b)
{
    decoder_destroy(b->decoder);
    pool_destroy(b->pool);
    model_close(b->model);
}

static inline float *make_logits(const struct bench *b, int n)
{
    float *logits = calloc((size_t)n * (size_t)b->vocab, sizeof *logits);
    assert_non_null(logits);
    return logits;
}

#endif
