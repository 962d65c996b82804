/* Tracks keep to chords: C, and G over B from the second bar on. */
#include "tests/check.h"
#include "app/biases/chord_bias.h"
#include "midi/tokens/tokens.h"
#include "tests/app/hand_piece.h"

enum { BASS, CHORDS, BAR = 4 * QUARTER };

static float logits[TOKEN_COUNT];
static struct hand_piece hand;
static struct grid_chord hand_chords[] = {{.root = 0, .bass = 0},
                                          {.step = BAR, .root = 7, .bass = 11}};

static const struct chord_bias WRITTEN = {hand_chords, 2, BASS, 1};

/* The logits that were 0, for a note at that step; of lengths, for that pitch. */
static void bias(bool is_bass, int64_t step, int pitch)
{
    static uint8_t allowed[TOKEN_COUNT];
    hand_begin(&hand, 4);
    memset(allowed, 1, sizeof allowed);
    memset(logits, 0, sizeof logits);
    allowed[TOKEN_PITCH + 1] = 0;
    chord_bias_pitches(&WRITTEN, &hand.piece, is_bass ? BASS : CHORDS, step, allowed,
                       logits);
    chord_bias_lengths(&WRITTEN, step, pitch, allowed, logits);
    assert_true(logits[TOKEN_PITCH + 1] == 0);
}

static float of_pitch(int pitch)
{
    return logits[TOKEN_PITCH + pitch];
}

TEST(notes_of_the_chord_are_likelier)
{
    for (int64_t step = 0; step < 2 * BAR; step += BAR) {
        const int third = step ? 71 : 64;
        bias(false, step, -1);
        assert_true(of_pitch(67) == 0 && of_pitch(third) == 0);
        assert_true(of_pitch(63) < -1 && of_pitch(step ? 72 : 71) < -1);
        const float on_beat = of_pitch(63);
        bias(false, step + QUARTER / 2, -1);
        assert_true(of_pitch(63) < 0 && of_pitch(63) > on_beat);
    }
}

TEST(a_bass_begins_a_chord_with_its_bass)
{
    bias(true, BAR, -1);
    assert_true(of_pitch(35) > 1 && of_pitch(43) == 0);
    bias(true, BAR + QUARTER, -1);
    assert_true(of_pitch(35) == 0 && of_pitch(43) == 0);
    bias(false, BAR, -1);
    assert_true(of_pitch(35) == 0);
}

TEST(a_chord_costs_what_its_classes_cost)
{
    static const float COST[12] = {[4] = 1, [10] = 2, [11] = 4};
    const struct grid_chord seventh = {.quality = CHORD_DOMINANT7, .bass = 11};
    assert_true(chord_bias_cost(&hand_chords[0], COST) == 1);
    assert_true(chord_bias_cost(&seventh, COST) == 3); /* without its bass */
}

/* The first note of a chord is the lowest: the others need not be the root, too. */
TEST(only_the_lowest_note_is_the_bass)
{
    static uint8_t allowed[TOKEN_COUNT];
    bias(true, BAR, -1);
    hand_note(&hand, BASS, BAR, QUARTER, 35);
    memset(allowed, 1, sizeof allowed);
    memset(logits, 0, sizeof logits);
    chord_bias_pitches(&WRITTEN, &hand.piece, BASS, BAR, allowed, logits);
    assert_true(of_pitch(47) == 0 && of_pitch(43) == 0 && of_pitch(48) < -1);
}

/* A and B flat lead to B, F does not. */
TEST(the_next_bass_may_be_approached)
{
    bias(true, BAR - QUARTER, -1);
    assert_true(of_pitch(33) == 0 && of_pitch(34) == 0 && of_pitch(41) < -1);
    bias(true, BAR - 2 * QUARTER, -1);
    assert_true(of_pitch(33) < -1 && of_pitch(34) < -1);
}

/* E is not in the next chord, G is. */
TEST(a_note_ends_before_a_chord_that_lacks_it)
{
    bias(false, BAR - QUARTER, 64);
    assert_true(logits[TOKEN_DUR + QUARTER - 1] == 0 &&
                logits[TOKEN_DUR + QUARTER] < -1 && logits[TOKEN_DURX] < -1);
    bias(false, BAR - QUARTER, 67);
    assert_true(logits[TOKEN_DUR + QUARTER] == 0 && logits[TOKEN_DURX] == 0);
    bias(false, BAR, 64); /* nothing comes after it */
    assert_true(logits[TOKEN_DURX] == 0);
}

/* Whether they pass by a beginning: two positions, of 3 and of 100 steps after `base`, and the
 * bar line. */
static int count_turned_away(int64_t step, int64_t last, int64_t base)
{
    const int64_t bar = step / BAR * BAR;
    bias(false, step, -1);
    static uint8_t allowed[TOKEN_COUNT];
    memset(allowed, 1, sizeof allowed);
    memset(logits, 0, sizeof logits);
    chord_bias_onsets(&WRITTEN, &hand.piece, step, bar, last, base, allowed, logits);
    assert_true(logits[TOKEN_POS] == 0 && logits[TOKEN_PITCH + 60] == 0);
    return (logits[TOKEN_POS + 3] < -1) + (logits[TOKEN_POSX] < -1) +
           (logits[TOKEN_BAR] < -1);
}

TEST(a_bar_and_a_chord_begin_with_a_note)
{
    assert_int_equal(count_turned_away(0, -1, 0), 3);
    assert_int_equal(count_turned_away(0, 0, 0), 0); /* it did */
    hand_chords[1].step = BAR + 2;                   /* POS + 3 is after it */
    assert_int_equal(count_turned_away(BAR, BAR, 0), 3);
    hand_chords[1].step = BAR + 50;
    assert_int_equal(count_turned_away(BAR, BAR, 0), 2);
    assert_int_equal(count_turned_away(BAR + 60, BAR, 0), 0); /* it is past */
    hand_chords[1].step = BAR;
}
