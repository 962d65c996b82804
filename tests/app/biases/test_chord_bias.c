/* Tracks keep to chords, which are written: C, and G over B from the second bar on; or guessed
 * from the tracks around a part that is missing. */
#include "tests/check.h"
#include "app/biases/chord_bias.h"
#include "midi/tokens/tokens.h"
#include "tests/app/hand_piece.h"

#include <stdlib.h>

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

/* C, F, G and C in two tracks, in whole bars; the bass is missing. */
TEST(chords_are_guessed_from_the_other_tracks)
{
    static const int ROOTS[] = {60, 65, 67, 60}, AT[] = {0, 5, 7, 0};
    struct grid_chord *chords;
    size_t n;
    hand_begin(&hand, 8);
    for (int b = 0; b < 8; b++)
        for (int i = 0; i < 4; i++) {
            const int at = b * BAR + i * QUARTER, root = ROOTS[b % 4];
            hand_note(&hand, CHORDS, at, QUARTER, root + 4); /* inversions */
            hand_note(&hand, CHORDS, at, QUARTER, root + 7);
            hand_note(&hand, CHORDS + 1, at, QUARTER, root + 12);
        }
    assert_int_equal(
        chord_bias_guess(&hand.piece, 1 << BASS, 2 * BAR, 6 * BAR, &chords, &n),
        MIDI_OK);
    for (int b = 2; b < 6; b++) {
        size_t i = 0;
        while (i + 1 < n && chords[i + 1].step <= b * BAR)
            i++;
        assert_true(n > 0 && chords[i].root == AT[b % 4]);
        assert_int_equal(chords[i].bass, chords[i].root);
    }
    free(chords);
    /* nobody else plays */
    assert_int_equal(chord_bias_guess(&hand.piece, 3 << CHORDS, 0, BAR, &chords, &n),
                     MIDI_OK);
    assert_int_equal(n, 0);
    free(chords);
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
