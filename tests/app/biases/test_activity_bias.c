/* Which tracks are held back: track 0 plays each bar, track 1 once in eight; and which are asked for in
 * a score without notes. */
#include "tests/check.h"
#include "app/biases/rules.h"
#include "tests/app/biases/rule.h"

enum { BAR = 4 * QUARTER, N_BARS = 8, END = N_BARS * BAR };

static struct activity_bias a;

static void apply(int64_t step, int track)
{
    activity_bias_apply(&(struct rules){.activity = a}, place_at(step, track));
}

/* In the fourth of eight bars, and so again. */
TEST(who_plays_seldom_rests_where_it_rested)
{
    hand_begin(&h, N_BARS + 16);
    hand_play(&h, 0, 0, END, 0, "1b/12: 60");
    hand_note(&h, 1, 3 * BAR, 12, 60);
    a = activity_bias_of(&h.piece, END);
    says(END, 0, "t0 = 0, t1 < -1, t2 = 0"); /* of 2 nothing is known */
    says(END + 3 * BAR, 0, "t0 = 0, t1 > 1");
    says(END + 11 * BAR, 0, "t1 > 1");
    says(END + 12 * BAR, 0, "t1 < -1");
    hand_note(&h, 1, END + 12 * BAR, 12, 60);
    says_nothing(END + 12 * BAR, 0); /* it may go on in this bar */
}

TEST(each_track_of_an_empty_score_is_asked)
{
    hand_begin(&h, N_BARS);
    h.piece.families[2] = FAMILY_NONE;
    a = activity_bias_of(&h.piece, 0);
    says(0, 0, "t0 > 5, t1 > 5, t2 = 0");
    hand_note(&h, 1, 0, 12, 60);
    says(BAR - 1, 0, "t0 > 5, t1 = 0");
    says(2 * BAR, 0, "t0 > 5, t1 > 1, t1 < 3");
}
