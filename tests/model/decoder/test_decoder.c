/* The decoder against the same model written out plainly in double precision,
 * then its promises: a step continues what prefill began, forgetting is exact,
 * a cancelled call changes nothing, threads change no bit. */
#include "model/decoder/decoder.h"
#include "tests/model/decoder_bench.h"
#include "tests/model/reference.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Odd sizes: tails of vectors, tiles and chunks all occur. */
static const struct model_config SMALL = {
    .vocab = 37,
    .context = 300,
    .d_model = 42,
    .n_heads = 3,
    .n_layers = 2,
    .d_ff = 90,
    .activation = ACTIVATION_RELU,
    .position = POSITION_LEARNED,
    .tied = true,
};
enum { STEPS = 20 };

static void assert_near(const float *a, const float *b, int n)
{
    for (int i = 0; i < n; i++)
        assert_float_equal(a[i], b[i], 1e-4);
}

static void compare_with_reference(const struct model_config *c, int n)
{
    struct bench b;
    set_up(&b, c, 2);
    float *logits = make_logits(&b, n);
    double *block = ref_block(b.model), spread = 0;
    struct ref_sequence s = {b.tokens, b.times, n};
    struct ref_sequence source = {b.source, b.source_times, SOURCE};
    double *wanted = reference(c, block, &s, c->n_encoder_layers ? &source : NULL);
    assert_int_equal(decoder_prefill(b.decoder, b.tokens, b.times, n, true, logits),
                     MODEL_OK);
    assert_int_equal(decoder_length(b.decoder), n);
    for (int i = 0; i < n * c->vocab; i++) {
        assert_true(fabs(logits[i] - wanted[i]) < 1e-4);
        spread = fmax(spread, fabs(wanted[i]));
    }
    assert_true(spread > 1); /* logits that say something */
    free(block);
    free(wanted);
    free(logits);
    tear_down(&b);
}

static void prefill_gives_the_reference(void **state)
{
    (void)state;
    for (int i = 0; i < N_VARIANTS; i++)
        compare_with_reference(&VARIANTS[i].config, i % 3 ? 150 : N);
    compare_with_reference(&SMALL, N);
    compare_with_reference(&MEDIUM, 100);
}

static void compare_steps_with_prefill(const struct model_config *c)
{
    enum { PREFIX = 140, END = PREFIX + STEPS };
    struct bench b;
    set_up(&b, c, 2);
    float *all = make_logits(&b, END), *one = make_logits(&b, 1);
    decoder_prefill(b.decoder, b.tokens, b.times, END, true, all);
    for (int from = 0; from <= PREFIX; from += PREFIX) {
        decoder_truncate(b.decoder, from);
        for (int t = from; t < from + STEPS; t++) {
            assert_int_equal(decoder_step(b.decoder, b.tokens[t], b.times[t], one),
                             MODEL_OK);
            assert_near(one, all + (size_t)t * (size_t)b.vocab, b.vocab);
        }
        decoder_truncate(b.decoder, 0);
        decoder_prefill(b.decoder, b.tokens, b.times, PREFIX, false, one);
        assert_near(one, all + (size_t)(PREFIX - 1) * (size_t)b.vocab, b.vocab);
    }
    free(all);
    free(one);
    tear_down(&b);
}

/* Steps from the very first token, and after a prefill, give what prefill does. */
static void steps_give_what_prefill_does(void **state)
{
    (void)state;
    compare_steps_with_prefill(&SMALL);
    compare_steps_with_prefill(&MEDIUM);
    for (int i = 0; i < N_VARIANTS; i++)
        compare_steps_with_prefill(&VARIANTS[i].config);
}

/* No output depends on a later token: the rest of the sequence may be anything. */
static void the_future_is_not_seen(void **state)
{
    (void)state;
    enum { KNOWN = 130, ALL = 200 };
    for (int i = 0; i < N_VARIANTS; i++) {
        struct bench b;
        set_up(&b, &VARIANTS[i].config, 1);
        float *one = make_logits(&b, ALL), *other = make_logits(&b, ALL);
        decoder_prefill(b.decoder, b.tokens, b.times, ALL, true, one);
        decoder_truncate(b.decoder, 0);
        for (int t = KNOWN; t < ALL; t++) {
            b.tokens[t] = (b.tokens[t] + 1 + t % 5) % b.vocab;
            b.times[t] += t * 31 % 70;
        }
        decoder_prefill(b.decoder, b.tokens, b.times, ALL, true, other);
        assert_memory_equal(one, other, (size_t)KNOWN * (size_t)b.vocab * sizeof *one);
        assert_memory_not_equal(one + KNOWN * b.vocab, other + KNOWN * b.vocab,
                                (size_t)b.vocab * sizeof *one);
        free(one);
        free(other);
        tear_down(&b);
    }
}

static void what_was_forgotten_leaves_no_trace(void **state)
{
    (void)state;
    struct bench b;
    set_up(&b, &SMALL, 1);
    float *fresh = make_logits(&b, 1), *again = make_logits(&b, 1);
    decoder_prefill(b.decoder, b.tokens, b.times, 100, false, NULL);
    decoder_prefill(b.decoder, b.tokens, b.times, 30, false, NULL);
    decoder_step(b.decoder, 3, 7, fresh);

    decoder_prefill(b.decoder, b.tokens + 40, b.times + 40, 50, false, NULL);
    decoder_truncate(b.decoder, 100);
    assert_int_equal(decoder_length(b.decoder), 100);
    decoder_truncate(b.decoder, 200); /* not shorter: nothing */
    assert_int_equal(decoder_length(b.decoder), 100);
    decoder_prefill(b.decoder, b.tokens, b.times, 30, false, NULL);
    decoder_step(b.decoder, 3, 7, again);
    assert_memory_equal(fresh, again, (size_t)b.vocab * sizeof *fresh);
    free(fresh);
    free(again);
    tear_down(&b);
}

static void a_source_changes_what_is_said(void **state)
{
    (void)state;
    for (int i = 0; i < N_VARIANTS; i++) {
        struct bench b;
        int n_layers = VARIANTS[i].config.n_encoder_layers;
        set_up(&b, &VARIANTS[i].config, 2);
        float *one = make_logits(&b, 1), *other = make_logits(&b, 1);
        decoder_prefill(b.decoder, b.tokens, b.times, 20, false, one);
        b.source[200] = (b.source[200] + 1) % b.vocab;
        assert_int_equal(decoder_encode(b.decoder, b.source, b.source_times, SOURCE),
                         n_layers ? MODEL_OK : MODEL_NO_SOURCE);
        if (n_layers) {
            assert_int_equal(decoder_length(b.decoder), 0);
            decoder_prefill(b.decoder, b.tokens, b.times, 20, false, other);
            assert_memory_not_equal(one, other, (size_t)b.vocab * sizeof *one);
        }
        free(one);
        free(other);
        tear_down(&b);
    }
}

static void without_a_source_an_encoder_is_refused(void **state)
{
    (void)state;
    const struct model_config *c = &VARIANTS[N_VARIANTS - 1].config;
    struct bench b;
    atomic_bool stop = true;
    set_up(&b, c, 1);
    int32_t bad = c->vocab;
    assert_int_equal(decoder_encode(b.decoder, &bad, NULL, 1), MODEL_BAD_TOKEN);
    assert_int_equal(decoder_encode(b.decoder, b.source, NULL, 0), MODEL_NO_SOURCE);
    decoder_set_cancel(b.decoder, &stop);
    assert_int_equal(decoder_encode(b.decoder, b.source, NULL, 9), MODEL_CANCELLED);
    decoder_set_cancel(b.decoder, NULL);
    assert_int_equal(decoder_step(b.decoder, 1, 0, NULL), MODEL_NO_SOURCE);
    assert_int_equal(decoder_encode(b.decoder, b.source, NULL, 1), MODEL_OK);
    assert_int_equal(decoder_step(b.decoder, 1, 0, NULL), MODEL_OK);
    tear_down(&b);
}

static void a_cancelled_call_changes_nothing(void **state)
{
    (void)state;
    struct bench b;
    atomic_bool stop = true;
    set_up(&b, &SMALL, 2);
    float *wanted = make_logits(&b, 1), *got = make_logits(&b, 1);
    decoder_prefill(b.decoder, b.tokens, b.times, 50, false, NULL);
    decoder_step(b.decoder, 9, 7, wanted);
    decoder_truncate(b.decoder, 50);

    decoder_set_cancel(b.decoder, &stop);
    assert_int_equal(decoder_step(b.decoder, 8, 7, got), MODEL_CANCELLED);
    assert_int_equal(decoder_prefill(b.decoder, b.tokens, b.times, 20, false, got),
                     MODEL_CANCELLED);
    assert_int_equal(decoder_length(b.decoder), 50);
    stop = false;
    assert_int_equal(decoder_step(b.decoder, 9, 7, got), MODEL_OK);
    assert_memory_equal(wanted, got, (size_t)b.vocab * sizeof *got);
    free(wanted);
    free(got);
    tear_down(&b);
}

static float *run_with(const struct model_config *c, int n_threads)
{
    struct bench b;
    set_up(&b, c, n_threads);
    enum { PREFIX = 150 };
    float *logits = make_logits(&b, PREFIX + STEPS);
    decoder_prefill(b.decoder, b.tokens, b.times, PREFIX, true, logits);
    for (int t = PREFIX; t < PREFIX + STEPS; t++)
        decoder_step(b.decoder, b.tokens[t], b.times[t],
                     logits + (size_t)t * (size_t)b.vocab);
    tear_down(&b);
    return logits;
}

static void threads_change_no_bit(void **state)
{
    (void)state;
    size_t n = (size_t)(150 + STEPS) * (size_t)MEDIUM.vocab * sizeof(float);
    float *one = run_with(&MEDIUM, 1);
    for (int n_threads = 2; n_threads <= 3; n_threads++) {
        float *more = run_with(&MEDIUM, n_threads);
        assert_memory_equal(one, more, n);
        free(more);
    }
    free(one);
    for (int i = 0; i < N_VARIANTS; i++) {
        float *a = run_with(&VARIANTS[i].config, 1),
              *b = run_with(&VARIANTS[i].config, 2);
        size_t size = (size_t)(150 + STEPS) * (size_t)VARIANTS[i].config.vocab;
        assert_memory_equal(a, b, size * sizeof(float));
        free(a);
        free(b);
    }
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    struct bench b;
    set_up(&b, &SMALL, 1);
    float *logits = make_logits(&b, 1);
    int32_t bad[2] = {1, SMALL.vocab};
    assert_int_equal(decoder_prefill(b.decoder, bad, NULL, 2, false, NULL),
                     MODEL_BAD_TOKEN);
    assert_int_equal(decoder_step(b.decoder, -1, 7, logits), MODEL_BAD_TOKEN);
    assert_int_equal(decoder_prefill(b.decoder, b.tokens, b.times, -1, false, NULL),
                     MODEL_TOO_LONG);
    assert_int_equal(decoder_length(b.decoder), 0);

    assert_int_equal(decoder_prefill(b.decoder, b.tokens, b.times, N, false, NULL),
                     MODEL_OK);
    assert_int_equal(decoder_prefill(b.decoder, b.tokens, b.times,
                                     SMALL.context - N + 1, false, NULL),
                     MODEL_TOO_LONG);
    while (decoder_length(b.decoder) < SMALL.context)
        assert_int_equal(decoder_step(b.decoder, 1, 7, logits), MODEL_OK);
    assert_int_equal(decoder_step(b.decoder, 1, 7, logits), MODEL_TOO_LONG);
    free(logits);
    tear_down(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prefill_gives_the_reference),
        cmocka_unit_test(steps_give_what_prefill_does),
        cmocka_unit_test(the_future_is_not_seen),
        cmocka_unit_test(what_was_forgotten_leaves_no_trace),
        cmocka_unit_test(a_source_changes_what_is_said),
        cmocka_unit_test(without_a_source_an_encoder_is_refused),
        cmocka_unit_test(a_cancelled_call_changes_nothing),
        cmocka_unit_test(threads_change_no_bit),
        cmocka_unit_test(what_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
