/* Which tracks are asked to go on, by hand-made music: track 0 plays each bar, track 1 each
 * bar but the last two, track 2 once. */
#include "tests/check.h"
#include "app/biases/activity_bias.h"
#include "tests/app/biases/rule.h"

enum { BAR = 4 * QUARTER, N_BARS = 8, END = N_BARS * BAR };

static struct activity_bias a;

static void apply(int64_t step, int track)
{
    activity_bias_apply(&a, place_at(step, track));
}

FIXTURE(listen)
{
    hand_begin(&h, N_BARS + 4);
    hand_play(&h, 0, 0, END, 0, "1b/12: 60");
    hand_play(&h, 1, 0, END - 2 * BAR, 0, "1b/12: 60");
    hand_note(&h, 2, 3 * BAR, 12, 60);
    a = activity_bias_of(&h.piece, END);
    return 0;
}

#define ACTIVITY_TEST(name) TEST_IN(name, listen, NULL)

static void played(int track, int step)
{
    activity_bias_add(&a, &h.piece,
                      &(struct grid_note){.step = step, .track = (uint8_t)track});
}

ACTIVITY_TEST(who_played_in_most_bars_goes_on)
{
    assert_true(a.steady == 3);
    says(END, 0, "t1 > t0, t0 > 0, t2 = 0");
    allow(0, TOKEN_COUNT);
    allowed[TOKEN_TRACK + 1] = false;
    apply(END, 0);
    assert_true(logits[TOKEN_TRACK + 1] == 0);
}

ACTIVITY_TEST(who_has_just_played_is_not_asked)
{
    played(0, END);
    played(1, END);
    says(END + BAR - 1, 0, "t0 = 0, t1 = 0, t2 = 0");
    says(END + BAR, 0, "t0 > 0, t1 > 0, t2 <= 0");
    says(100 * BAR, 0, "t0 < 5"); /* however long the rest */
}

/* As long as none was before. */
ACTIVITY_TEST(some_track_plays_in_each_bar)
{
    says(END, 0, "bar < -1");
    played(2, END);
    says(END, 0, "bar = 0");
    says(END + BAR, 0, "bar < -1");
    a.is_full = false;
    says(END + BAR, 0, "bar = 0");
}

ACTIVITY_TEST(a_bar_is_not_left_empty)
{
    const int last = END + 3 * BAR;
    activity_bias_fill(&a, &h.piece, 1 << 2, last + BAR);
    a.is_full = false;
    says(END, 0, "bar < -1, end < -1");
    played(2, END);
    says(END, 0, "bar = 0, end < -1");
    played(2, last);
    says(last, 0, "bar = 0, end = 0");
}

/* Of two tracks that fill a hole one has begun. */
ACTIVITY_TEST(who_lacks_in_a_bar_is_likelier)
{
    activity_bias_fill(&a, &h.piece, 1 << 2 | 1 << 3, END + BAR);
    played(2, END);
    says(END, 0, "t3 > 1, t2 = 0, t4 = 0, bar < -1");
}

/* Outside the last two bars: track 1 in each, track 2 in one, track 3 in none. */
ACTIVITY_TEST(a_hole_of_a_track_that_plays_or_is_missing_is_filled)
{
    const int64_t from = END - 2 * BAR;
    assert_true(activity_bias_plays(&h.piece, 1, from, END));
    assert_false(activity_bias_plays(&h.piece, 2, from, END));
    assert_true(activity_bias_plays(&h.piece, 3, from, END));
    assert_true(
        activity_bias_plays(&h.piece, 3, 0, END)); /* there is nothing outside */
}

/* Track 2 plays in one bar of eight: once in the take, and again when its turn comes. */
ACTIVITY_TEST(who_plays_seldom_rests_most_of_the_time)
{
    played(2, END);
    says(END, 0, "t2 = 0");                /* it may go on in this bar, */
    says(END + BAR, 0, "t2 < -1, t3 = 0"); /* of 3 nothing is known */
    says(END + 8 * BAR, 0, "t2 > -1");
}
