/* A groove of two bars is gone on with: a kick on the first beat, a snare on the third, and in
 * one of the bars a hit between. */
#include "tests/check.h"
#include "app/biases/groove_bias.h"
#include "midi/tokens/tokens.h"
#include "tests/app/hand_piece.h"

enum { BAR = 4 * QUARTER, KICK = 36, SNARE = 38, HAT = 42, CRASH = 49 };

static float logits[TOKEN_COUNT];

static struct hand_piece h;

static void apply(bool is_new, int64_t step, int64_t bar)
{
    static uint8_t allowed[TOKEN_COUNT];
    memset(allowed, 1, sizeof allowed);
    memset(logits, 0, sizeof logits);
    allowed[TOKEN_POS] = 0;
    groove_bias_apply(
        &h.piece,
        &(struct groove_place){.step = step, .bar = bar, .has_backbeat = is_new},
        allowed, logits);
    assert_true(logits[TOKEN_POS] == 0);
}

/* In bar `bar`, of a piece whose bars from `first` to before `end` have the groove; phrases begin
 * in bar 0. */
static void bias_between(int first, int end, int bar, int64_t place)
{
    hand_begin(&h, 8);
    h.piece.families[0] = FAMILY_DRUMS;
    for (int i = first; i < end; i++) {
        hand_note(&h, 0, i * BAR, 1, KICK);
        hand_note(&h, 0, i * BAR + 2 * QUARTER, 1, SNARE);
        if (i == 0)
            hand_note(&h, 0, QUARTER, 1, CRASH);
    }
    apply(first == end, bar * BAR + place, bar * BAR);
}

/* Of a piece whose first n_bars have it; of new drums if none has. */
static void bias(int n_bars, int bar, int64_t place)
{
    bias_between(0, n_bars, bar, place);
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
    bias(2, 2, QUARTER);
    apply(true, 7 * BAR + QUARTER / 2, 7 * BAR); /* the groove is long past */
    assert_true(of_hit(HAT) > 1);
}

/* Two bars had none on the second beat. A clap is one, too. */
TEST(a_snare_of_the_backbeat_is_due_in_each_bar_of_new_drums)
{
    enum { CLAP = 39 };
    bias(2, 2, QUARTER);
    assert_true(of_hit(SNARE) < -1);
    assert_true(logits[TOKEN_POS + 2 * QUARTER] > 1);
    apply(true, 2 * BAR + QUARTER, 2 * BAR);
    assert_true(of_hit(SNARE) == 0 && of_hit(HAT) < -3);
    assert_true(logits[TOKEN_POS + 2 * QUARTER] < -2 && logits[TOKEN_BAR] < -3);
    hand_note(&h, 0, 2 * BAR + QUARTER, 1, CLAP);
    apply(true, 2 * BAR + QUARTER, 2 * BAR);
    assert_true(of_hit(HAT) > -1 && logits[TOKEN_POS + 2 * QUARTER] > -1);
}

/* Jazz drums, say. */
TEST(without_a_backbeat_the_model_finds_its_groove)
{
    hand_begin(&h, 8);
    h.piece.families[0] = FAMILY_DRUMS;
    apply(false, QUARTER, 0);
    assert_true(of_hit(SNARE) == 0 && logits[TOKEN_BAR] == 0);
}

/* Where a snare is likelier than the kick: in seven eighths. */
static unsigned snares_of_seven(const int *onsets, int n)
{
    unsigned found = 0;
    hand_begin(&h, 8);
    h.meters[0] = (struct grid_meter){0, 7, 8};
    h.piece.families[0] = FAMILY_DRUMS;
    for (int i = 0; i < n; i++)
        hand_note(&h, 1, onsets[i] * QUARTER / 2, 6, 60);
    for (int i = 0; i < 7; i++) {
        apply(true, i * QUARTER / 2, 0);
        found |= (unsigned)(of_hit(SNARE) > 1) << i;
    }
    return found;
}

/* Two, two and three eighths; or three first, if the music begins notes there. */
TEST(uneven_bars_have_uneven_beats)
{
    static const int THREE_FIRST[] = {0, 3, 5};
    assert_int_equal(snares_of_seven(NULL, 0), 1 << 2 | 1 << 4);
    assert_int_equal(snares_of_seven(THREE_FIRST, 3), 1 << 3 | 1 << 5);
}

/* Keys ascend: a hat cannot be followed by the snare. */
TEST(no_key_of_the_groove_is_passed_by)
{
    bias(0, 0, QUARTER);
    const float hat = of_hit(HAT);
    bias(0, 0, QUARTER / 2);
    assert_true(hat < of_hit(HAT) - 1);
    assert_true(logits[TOKEN_BAR] < -1 && logits[TOKEN_POS + QUARTER] < 0);
    bias(2, 2, 3 * QUARTER); /* nothing is due */
    assert_true(logits[TOKEN_BAR] == 0);
}

/* A hat on each eighth. */
TEST(no_place_of_the_groove_is_passed_by)
{
    bias(0, 0, 1);
    assert_true(logits[TOKEN_POS + QUARTER / 2] > 1);
    assert_true(logits[TOKEN_POS + QUARTER] < 0 &&
                logits[TOKEN_POS + 2 * QUARTER] < -3);
    assert_true(logits[TOKEN_BAR] < -3);
    bias(2, 2, 1); /* the snare alone */
    assert_true(logits[TOKEN_BAR] > -3 && logits[TOKEN_BAR] < -1);
}

/* A bass on the second eighth and the fourth beat: no kick on the third. */
TEST(kicks_of_a_backbeat_are_those_of_the_bass)
{
    static const int PLACES[] = {QUARTER / 2, 2 * QUARTER, 3 * QUARTER};
    bias(0, 0, 0);
    h.piece.families[1] = 4;
    hand_note(&h, 1, QUARTER / 2, QUARTER, 40);
    hand_note(&h, 1, 3 * QUARTER, QUARTER, 40);
    for (int i = 0; i < 3; i++) {
        apply(true, PLACES[i], 0);
        assert_int_equal(of_hit(KICK) > 1, i == 0);
    }
    assert_true(of_hit(SNARE) > 0); /* on the fourth */
}

TEST(a_backbeat_counts_beside_the_bars_that_are_written)
{
    bias(1, 1, 2 * QUARTER);
    assert_true(of_hit(SNARE) > 1 && of_hit(KICK) < -1);
    apply(true, BAR + 2 * QUARTER, BAR);
    assert_true(of_hit(SNARE) < 0 && of_hit(KICK) > 0 && of_hit(CRASH) < -1);
}

TEST(a_groove_after_the_hole_counts)
{
    bias_between(3, 6, 0, 2 * QUARTER);
    assert_true(of_hit(SNARE) > 1 && of_hit(KICK) < -1);
}

/* Of a beat, and each eighth of two. */
TEST(a_fourth_bar_ends_with_a_fill)
{
    enum { TOM = 45 };
    bias(2, 3, 3 * QUARTER);
    assert_true(of_hit(SNARE) > 1 && of_hit(TOM) > 0 && of_hit(HAT) < -1);
    assert_true(logits[TOKEN_POS + 3 * QUARTER + QUARTER / 2] > 0);
    assert_true(logits[TOKEN_POS + 3 * QUARTER + 5] == 0);
    bias(2, 3, 2 * QUARTER);
    assert_true(of_hit(TOM) < -1);
    bias(2, 7, 2 * QUARTER);
    assert_true(of_hit(TOM) > 0);
    bias(2, 2, 3 * QUARTER);
    assert_true(of_hit(TOM) < -1);
}

/* A bass begins on an eighth where the groove has nothing. */
TEST(a_kick_may_join_the_bass)
{
    bias(2, 2, QUARTER / 2);
    assert_true(of_hit(KICK) < -1);
    h.piece.families[1] = 4;
    hand_note(&h, 1, 2 * BAR + QUARTER / 2, QUARTER, 40);
    apply(false, 2 * BAR, 2 * BAR);
    assert_true(logits[TOKEN_POS + QUARTER / 2] > logits[TOKEN_POS + 5]);
    apply(false, 2 * BAR + QUARTER / 2, 2 * BAR);
    assert_true(of_hit(KICK) > 0 && of_hit(SNARE) < -1);
}

/* Eighths or triplets between the beats. */
TEST(a_backbeat_is_for_straight_music_of_bands)
{
    for (int is_swing = 0; is_swing < 2; is_swing++) {
        hand_begin(&h, 2);
        for (int i = 0; i < 8; i++)
            hand_note(&h, 1, i * QUARTER + (is_swing ? 16 : 12), 6, 60);
        assert_int_equal(groove_has_backbeat(&h.piece, STYLE_BAND), !is_swing);
        assert_int_equal(groove_has_backbeat(&h.piece, STYLE_POP), !is_swing);
        assert_false(groove_has_backbeat(&h.piece, STYLE_JAZZ));
        assert_false(groove_has_backbeat(&h.piece, STYLE_LATIN));
    }
}
