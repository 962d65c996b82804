/* Steps over rounded weights and a rounded cache: near what full precision says, by as
 * much as the rounding explains, and the same bits whatever the threads. */
#include "tests/check.h"
#include "tests/model/decoder_fixture.h"

enum { PREFIX = 130, END = PREFIX + 12 };

struct rounding {
    struct model_precision precision;
    double bound; /* of the error's size, over the size of the logits */
};

static const struct rounding ROUNDINGS[] = {
    {{WEIGHTS_F32, CACHE_F32}, 0},      {{WEIGHTS_F32, CACHE_INT8}, 0.03},
    {{WEIGHTS_BF16, CACHE_F32}, 0.012}, {{WEIGHTS_BF16, CACHE_INT8}, 0.03},
    {{WEIGHTS_INT8, CACHE_F32}, 0.05},  {{WEIGHTS_INT8, CACHE_INT8}, 0.05},
};
enum { N_ROUNDINGS = sizeof ROUNDINGS / sizeof *ROUNDINGS };

/* Logits of the steps after a prefix: [END - PREFIX, vocab]. */
static float *steps(const struct model_config *c, int n_threads,
                    struct model_precision precision)
{
    auto_fixture b = set_up_at(c, n_threads, precision);
    float *logits = make_logits(&b, END - PREFIX);
    read_at_once(&b, b.decoder, 0, PREFIX, false, NULL);
    read_in_steps(&b, b.decoder, PREFIX, END, logits);
    take_logits(&b);
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
    const int n = (END - PREFIX) * c->vocab;
    auto_free float *wanted = steps(c, 1, F32);
    for (int i = 0; i < N_ROUNDINGS; i++) {
        auto_free float *one = steps(c, 1, ROUNDINGS[i].precision);
        auto_free float *two = steps(c, 3, ROUNDINGS[i].precision);
        double away = distance(one, wanted, n);
        assert_memory_equal(one, two, (size_t)n * sizeof *one);
        if (away > ROUNDINGS[i].bound)
            fail_msg("%s, rounding %d: %g", name, i, away);
        bool no_cache = c->mixing == MIXING_FOURIER &&
                        ROUNDINGS[i].precision.weights == WEIGHTS_F32;
        assert_true(i == 0 || no_cache ? away == 0.0 : away > 0.0);
    }
}

TEST(rounding_costs_what_it_may)
{
    FOR_LEVELS(level)
    compare("medium", &MEDIUM);
    for (int i = 0; i < N_VARIANTS; i++)
        compare(VARIANTS[i].name, &VARIANTS[i].config);
}

/* A prefill that puts its keys in a rounded cache still sees what came before it. */
TEST(prefill_reads_a_rounded_cache)
{
    FOR_VARIANTS(v, wide, 2, F32)
    {
        const struct model_config *c = &VARIANTS[v].config;
        auto_fixture narrow =
            set_up_at(c, 2, (struct model_precision){WEIGHTS_F32, CACHE_INT8});
        float *wanted = make_logits(&wide, N), *got = make_logits(&wide, N);
        read_at_once(&wide, wide.decoder, 0, N, true, wanted);
        read_at_once(&wide, narrow.decoder, 0, N, true, got);
        assert_true(distance(got, wanted, N * c->vocab) < 0.01);
    }
}

enum { FULL = 4 * 64 }; /* tokens that a cache has room for at first */
_Static_assert(FULL < N - 20, "room is made while the tokens go by");

/* Reads up to just before the room is used up, then steps beyond. */
static float *steps_beyond(struct fixture *b)
{
    const int from = FULL - 10;
    float *logits = make_logits(b, N);
    decoder_truncate(b->decoder, 0);
    read_at_once(b, b->decoder, 0, from, true, logits);
    read_in_steps(b, b->decoder, from, N, row_of(b, logits, from));
    return logits;
}

static void check_room(const struct model_config *c, struct model_precision precision)
{
    auto_fixture b = set_up_at(c, 2, precision);
    float *first = steps_beyond(&b);
    float *again = steps_beyond(&b); /* there is room from the beginning */
    assert_same_logits(&b, first, again, N);
}

/* Nobody notices that keys and values move to where more fit. */
TEST(room_is_made_without_a_trace)
{
    for (int i = 0; i < N_VARIANTS; i++) {
        check_room(&VARIANTS[i].config, F32);
        check_room(&VARIANTS[i].config,
                   (struct model_precision){WEIGHTS_INT8, CACHE_INT8});
    }
}
