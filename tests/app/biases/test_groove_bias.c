/* A groove of two bars is gone on with: a kick on the first beat, a snare on the third, and in
 * one of the bars a hit between. */
#include "tests/check.h"
#include "app/biases/band_bias.h"
#include "midi/tokens/tokens.h"
#include "tests/app/hand_piece.h"

enum { BAR = 4 * QUARTER, KICK = 36, SNARE = 38, HAT = 42, CRASH = 49 };

static float logits[TOKEN_COUNT];

/* In bar `bar`, of a piece whose first n_bars have the groove. */
static void bias(int n_bars, int bar, int64_t place)
{
    static struct hand_piece h;
    static uint8_t allowed[TOKEN_COUNT];
    hand_begin(&h, 8);
    h.piece.families[0] = FAMILY_DRUMS;
    for (int i = 0; i < n_bars; i++) {
        hand_note(&h, 0, i * BAR, 1, KICK);
        hand_note(&h, 0, i * BAR + 2 * QUARTER, 1, SNARE);
        if (i == 0)
            hand_note(&h, 0, QUARTER, 1, CRASH);
    }
    memset(allowed, 1, sizeof allowed);
    memset(logits, 0, sizeof logits);
    allowed[TOKEN_POS] = 0;
    groove_bias_apply(&h.piece, 0, bar * BAR + place, bar * BAR, 0, allowed, logits);
    assert_true(logits[TOKEN_POS] == 0);
}

static float of_hit(int key)
{
    return logits[TOKEN_HIT + key - HIT_FIRST];
}

TEST(what_came_in_each_bar_is_likelier)
{
    bias(2, 2, 0);
    assert_true(of_hit(KICK) > 1 && of_hit(SNARE) < -1 && of_hit(CRASH) < -1);
    bias(2, 2, 1);
    assert_true(logits[TOKEN_POS + 2 * QUARTER] > 1); /* and where */
    assert_true(logits[TOKEN_POS + QUARTER] == 0);
    assert_true(logits[TOKEN_POS + 5] < -1);
    bias(2, 2, 2 * QUARTER);
    assert_true(of_hit(KICK) < -1 && of_hit(SNARE) > 1);
}

/* Kick and snare on the beats, and hats between. */
TEST(drums_begin_with_a_backbeat)
{
    bias(0, 0, 0);
    assert_true(of_hit(KICK) > 1 && of_hit(SNARE) < of_hit(HAT) - 1);
    bias(0, 0, 1);
    assert_true(logits[TOKEN_POS + QUARTER / 2] > 1 && logits[TOKEN_POS + 5] < -1);
    bias(0, 0, QUARTER);
    assert_true(of_hit(KICK) < -1 && of_hit(SNARE) > 1);
    bias(0, 0, QUARTER / 2);
    assert_true(of_hit(KICK) < -1 && of_hit(SNARE) < -1 && of_hit(HAT) > 1);
    bias(2, 7, QUARTER / 2); /* the groove is long past */
    assert_true(of_hit(HAT) > 1);
}

/* Keys ascend: a hat cannot be followed by the snare. */
TEST(no_key_of_the_groove_is_passed_by)
{
    bias(0, 0, QUARTER);
    const float hat = of_hit(HAT);
    bias(0, 0, QUARTER / 2);
    assert_true(hat < of_hit(HAT) - 1);
    assert_true(logits[TOKEN_BAR] < -1 && logits[TOKEN_POS + QUARTER] < 0);
    bias(2, 2, QUARTER); /* nothing is due */
    assert_true(logits[TOKEN_BAR] == 0);
}

TEST(one_bar_is_half_a_groove)
{
    bias(1, 1, 2 * QUARTER);
    assert_true(of_hit(SNARE) == 0 && of_hit(KICK) == 0 && of_hit(CRASH) < -1);
    bias(1, 1, 0);
    assert_true(of_hit(KICK) > 1);
}
