/* What tests of attention share: every head of a model. */
#ifndef TESTS_MODEL_ATTENTION_FIXTURE_H
#define TESTS_MODEL_ATTENTION_FIXTURE_H

#include "model/decoder/attention_probe.h"
#include "tests/model/decoder_fixture.h"

enum { READ = 150, LD = 300, HEADS = 3, LAYERS = 2 };

/* Head i of all that the model has; false: there are no more. */
static inline bool nth_head(const struct fixture *b, int i, struct attention_head *h)
{
    int n_kinds = b->model->config.n_encoder_layers ? 2 : 1;
    *h = (struct attention_head){(enum attention_kind)(i / (LAYERS * HEADS)),
                                 i / HEADS % LAYERS, i % HEADS};
    return i < n_kinds * LAYERS * HEADS;
}

/* [n][LD], to be freed. */
static inline float *all_rows(struct decoder *d, struct attention_head h, int n)
{
    float *weights = calloc((size_t)READ * LD, sizeof *weights);
    assert_non_null(weights);
    assert_ok(attention_rows(d, h, 0, n, weights, LD));
    return weights;
}

#endif
