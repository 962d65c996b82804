/* What may be drawn, how often, and that a seed repeats it. */
#include "model/decoder/sampler.h"
#include "tests/check.h"

enum { VOCAB = 5, DRAWS = 20000 };

FREES(sampler, sampler_destroy)
#define auto_sampler __attribute__((cleanup(free_sampler))) struct sampler

/* Probabilities 0.4 0.3 0.15 0.1 0.05, in another order. */
static const double SHARES[VOCAB] = {0.1, 0.4, 0.05, 0.3, 0.15};
static float logits[VOCAB];

static int fill(void **state)
{
    for (int i = 0; i < VOCAB; i++)
        logits[i] = (float)log(SHARES[i]) + 3.0f;
    return 0;
}

/* How often each token comes. */
static void assert_shares(const struct sampling *how, const uint8_t *allowed,
                          const double *wanted)
{
    auto_sampler *s = sampler_create(VOCAB, how);
    double share[VOCAB] = {0};
    assert_non_null(s);
    for (int i = 0; i < DRAWS; i++) {
        struct sampled drawn = sampler_draw(s, logits, allowed);
        assert_in_range(drawn.token, 0, VOCAB - 1);
        share[drawn.token] += 1.0 / DRAWS;
    }
    for (int i = 0; i < VOCAB; i++) {
        assert_float_equal(share[i], wanted[i], 0.015);
        assert_int_equal(share[i] > 0, wanted[i] > 0);
    }
}

/* A temperature sharpens: squares, of which the sum is 0.285; cut-offs keep the head. */
TEST(shares_are_the_softmax)
{
#define TWO                                                                            \
    {                                                                                  \
        0, 0.4 / 0.7, 0, 0.3 / 0.7, 0                                                  \
    }
#define THREE                                                                          \
    {                                                                                  \
        0, 0.4 / 0.85, 0, 0.3 / 0.85, 0.15 / 0.85                                      \
    }
    static const struct {
        struct sampling how;
        double shares[VOCAB];
    } ROWS[] = {
        {{.temperature = 1, .top_p = 1, .seed = 3}, {0.1, 0.4, 0.05, 0.3, 0.15}},
        {{.temperature = 0.5f, .top_p = 1, .seed = 4},
         {0.01 / 0.285, 0.16 / 0.285, 0.0025 / 0.285, 0.09 / 0.285, 0.0225 / 0.285}},
        {{.temperature = 1, .top_k = 2, .top_p = 1}, TWO},
        {{.temperature = 1, .top_p = 0.6f}, TWO},
        {{.temperature = 1, .top_p = 0.8f}, THREE},
        {{.temperature = 1, .top_p = 1, .min_p = 0.3f}, THREE},
    };
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++)
        assert_shares(&ROWS[i].how, NULL, ROWS[i].shares);
}

TEST(the_mask_is_obeyed_and_counted)
{
    const uint8_t allowed[VOCAB] = {1, 0, 0, 1, 0};
    const double wanted[VOCAB] = {0.25, 0, 0, 0.75, 0};
    const struct sampling how = {.temperature = 1, .top_p = 1, .seed = 8};
    assert_shares(&how, allowed, wanted);

    auto_sampler *s = sampler_create(VOCAB, &how);
    struct sampled drawn = sampler_draw(s, logits, allowed);
    assert_float_equal(drawn.masked, 0.6, 1e-5);
    assert_float_equal(drawn.log_prob, log(wanted[drawn.token]), 1e-5);
    assert_float_equal(sampler_draw(s, logits, NULL).masked, 0, 1e-6);
}

TEST(cold_is_the_likeliest_and_lowest)
{
    const float tied[VOCAB] = {1, 2, 3, 3, -1};
    auto_sampler *s =
        sampler_create(VOCAB, &(struct sampling){.temperature = 0, .top_p = 1});
    for (int i = 0; i < 10; i++)
        assert_int_equal(sampler_draw(s, tied, NULL).token, 2);
    assert_int_equal(sampler_draw(s, logits, NULL).token, 1);
}

TEST(what_is_no_number_is_not_drawn)
{
    const float broken[VOCAB] = {NAN, 1, INFINITY, -INFINITY, 1};
    const float ruined[VOCAB] = {NAN, NAN, NAN, NAN, NAN};
    const uint8_t allowed[VOCAB] = {0, 0, 0, 1, 1};
    auto_sampler *s =
        sampler_create(VOCAB, &(struct sampling){.temperature = 1, .top_p = 1});
    for (int i = 0; i < 200; i++) {
        int32_t token = sampler_draw(s, broken, NULL).token;
        assert_true(token == 1 || token == 4);
        assert_int_equal(sampler_draw(s, broken, allowed).token, 4);
        struct sampled forced = sampler_draw(s, ruined, allowed);
        assert_int_equal(forced.token, 3);
        assert_true(forced.masked == 1 && isinf(forced.log_prob));
    }
}

/* Whatever it was drawn by, a token is judged by the logits that are given. */
TEST(a_token_is_judged_as_if_drawn)
{
    const float mine[VOCAB] = {0.5f, 1, -2, NAN, 3}, other[VOCAB] = {4, 0, 1, 2, 2};
    const uint8_t allowed[VOCAB] = {1, 1, 0, 1, 1};
    auto_sampler *s =
        sampler_create(VOCAB, &(struct sampling){.temperature = 1, .top_p = 1});
    for (int i = 0; i < 200; i++) {
        struct sampled drawn = sampler_draw(s, mine, allowed);
        struct sampled judged = sampler_judge(mine, allowed, VOCAB, drawn.token);
        assert_true(judged.token == drawn.token && judged.log_prob == drawn.log_prob &&
                    judged.masked == drawn.masked);
        judged = sampler_judge(other, NULL, VOCAB, drawn.token);
        double sum = 0;
        for (int k = 0; k < VOCAB; k++)
            sum += exp((double)other[k]);
        assert_true(fabs((double)judged.log_prob -
                         ((double)other[drawn.token] - log(sum))) < 1e-6);
        assert_true(judged.masked == 0);
    }
    assert_true(isinf(sampler_judge(mine, allowed, VOCAB, 3).log_prob));
}

/* Mean and variance, and the range of the uniform ones. */
TEST(normals_are_normal)
{
    struct rng r;
    double sum = 0, squares = 0;
    rng_seed(&r, 1);
    for (int i = 0; i < DRAWS; i++) {
        float u = rng_uniform(&r), x = rng_normal(&r);
        assert_true(u >= 0 && u < 1);
        sum += x;
        squares += (double)x * x;
    }
    assert_float_equal(sum / DRAWS, 0, 0.03);
    assert_float_equal(squares / DRAWS, 1, 0.05);
}

GROUP(fill, NULL)
