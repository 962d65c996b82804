/* Drums beside a piano: a kick, a snare and eighths on a hat; the fourth and eighth of eight bars have
 * toms instead of the last hats, or only one of them. */
#include "tests/check.h"
#include "app/biases/rules.h"
#include "tests/app/biases/rule.h"

enum { DRUMS, PIANO, BAR = 4 * QUARTER, END = 8 * BAR, HALF = QUARTER / 2 };
enum { KICK = 36, SNARE = 38, TOM = 45, HAT = 42 };

static struct turn_bias b;

static void apply(int64_t step, int track)
{
    turn_bias_apply(&(struct rules){.turn = b}, place_at(step, track));
}

static void play(bool turns_at_four, bool turns_at_eight)
{
    hand_begin(&h, 20);
    h.piece.families[DRUMS] = FAMILY_DRUMS;
    hand_play(&h, DRUMS, 0, END, 0, "1q/1: 36 38");
    hand_play(&h, PIANO, 0, END, 0, "1q: 60");
    for (int bar = 0; bar < 8; bar++) {
        const bool turns = (bar == 3 && turns_at_four) || (bar == 7 && turns_at_eight);
        hand_play(&h, DRUMS, bar * BAR, bar * BAR + 3 * QUARTER, 0, "1e/1: 42");
        hand_play(&h, DRUMS, bar * BAR + 3 * QUARTER, (bar + 1) * BAR, 0,
                  turns ? "6/1: 45" : "1e/1: 42");
    }
    b = turn_bias_of(&h.piece, END);
}

FIXTURE(turns)
{
    play(false, true);
    return 0;
}

#define TURN_TEST(name) TEST_IN(name, turns, NULL)

TURN_TEST(the_last_bar_of_eight_turns_again_after_eight)
{
    assert_int_equal(b.period, 8);
    says(END + 7 * BAR + 3 * QUARTER, DRUMS, "h45 > 3, h42 < -3, h36 = 0, h38 = 0");
    says(END + 7 * BAR, DRUMS, "h45 = 0, h42 = 0, t0 = 0");
    says_nothing(END + 3 * BAR + 3 * QUARTER, DRUMS);
}

TURN_TEST(within_a_phrase_hits_come_where_given_ones_do)
{
    says(END, DRUMS, "h36 = 0, h38 < -2, h42 < -2, h45 < -4, h49 = 0");
    says(END + 2 * BAR + QUARTER, DRUMS, "h38 = 0, h36 < -2, h49 < -2");
    says(END + 3 * QUARTER, DRUMS, "h38 = 0, h45 < -4"); /* the turn has no hat there */
    says_nothing(END + QUARTER, PIANO);
    b = turn_bias_of(&h.piece, 3 * BAR); /* too few */
    says_nothing(3 * BAR, DRUMS);
}

TURN_TEST(places_of_its_own_are_likelier_and_those_of_drums_alone_are_not)
{
    /* a sixteenth after the beat; the beat itself, which the piano has, too; between them none */
    says(END + 7 * BAR + 2 * QUARTER, DRUMS, "@78 > 3, @3q = 0, @75 < -3, @60 = 0");
    says(END + 7 * BAR + 3 * QUARTER + 3, DRUMS, "t0 < -3");
}

TURN_TEST(each_phrase_turns_where_the_given_ones_do)
{
    play(true, true);
    assert_int_equal(b.period, 4);
    says(END + 3 * BAR + 3 * QUARTER, DRUMS, "h45 > 3, h42 < -3");
    play(true, false);
    assert_int_equal(b.period, 8);
    says(END + 3 * BAR + 3 * QUARTER, DRUMS, "h45 > 3, h42 < -3");
    says_nothing(END + 7 * BAR + 3 * QUARTER, DRUMS);
}

TURN_TEST(a_groove_that_never_turns_goes_on)
{
    play(false, false);
    says_nothing(END + 7 * BAR + 3 * QUARTER, DRUMS);
    b = turn_bias_of(&h.piece, 0);
    says_nothing(7 * BAR, DRUMS);
}

TURN_TEST(a_groove_of_two_bars_does_not_turn_in_each_second)
{
    hand_begin(&h, 20);
    h.piece.families[DRUMS] = FAMILY_DRUMS;
    hand_play(&h, DRUMS, 0, END, 0,
              "1e/1: 36 42 38 42 36 42 38 42 42 36 42 36 38 42 38 38");
    b = turn_bias_of(&h.piece, END);
    assert_int_equal(b.period, 0);
    says(END, DRUMS, "h36 = 0, h42 < -2"); /* each bar has its own */
    says(END + BAR, DRUMS, "h36 < -2, h42 = 0");
}
