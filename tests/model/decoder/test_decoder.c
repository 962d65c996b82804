/* The decoder, at every level of kernels, against the same model written out plainly in double
 * precision, then its promises: a step continues what prefill began, and what cannot be is
 * refused. */
#include "tests/check.h"
#include "tests/model/decoder_fixture.h"
#include "tests/model/reference.h"

/* Odd sizes: tails of vectors, tiles and chunks all occur. */
static const struct model_config SMALL = {SIZES(37, 300, 42, 3, 2, 90),
                                          .position = POSITION_LEARNED, .tied = true};
enum { STEPS = 20 };

static void assert_near(const float *a, const float *b, int n)
{
    for (int i = 0; i < n; i++)
        assert_float_equal(a[i], b[i], 1e-4);
}

static void compare_with_reference(const struct model_config *c, int n)
{
    auto_free double *wanted = NULL;
    FOR_LEVELS(level)
    {
        auto_fixture b = set_up(c, 2);
        float *logits = make_logits(&b, n);
        auto_free double *block = ref_block(b.model);
        double spread = 0;
        struct ref_sequence s = {b.tokens, b.times, n};
        struct ref_sequence source = {b.source, b.source_times, SOURCE};
        if (!wanted)
            wanted = reference(c, block, &s, c->n_encoder_layers ? &source : NULL);
        read_at_once(&b, b.decoder, 0, n, true, logits);
        assert_int_equal(decoder_length(b.decoder), n);
        for (int i = 0; i < n * c->vocab; i++) {
            assert_true(fabs(logits[i] - wanted[i]) < 1e-4);
            spread = fmax(spread, fabs(wanted[i]));
        }
        assert_true(spread > 1); /* logits that say something */
    }
}

TEST(prefill_gives_the_reference)
{
    for (int i = 0; i < N_VARIANTS; i++)
        compare_with_reference(&VARIANTS[i].config, i % 3 ? 150 : N);
    compare_with_reference(&SMALL, N);
    compare_with_reference(&MEDIUM, 100);
}

static void compare_steps_with_prefill(const struct model_config *c)
{
    enum { PREFIX = 140, END = PREFIX + STEPS };
    auto_fixture b = set_up(c, 2);
    float *all = make_logits(&b, END), *steps = make_logits(&b, STEPS),
          *one = make_logits(&b, 1);
    read_at_once(&b, b.decoder, 0, END, true, all);
    for (int from = 0; from <= PREFIX; from += PREFIX) {
        decoder_truncate(b.decoder, from);
        read_in_steps(&b, b.decoder, from, from + STEPS, steps);
        assert_near(steps, row_of(&b, all, from), STEPS * b.vocab);
        decoder_truncate(b.decoder, 0);
        read_at_once(&b, b.decoder, 0, PREFIX, false, one);
        assert_near(one, row_of(&b, all, PREFIX - 1), b.vocab);
    }
}

/* Steps from the very first token, and after a prefill, give what prefill does. */
TEST(steps_give_what_prefill_does)
{
    FOR_LEVELS(level)
    {
        compare_steps_with_prefill(&SMALL);
        compare_steps_with_prefill(&MEDIUM);
        for (int i = 0; i < N_VARIANTS; i++)
            compare_steps_with_prefill(&VARIANTS[i].config);
    }
}

TEST(without_a_source_an_encoder_is_refused)
{
    const struct model_config *c = &VARIANTS[N_VARIANTS - 1].config;
    atomic_bool stop = true;
    auto_fixture b = set_up(c, 1);
    int32_t bad = c->vocab;
    assert_int_equal(decoder_encode(b.decoder, &bad, NULL, 1), MODEL_BAD_TOKEN);
    assert_int_equal(decoder_encode(b.decoder, b.source, NULL, 0), MODEL_NO_SOURCE);
    decoder_set_cancel(b.decoder, &stop);
    assert_int_equal(decoder_encode(b.decoder, b.source, NULL, 9), MODEL_CANCELLED);
    decoder_set_cancel(b.decoder, NULL);
    assert_int_equal(decoder_step(b.decoder, 1, 0, NULL), MODEL_NO_SOURCE);
    for (int i = 0; i < 2; i++) { /* a source begins anew */
        assert_ok(decoder_encode(b.decoder, b.source, NULL, 1));
        assert_int_equal(decoder_length(b.decoder), 0);
        assert_ok(decoder_step(b.decoder, 1, 0, NULL));
    }
}

TEST(what_does_not_fit_is_refused)
{
    auto_fixture b = set_up(&SMALL, 1);
    float *logits = make_logits(&b, 1);
    int32_t bad[2] = {1, SMALL.vocab};
    assert_int_equal(decoder_prefill(b.decoder, bad, NULL, 2, false, NULL),
                     MODEL_BAD_TOKEN);
    assert_int_equal(decoder_step(b.decoder, -1, 7, logits), MODEL_BAD_TOKEN);
    assert_int_equal(decoder_prefill(b.decoder, b.tokens, b.times, -1, false, NULL),
                     MODEL_TOO_LONG);
    assert_int_equal(decoder_encode(b.decoder, b.source, b.source_times, SOURCE),
                     MODEL_NO_SOURCE);
    assert_int_equal(decoder_length(b.decoder), 0);

    read_at_once(&b, b.decoder, 0, N, false, NULL);
    assert_int_equal(decoder_prefill(b.decoder, b.tokens, b.times,
                                     SMALL.context - N + 1, false, NULL),
                     MODEL_TOO_LONG);
    decoder_truncate(b.decoder, SMALL.context); /* not shorter: nothing */
    assert_int_equal(decoder_length(b.decoder), N);
    while (decoder_length(b.decoder) < SMALL.context)
        assert_ok(decoder_step(b.decoder, 1, 7, logits));
    assert_int_equal(decoder_step(b.decoder, 1, 7, logits), MODEL_TOO_LONG);
}
