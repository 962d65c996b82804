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
    {{WEIGHTS_F32, CACHE_BF16}, 0.01},   {{WEIGHTS_BF16, CACHE_F32}, 0.01},
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounding_costs_what_it_may),
        cmocka_unit_test(prefill_reads_a_rounded_cache),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
