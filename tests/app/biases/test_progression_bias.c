/* A piece that repeats its chords is continued over them; one that does not is left alone. */
#include "tests/check.h"
#include "app/biases/progression_bias.h"
#include "midi/tokens/tokens.h"
#include "tests/app/hand_piece.h"

#include <string.h>

enum { Q = STEPS_PER_QUARTER, BAR = 4 * Q };

static const int AM[] = {9, 0, 4}, F[] = {5, 9, 0}, CHORD_C[] = {0, 4, 7},
                 G[] = {7, 11, 2};
static const int *const POP[] = {AM, F, CHORD_C, G};

/* Bars of chords of so many voices, in half notes, over hits; they begin again after
 * `period` bars. */
static struct progression_bias after_with(int n_bars, int period, int n_chords,
                                          int n_voices, bool has_bass)
{
    static struct hand_piece h;
    hand_begin(&h, n_bars);
    h.piece.families[1] = FAMILY_DRUMS;
    for (int half = 0; half < 2 * n_bars; half++) {
        const int bar = half / 2 % period;
        const int *chord = POP[bar % n_chords], other = bar / n_chords * 5;
        for (int i = 0; i < n_voices; i++)
            hand_note(&h, 0, half * 2 * Q, 2 * Q, 48 + (chord[i] + other) % 12);
        hand_note(&h, 1, half * 2 * Q, 1, 36);
        if (has_bass)
            hand_note(&h, 2, half * 2 * Q, 2 * Q, 24 + (chord[0] + other) % 12);
    }
    return progression_bias_of(&h.piece, (int64_t)n_bars * BAR);
}

static struct progression_bias after(int n_bars, int period, int n_chords, int n_voices)
{
    return after_with(n_bars, period, n_chords, n_voices, false);
}

static const struct hand_piece NOTHING = {0};
static const struct piece *so_far = &NOTHING.piece;

static float bias_of_track(const struct progression_bias *b, int track, int64_t step,
                           int pitch)
{
    static uint8_t allowed[TOKEN_COUNT];
    static float logits[TOKEN_COUNT];
    memset(allowed, 1, sizeof allowed);
    memset(logits, 0, sizeof logits);
    allowed[TOKEN_PITCH] = 0;
    progression_bias_apply(b, so_far, track, step, allowed, logits);
    assert_true(logits[TOKEN_PITCH] == 0);
    return logits[TOKEN_PITCH + pitch];
}

static float bias_of(const struct progression_bias *b, int64_t step, int pitch)
{
    return bias_of_track(b, 0, step, pitch);
}

/* Am F C G, and Am F C E: the third phrase is as the first, the fourth as the second. */
TEST(phrases_that_end_unlike_take_turns)
{
    static const int E[] = {4, 8, 11};
    static struct hand_piece h;
    hand_begin(&h, 8);
    h.piece.families[1] = FAMILY_DRUMS;
    for (int bar = 0; bar < 8; bar++) {
        const int *chord = bar == 7 ? E : POP[bar % 4];
        hand_note(&h, 1, bar * BAR, 1, 36);
        for (int i = 0; i < 6; i++)
            hand_note(&h, 0, bar * BAR + i / 3 * 2 * Q, 2 * Q, 48 + chord[i % 3]);
    }
    const struct progression_bias b = progression_bias_of(&h.piece, 8 * BAR);
    assert_int_equal(b.n, 8 * 4);
    assert_true(bias_of(&b, 11 * BAR, 62) > 0.5f && bias_of(&b, 11 * BAR, 64) < 0);
    assert_true(bias_of(&b, 15 * BAR, 64) > 0.5f && bias_of(&b, 15 * BAR, 62) < 0);
}

TEST(the_chords_that_are_due_are_likelier)
{
    for (int n_bars = 8; n_bars <= 10; n_bars++) {
        const struct progression_bias b = after(n_bars, 4, 4, 3);
        assert_int_equal(b.n, 16);
        for (int bar = n_bars; bar < n_bars + 6; bar++)
            for (int i = 0; i < 3; i++) {
                const int64_t step = (int64_t)bar * BAR + Q * (bar % 4);
                const int *due = POP[bar % 4];
                assert_true(bias_of(&b, step, 60 + due[i]) > 0.3f);
                assert_true(bias_of(&b, step, 48 + due[0] + 1) <
                            bias_of(&b, step, 48 + due[i]) - 0.5f);
            }
    }
}

/* A chord's other notes are not the bass's. */
TEST(the_bass_that_is_due_is_likelier)
{
    const struct progression_bias b = after_with(8, 4, 4, 3, true);
    assert_int_equal(b.own, 1 << 0 | 1 << 2);
    for (int bar = 8; bar < 12; bar++) {
        const int *due = POP[bar % 4];
        for (int i = 1; i < 3; i++) {
            assert_true(bias_of_track(&b, 2, (int64_t)bar * BAR, 36 + due[i]) <
                        bias_of_track(&b, 2, (int64_t)bar * BAR, 36 + due[0]) - 2);
            assert_true(bias_of_track(&b, 0, (int64_t)bar * BAR, 60 + due[i]) > 0.3f);
        }
    }
}

/* The riff of a blues in E over hits or not; its first bars are in E, A and E. */
static struct progression_bias after_blues(int n_bars, bool is_blues, bool has_drums)
{
    static const int ROOTS[] = {0, 0, 0, 0, 5, 5, 0, 0, 7, 5, 0, 0},
                     RIFF[] = {0, 7, 9, 10};
    static struct hand_piece h;
    hand_begin(&h, n_bars);
    h.piece.families[2] = FAMILY_DRUMS;
    for (int i = 0; i < 4 * n_bars; i++) {
        const int root = is_blues ? ROOTS[i / 4 % 12] : i / 4 * 3 % 7;
        hand_note(&h, 0, i * Q, Q, 64 + i * i % 7);
        hand_note(&h, 1, i * Q, Q, 40 + root + RIFF[i % 4]);
        if (has_drums)
            hand_note(&h, 2, i * Q, 1, 36);
    }
    return progression_bias_of(&h.piece, (int64_t)n_bars * BAR);
}

TEST(eight_bars_of_a_blues_go_on_with_the_other_four)
{
    static const int E = 4, A = 9, B = 11;
    const int expected[] = {B, A, E, E, E};
    for (int n_bars = 8; n_bars <= 11; n_bars++) {
        const struct progression_bias b = after_blues(n_bars, true, n_bars % 2);
        assert_int_equal(b.n, 48);
        for (int bar = n_bars; bar < 13; bar++)
            for (int i = 0; i < 3; i++) {
                const int due = expected[bar - 8], root = (int[]){E, A, B}[i];
                const float bias = bias_of_track(&b, 1, (int64_t)bar * BAR, 36 + root);
                assert_true(root == due ? bias > 2 : bias < 0);
            }
    }
}

TEST(other_bars_of_a_bass_are_no_blues)
{
    assert_int_equal(after_blues(7, true, false).n, 0);
    assert_int_equal(after_blues(9, false, false).n, 0);
}

/* Bars over four chords, of which a soloist and a bass repeat half. */
static struct progression_bias after_jam(bool has_drums)
{
    static struct hand_piece h;
    hand_begin(&h, 8);
    h.piece.families[1] = FAMILY_DRUMS;
    for (int i = 0; i < 32; i++) {
        const int *chord = POP[i / 4 % 4];
        hand_note(&h, 0, i * Q, Q, 72 + (i < 16 ? 2 * i : 7 * i) % 12);
        for (int k = 0; k < 2; k++)
            hand_note(&h, 2, i * Q, Q, 48 + chord[k]);
        if (has_drums)
            hand_note(&h, 1, i * Q, 1, 36);
    }
    return progression_bias_of(&h.piece, 8 * BAR);
}

TEST(a_band_needs_to_repeat_less)
{
    assert_int_equal(after_jam(true).n, 16);
    assert_int_equal(after_jam(false).n, 0);
}

TEST(a_chord_is_completed)
{
    static struct hand_piece h;
    const struct progression_bias b = after_with(8, 4, 4, 3, true);
    hand_begin(&h, 9);
    const float before = bias_of(&b, 8 * BAR, 57), other = bias_of(&b, 8 * BAR, 60);
    hand_note(&h, 0, 8 * BAR, Q, 45); /* A, at the octave */
    so_far = &h.piece;
    assert_true(bias_of(&b, 8 * BAR, 57) < before - 1);
    assert_true(bias_of(&b, 8 * BAR, 60) == other);
    assert_true(bias_of_track(&b, 2, 8 * BAR, 57) > 0); /* on the other track */
    so_far = &NOTHING.piece;
}

TEST(it_fades)
{
    const struct progression_bias b = after(8, 4, 4, 3);
    const float soon = bias_of(&b, 8 * BAR, 69), late = bias_of(&b, 24 * BAR, 69);
    assert_true(late > 0.4f * soon && late < 0.6f * soon);
}

/* One chord; chords that were heard once, or once and a half; a single line. */
TEST(a_piece_without_a_progression_is_left_alone)
{
    const struct progression_bias found[] = {after(16, 1, 1, 3), after(7, 7, 4, 3),
                                             after(12, 8, 4, 3), after(16, 4, 4, 1),
                                             after(1, 1, 1, 3),  after(0, 1, 1, 3)};
    for (size_t i = 0; i < sizeof found / sizeof *found; i++) {
        assert_int_equal(found[i].n, 0);
        assert_true(bias_of(&found[i], 16 * BAR, 60) == 0);
    }
}
