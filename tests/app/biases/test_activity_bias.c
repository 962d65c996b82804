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

/* Track 2 plays in one bar of eight: once in the take, and again when its turn comes. */
ACTIVITY_TEST(who_plays_seldom_rests_most_of_the_time)
{
    played(2, END);
    says(END, 0, "t2 = 0");                /* it may go on in this bar, */
    says(END + BAR, 0, "t2 < -1, t3 = 0"); /* of 3 nothing is known */
    says(END + 8 * BAR, 0, "t2 > -1");
}
