/* Which tracks are asked to go on, by hand-made music: track 0 plays each bar, track 1 each
 * bar but the last two, track 2 once. */
#include "app/biases/activity_bias.h"
#include "midi/tokens/tokens.h"
#include "tests/check.h"

#include <string.h>

enum { BAR = 4 * STEPS_PER_QUARTER, N_BARS = 8 };

static struct piece p;

static struct activity_bias heard(void)
{
    static struct grid_note notes[3 * N_BARS];
    static struct grid_meter meter = {0, 4, 4};
    piece_init(&p, STYLE_ANY);
    p.meters = &meter;
    p.n_meters = 1;
    p.n_bars = N_BARS + 4;
    p.notes = notes;
    for (int bar = 0; bar < N_BARS; bar++)
        for (int t = 0; t < 3; t++)
            if (t == 0 || (t == 1 && bar < N_BARS - 2) || (t == 2 && bar == 3))
                notes[p.n_notes++] = (struct grid_note){
                    .step = bar * BAR, .length = 12, .track = (uint8_t)t, .pitch = 60};
    return activity_bias_of(&p, N_BARS * BAR);
}

static float bias(const struct activity_bias *a, int64_t step, int track)
{
    static uint8_t allowed[TOKEN_COUNT];
    static float logits[TOKEN_COUNT];
    memset(allowed, 1, sizeof allowed);
    memset(logits, 0, sizeof logits);
    allowed[TOKEN_TRACK + 1] = track != -1;
    activity_bias_apply(a, &p, step, step, allowed, logits);
    return logits[TOKEN_TRACK + (track < 0 ? 1 : track)];
}

TEST(who_played_in_most_bars_goes_on)
{
    struct activity_bias a = heard();
    assert_true(a.steady == 3);
    assert_true(bias(&a, N_BARS * BAR, 1) > bias(&a, N_BARS * BAR, 0));
    assert_true(bias(&a, N_BARS * BAR, 0) > 0);
    assert_true(bias(&a, N_BARS * BAR, 2) == 0);
    assert_true(bias(&a, N_BARS * BAR, -1) == 0); /* is not allowed */
}

TEST(who_has_just_played_is_not_asked)
{
    struct activity_bias a = heard();
    for (uint8_t t = 0; t < 2; t++)
        activity_bias_add(&a, &p,
                          &(struct grid_note){.step = N_BARS * BAR, .track = t});
    for (int t = 0; t < 3; t++) {
        assert_true(bias(&a, N_BARS * BAR + BAR - 1, t) == 0);
        assert_int_equal(bias(&a, N_BARS * BAR + BAR, t) > 0, t < 2);
    }
    assert_true(bias(&a, 100 * BAR, 0) < 5); /* however long the rest */
}

static float bias_of_bar(const struct activity_bias *a, int64_t bar)
{
    static uint8_t allowed[TOKEN_COUNT];
    static float logits[TOKEN_COUNT];
    memset(allowed, 1, sizeof allowed);
    memset(logits, 0, sizeof logits);
    activity_bias_apply(a, &p, bar, bar, allowed, logits);
    return logits[TOKEN_BAR];
}

/* As long as none was before. */
TEST(some_track_plays_in_each_bar)
{
    const int64_t bar = N_BARS * BAR;
    struct activity_bias a = heard();
    assert_true(bias_of_bar(&a, bar) < -1);
    activity_bias_add(&a, &p, &(struct grid_note){.step = (int32_t)bar, .track = 2});
    assert_true(bias_of_bar(&a, bar) == 0);
    assert_true(bias_of_bar(&a, bar + BAR) < -1);
    a.is_full = false;
    assert_true(bias_of_bar(&a, bar + BAR) == 0);
}

TEST(a_bar_is_not_left_empty)
{
    static uint8_t allowed[TOKEN_COUNT];
    static float logits[TOKEN_COUNT];
    const int64_t bar = N_BARS * BAR, last = bar + 3 * BAR;
    struct activity_bias a = heard();
    activity_bias_fill(&a, &p, 1 << 2, last + BAR);
    a.is_full = false;
    memset(allowed, 1, sizeof allowed);
    activity_bias_apply(&a, &p, bar, bar, allowed, logits);
    assert_true(logits[TOKEN_BAR] < -1 && logits[TOKEN_FILL_END] < -1);
    memset(logits, 0, sizeof logits);
    activity_bias_add(&a, &p, &(struct grid_note){.step = (int32_t)bar, .track = 2});
    activity_bias_apply(&a, &p, bar, bar, allowed, logits);
    assert_true(logits[TOKEN_BAR] == 0 && logits[TOKEN_FILL_END] < -1);
    activity_bias_add(&a, &p, &(struct grid_note){.step = (int32_t)last, .track = 2});
    memset(logits, 0, sizeof logits);
    activity_bias_apply(&a, &p, last, last, allowed, logits);
    assert_true(logits[TOKEN_BAR] == 0 && logits[TOKEN_FILL_END] == 0);
}

/* Of two tracks that fill a hole one has begun. */
TEST(who_lacks_in_a_bar_is_likelier)
{
    static uint8_t allowed[TOKEN_COUNT];
    static float logits[TOKEN_COUNT];
    const int64_t bar = N_BARS * BAR;
    struct activity_bias a = heard();
    activity_bias_fill(&a, &p, 1 << 2 | 1 << 3, bar + BAR);
    activity_bias_add(&a, &p, &(struct grid_note){.step = (int32_t)bar, .track = 2});
    memset(allowed, 1, sizeof allowed);
    memset(logits, 0, sizeof logits);
    activity_bias_apply(&a, &p, bar, bar, allowed, logits);
    assert_true(logits[TOKEN_TRACK + 3] > 1 && logits[TOKEN_TRACK + 2] == 0);
    assert_true(logits[TOKEN_TRACK + 4] == 0 && logits[TOKEN_BAR] < -1);
}

/* Outside the last two bars: track 1 in each, track 2 in one, track 3 in none. */
TEST(a_hole_of_a_track_that_plays_or_is_missing_is_filled)
{
    heard();
    const int64_t from = (N_BARS - 2) * BAR, to = N_BARS * BAR;
    assert_true(activity_bias_plays(&p, 1, from, to));
    assert_false(activity_bias_plays(&p, 2, from, to));
    assert_true(activity_bias_plays(&p, 3, from, to));
    assert_true(activity_bias_plays(&p, 3, 0, to)); /* there is nothing outside */
}

/* Track 2 plays in one bar of eight: once in the take, and again when its turn comes. */
TEST(who_plays_seldom_rests_most_of_the_time)
{
    const int64_t bar = N_BARS * BAR;
    struct activity_bias a = heard();
    assert_true(bias(&a, bar, 2) == 0);
    activity_bias_add(&a, &p, &(struct grid_note){.step = (int32_t)bar, .track = 2});
    assert_true(bias(&a, bar, 2) == 0); /* it may go on in this bar, */
    assert_true(bias(&a, bar + BAR, 2) < -1);
    assert_true(bias(&a, bar + 8 * BAR, 2) > -1);
    assert_true(bias(&a, bar + BAR, 3) == 0); /* of whom nothing is known */
}
