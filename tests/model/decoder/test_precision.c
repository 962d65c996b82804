/* Steps over rounded weights and a rounded cache: near what full precision says, by as
 * much as the rounding explains, and the same bits whatever the threads. */
#include "tests/model/decoder_bench.h"

#include <math.h>
#include <string.h>

enum { PREFIX = 130, END = PREFIX + 12 };

struct rounding {
    struct model_precision precision;
    double bound; /* of the error's size, over the size of the logits */
};

static const struct rounding ROUNDINGS[] = {
    {{WEIGHTS_F32, CACHE_BF16}, 0.01},   {{WEIGHTS_BF16, CACHE_F32}, 0.012},
    {{WEIGHTS_BF16, CACHE_BF16}, 0.015}, {{WEIGHTS_INT8, CACHE_F32}, 0.05},
    {{WEIGHTS_INT8, CACHE_BF16}, 0.05},
};
enum { N_ROUNDINGS = sizeof ROUNDINGS / sizeof *ROUNDINGS };

/* Logits of the steps after a prefix: [END - PREFIX, vocab]. */
static float *steps(const struct model_config *c, int n_threads,
                    struct model_precision precision)
{
    struct bench b;
    set_up_at(&b, c, n_threads, precision);
    float *logits = make_logits(&b, END - PREFIX);
    assert_int_equal(decoder_prefill(b.decoder, b.tokens, b.times, PREFIX, false, NULL),
                     MODEL_OK);
    for (int t = PREFIX; t < END; t++)
        assert_int_equal(decoder_step(b.decoder, b.tokens[t], b.times[t],
                                      logits + (size_t)(t - PREFIX) * (size_t)c->vocab),
                         MODEL_OK);
    tear_down(&b);
    return logits;
}

/* Root of the mean squared difference, over that of what was wanted. */
static double distance(const float *got, const float *wanted, int n)
{
    double error = 0, size = 0;
    for (int i = 0; i < n; i++) {
        assert_true(isfinite(got[i]));
        error += (double)(got[i] - wanted[i]) * (got[i] - wanted[i]);
        size += (double)wanted[i] * wanted[i];
    }
    return sqrt(error / size);
}

static void compare(const char *name, const struct model_config *c)
{
    const struct model_precision f32 = {WEIGHTS_F32, CACHE_F32};
    const int n = (END - PREFIX) * c->vocab;
    float *wanted = steps(c, 1, f32);
    for (int i = 0; i < N_ROUNDINGS; i++) {
        float *one = steps(c, 1, ROUNDINGS[i].precision);
        float *two = steps(c, 3, ROUNDINGS[i].precision);
        double away = distance(one, wanted, n);
        assert_memory_equal(one, two, (size_t)n * sizeof *one);
        if (away > ROUNDINGS[i].bound)
            fail_msg("%s, rounding %d: %g", name, i, away);
        bool no_cache = c->mixing == MIXING_FOURIER &&
                        ROUNDINGS[i].precision.weights == WEIGHTS_F32;
        assert_true(no_cache ? away == 0.0 : away > 0.0);
        free(one);
        free(two);
    }
    free(wanted);
}

static void rounding_costs_what_it_may(void **state)
{
    (void)state;
    compare("medium", &MEDIUM);
    for (int i = 0; i < N_VARIANTS; i++)
        compare(VARIANTS[i].name, &VARIANTS[i].config);
}

/* A prefill that puts its keys in a rounded cache still sees what came before it. */
static void prefill_reads_a_rounded_cache(void **state)
{
    (void)state;
    for (int i = 0; i < N_VARIANTS; i++) {
        const struct model_config *c = &VARIANTS[i].config;
        struct bench wide, narrow;
        set_up(&wide, c, 2);
        set_up_at(&narrow, c, 2, (struct model_precision){WEIGHTS_F32, CACHE_BF16});
        float *wanted = make_logits(&wide, N), *got = make_logits(&wide, N);
        decoder_prefill(wide.decoder, wide.tokens, wide.times, N, true, wanted);
        decoder_prefill(narrow.decoder, wide.tokens, wide.times, N, true, got);
        assert_true(distance(got, wanted, N * c->vocab) < 0.01);
        free(wanted);
        free(got);
        tear_down(&wide);
        tear_down(&narrow);
    }
}

enum { FULL = 4 * 64 }; /* tokens that a cache has room for at first */
_Static_assert(FULL < N - 20, "room is made while the tokens go by");

/* Reads up to just before the room is used up, then steps beyond. */
static float *steps_beyond(struct bench *b)
{
    const int from = FULL - 10;
    float *logits = make_logits(b, N);
    decoder_truncate(b->decoder, 0);
    assert_int_equal(
        decoder_prefill(b->decoder, b->tokens, b->times, from, true, logits), MODEL_OK);
    for (int t = from; t < N; t++)
        assert_int_equal(decoder_step(b->decoder, b->tokens[t], b->times[t],
                                      logits + (size_t)t * (size_t)b->vocab),
                         MODEL_OK);
    return logits;
}

static void check_room(const struct model_config *c, struct model_precision precision)
{
    struct bench b;
    set_up_at(&b, c, 2, precision);
    float *first = steps_beyond(&b);
    float *again = steps_beyond(&b); /* there is room from the beginning */
    assert_memory_equal(first, again, (size_t)N * (size_t)b.vocab * sizeof *first);
    free(first);
    free(again);
    tear_down(&b);
}

/* Nobody notices that keys and values move to where more fit. */
static void room_is_made_without_a_trace(void **state)
{
    (void)state;
    for (int i = 0; i < N_VARIANTS; i++) {
        check_room(&VARIANTS[i].config,
                   (struct model_precision){WEIGHTS_F32, CACHE_F32});
        check_room(&VARIANTS[i].config,
                   (struct model_precision){WEIGHTS_INT8, CACHE_BF16});
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounding_costs_what_it_may),
        cmocka_unit_test(prefill_reads_a_rounded_cache),
        cmocka_unit_test(room_is_made_without_a_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
