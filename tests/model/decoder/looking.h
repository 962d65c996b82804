/* What tests of attention share: every head of a model, and reading token by token. */
#ifndef TESTS_MODEL_LOOKING_H
#define TESTS_MODEL_LOOKING_H

#include "model/decoder/attention.h"
#include "tests/model/decoder_bench.h"

#include <stdlib.h>

enum { READ = 150, LD = 300, HEADS = 3, LAYERS = 2 };

/* Head i of all that the model has; false: there are no more. */
static inline bool nth_head(const struct bench *b, int i, struct attention_head *h)
{
    int n_kinds = model_config(b->model)->n_encoder_layers ? 2 : 1;
    *h = (struct attention_head){(enum attention_of)(i / (LAYERS * HEADS)),
                                 i / HEADS % LAYERS, i % HEADS};
    return i < n_kinds * LAYERS * HEADS;
}

static inline void read_in_steps(const struct bench *b, struct decoder *d, int from,
                                 int to)
{
    for (int i = from; i < to; i++)
        assert_int_equal(decoder_step(d, b->tokens[i], b->times[i], NULL), MODEL_OK);
}

/* [n][LD], to be freed. */
static inline float *all_rows(struct decoder *d, struct attention_head h, int n)
{
    float *weights = calloc((size_t)READ * LD, sizeof *weights);
    assert_non_null(weights);
    assert_int_equal(attention_rows(d, h, 0, n, weights, LD), MODEL_OK);
    return weights;
}

#endif
