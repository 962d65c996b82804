/* The decoder against the same model written out plainly in double precision,
 * then its promises: a step continues what prefill began, forgetting is exact,
 * a cancelled call changes nothing, threads change no bit. */
#include "model/decoder/decoder.h"
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
    auto_fixture b = set_up(c, 2);
    float *logits = make_logits(&b, n);
    auto_free double *block = ref_block(b.model);
    double spread = 0;
    struct ref_sequence s = {b.tokens, b.times, n};
    struct ref_sequence source = {b.source, b.source_times, SOURCE};
    auto_free double *wanted =
        reference(c, block, &s, c->n_encoder_layers ? &source : NULL);
    read_at_once(&b, b.decoder, 0, n, true, logits);
    assert_int_equal(decoder_length(b.decoder), n);
    for (int i = 0; i < n * c->vocab; i++) {
        assert_true(fabs(logits[i] - wanted[i]) < 1e-4);
        spread = fmax(spread, fabs(wanted[i]));
    }
    assert_true(spread > 1); /* logits that say something */
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
    compare_steps_with_prefill(&SMALL);
    compare_steps_with_prefill(&MEDIUM);
    for (int i = 0; i < N_VARIANTS; i++)
        compare_steps_with_prefill(&VARIANTS[i].config);
}

/* No output depends on a later token: the rest of the sequence may be anything. */
TEST(the_future_is_not_seen)
{
    enum { KNOWN = 130, ALL = 200 };
    FOR_VARIANTS(v, b, 1, F32)
    {
        float *one = make_logits(&b, ALL), *other = make_logits(&b, ALL);
        read_at_once(&b, b.decoder, 0, ALL, true, one);
        decoder_truncate(b.decoder, 0);
        for (int t = KNOWN; t < ALL; t++) {
            b.tokens[t] = (b.tokens[t] + 1 + t % 5) % b.vocab;
            b.times[t] += t * 31 % 70;
        }
        read_at_once(&b, b.decoder, 0, ALL, true, other);
        assert_same_logits(&b, one, other, KNOWN);
        assert_memory_not_equal(one + KNOWN * b.vocab, other + KNOWN * b.vocab,
                                (size_t)b.vocab * sizeof *one);
    }
}

TEST(what_was_forgotten_leaves_no_trace)
{
    auto_fixture b = set_up(&SMALL, 1);
    float *fresh = make_logits(&b, 1), *again = make_logits(&b, 1);
    read_at_once(&b, b.decoder, 0, 100, false, NULL);
    read_at_once(&b, b.decoder, 0, 30, false, NULL);
    decoder_step(b.decoder, 3, 7, fresh);

    decoder_prefill(b.decoder, b.tokens + 40, b.times + 40, 50, false, NULL);
    decoder_truncate(b.decoder, 100);
    assert_int_equal(decoder_length(b.decoder), 100);
    decoder_truncate(b.decoder, 200); /* not shorter: nothing */
    assert_int_equal(decoder_length(b.decoder), 100);
    read_at_once(&b, b.decoder, 0, 30, false, NULL);
    decoder_step(b.decoder, 3, 7, again);
    assert_same_logits(&b, fresh, again, 1);
}

TEST(a_source_changes_what_is_said)
{
    FOR_VARIANTS(v, b, 2, F32)
    {
        int n_layers = VARIANTS[v].config.n_encoder_layers;
        float *one = make_logits(&b, 1), *other = make_logits(&b, 1);
        read_at_once(&b, b.decoder, 0, 20, false, one);
        b.source[200] = (b.source[200] + 1) % b.vocab;
        assert_int_equal(decoder_encode(b.decoder, b.source, b.source_times, SOURCE),
                         n_layers ? MODEL_OK : MODEL_NO_SOURCE);
        if (n_layers) {
            assert_int_equal(decoder_length(b.decoder), 0);
            read_at_once(&b, b.decoder, 0, 20, false, other);
            assert_memory_not_equal(one, other, (size_t)b.vocab * sizeof *one);
        }
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
    assert_ok(decoder_encode(b.decoder, b.source, NULL, 1));
    assert_ok(decoder_step(b.decoder, 1, 0, NULL));
}

TEST(a_cancelled_call_changes_nothing)
{
    atomic_bool stop = true;
    auto_fixture b = set_up(&SMALL, 2);
    float *wanted = make_logits(&b, 1), *got = make_logits(&b, 1);
    read_at_once(&b, b.decoder, 0, 50, false, NULL);
    decoder_step(b.decoder, 9, 7, wanted);
    decoder_truncate(b.decoder, 50);

    decoder_set_cancel(b.decoder, &stop);
    assert_int_equal(decoder_step(b.decoder, 8, 7, got), MODEL_CANCELLED);
    assert_int_equal(decoder_prefill(b.decoder, b.tokens, b.times, 20, false, got),
                     MODEL_CANCELLED);
    assert_int_equal(decoder_length(b.decoder), 50);
    stop = false;
    assert_ok(decoder_step(b.decoder, 9, 7, got));
    assert_same_logits(&b, wanted, got, 1);
}

static float *run_with(const struct model_config *c, int n_threads)
{
    auto_fixture b = set_up(c, n_threads);
    enum { PREFIX = 150 };
    float *logits = make_logits(&b, PREFIX + STEPS);
    read_at_once(&b, b.decoder, 0, PREFIX, true, logits);
    read_in_steps(&b, b.decoder, PREFIX, PREFIX + STEPS, row_of(&b, logits, PREFIX));
    take_logits(&b);
    return logits;
}

static void compare_threads(const struct model_config *c, int most)
{
    auto_free float *one = run_with(c, 1);
    for (int n_threads = 2; n_threads <= most; n_threads++) {
        auto_free float *more = run_with(c, n_threads);
        assert_memory_equal(one, more,
                            (size_t)(150 + STEPS) * (size_t)c->vocab * sizeof *one);
    }
}

TEST(threads_change_no_bit)
{
    compare_threads(&MEDIUM, 3);
    for (int i = 0; i < N_VARIANTS; i++)
        compare_threads(&VARIANTS[i].config, 2);
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
    assert_int_equal(decoder_length(b.decoder), 0);

    read_at_once(&b, b.decoder, 0, N, false, NULL);
    assert_int_equal(decoder_prefill(b.decoder, b.tokens, b.times,
                                     SMALL.context - N + 1, false, NULL),
                     MODEL_TOO_LONG);
    while (decoder_length(b.decoder) < SMALL.context)
        assert_ok(decoder_step(b.decoder, 1, 7, logits));
    assert_int_equal(decoder_step(b.decoder, 1, 7, logits), MODEL_TOO_LONG);
}
