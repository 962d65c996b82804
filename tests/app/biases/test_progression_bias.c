/* A piece that repeats its chords is continued over them; one that does not is left alone. */
#include "tests/check.h"
#include "app/biases/progression_bias.h"
#include "tests/app/biases/rule.h"

enum { CHORDS, KIT, BASS, Q = QUARTER, BAR = 4 * Q };

static struct progression_bias b;
static const struct hand_piece NOTHING;
static const struct piece *so_far = &NOTHING.piece;

static void apply(int64_t step, int track)
{
    const struct place *at = place_at(step, track);
    said.p = so_far;
    progression_bias_apply(&b, at);
}

static const int POP[][3] = {
    {9, 0, 4}, {5, 9, 0}, {0, 4, 7}, {7, 11, 2}}; /* Am F C G */

static void begin(int n_bars)
{
    hand_begin(&h, n_bars);
    h.piece.families[KIT] = FAMILY_DRUMS;
}

/* Half notes of a chord, so many voices of it, in a bar; a bass, or none. */
static void put_bar(int bar, const int *chord, int n_voices, bool has_bass, int up)
{
    for (int at = bar * BAR; at < (bar + 1) * BAR; at += 2 * Q) {
        for (int i = 0; i < n_voices; i++)
            hand_note(&h, CHORDS, at, 2 * Q, 48 + (chord[i] + up) % 12);
        hand_note(&h, KIT, at, 1, 36);
        if (has_bass)
            hand_note(&h, BASS, at, 2 * Q, 24 + (chord[0] + up) % 12);
    }
}

/* Bars of chords that begin again after `period` bars. */
static int after(int n_bars, int period, int n_chords, int n_voices, bool has_bass)
{
    begin(n_bars);
    for (int i = 0; i < n_bars; i++)
        put_bar(i, POP[i % period % n_chords], n_voices, has_bass,
                i % period / n_chords * 5);
    b = progression_bias_of(&h.piece, (int64_t)n_bars * BAR);
    return b.n;
}

/* Am F C G, and Am F C E: the third phrase is as the first, the fourth as the second. */
TEST(phrases_that_end_unlike_take_turns)
{
    static const int E[] = {4, 8, 11};
    begin(8);
    for (int bar = 0; bar < 8; bar++)
        put_bar(bar, bar == 7 ? E : POP[bar % 4], 3, false, 0);
    b = progression_bias_of(&h.piece, 8 * BAR);
    assert_int_equal(b.n, 8 * 4);
    says(11 * BAR, CHORDS, "p62 > 0.5, p64 < 0");
    says(15 * BAR, CHORDS, "p64 > 0.5, p62 < 0");
}

TEST(the_chords_that_are_due_are_likelier)
{
    static const char *const DUE[] = {"p69 > 0.3, p60 > 0.3, p64 > 0.3, p58 < p57 - "
                                      "0.5, p58 < p48 - 0.5, p58 < p52 - 0.5",
                                      "p65 > 0.3, p69 > 0.3, p60 > 0.3, p54 < p53 - "
                                      "0.5, p54 < p57 - 0.5, p54 < p48 - 0.5",
                                      "p60 > 0.3, p64 > 0.3, p67 > 0.3, p49 < p48 - "
                                      "0.5, p49 < p52 - 0.5, p49 < p55 - 0.5",
                                      "p67 > 0.3, p71 > 0.3, p62 > 0.3, p56 < p55 - "
                                      "0.5, p56 < p59 - 0.5, p56 < p50 - 0.5"};
    for (int n_bars = 8; n_bars <= 10; n_bars++) {
        assert_int_equal(after(n_bars, 4, 4, 3, false), 16);
        for (int bar = n_bars; bar < n_bars + 6; bar++)
            says((int64_t)bar * BAR + Q * (bar % 4), CHORDS, DUE[bar % 4]);
    }
}

/* A chord's other notes are not the bass's. */
TEST(the_bass_that_is_due_is_likelier)
{
    after(8, 4, 4, 3, true);
    assert_int_equal(b.own, 1 << CHORDS | 1 << BASS);
    says(8 * BAR, BASS, "p36 < p45 - 2, p40 < p45 - 2");
    says(9 * BAR, BASS, "p45 < p41 - 2, p36 < p41 - 2");
    says(11 * BAR, BASS, "p47 < p43 - 2, p38 < p43 - 2");
    says(11 * BAR, CHORDS, "p71 > 0.3, p62 > 0.3");
}

/* The riff of a blues in E over hits or not; its first bars are in E, A and E. */
static int after_blues(int n_bars, bool is_blues, bool has_drums)
{
    static const int ROOTS[] = {0, 0, 0, 0, 5, 5, 0, 0, 7, 5, 0, 0},
                     RIFF[] = {0, 7, 9, 10};
    hand_begin(&h, n_bars);
    h.piece.families[2] = FAMILY_DRUMS;
    for (int i = 0; i < 4 * n_bars; i++) {
        const int root = is_blues ? ROOTS[i / 4 % 12] : i / 4 * 3 % 7;
        hand_note(&h, 0, i * Q, Q, 64 + i * i % 7);
        hand_note(&h, 1, i * Q, Q, 40 + root + RIFF[i % 4]);
        if (has_drums)
            hand_note(&h, 2, i * Q, 1, 36);
    }
    b = progression_bias_of(&h.piece, (int64_t)n_bars * BAR);
    return b.n;
}

TEST(eight_bars_of_a_blues_go_on_with_the_other_four)
{
    static const char *const ROOTS[] = {"p47 > 2, p40 < 0, p45 < 0",
                                        "p45 > 2, p40 < 0, p47 < 0",
                                        "p40 > 2, p45 < 0, p47 < 0"};
    for (int n_bars = 8; n_bars <= 11; n_bars++) {
        assert_int_equal(after_blues(n_bars, true, n_bars % 2), 48);
        for (int bar = n_bars; bar < 13; bar++)
            says((int64_t)bar * BAR, 1, ROOTS[bar > 10 ? 2 : bar - 8]);
    }
    assert_int_equal(after_blues(7, true, false), 0);
    assert_int_equal(after_blues(9, false, false), 0); /* which is no blues */
}

/* Bars over four chords, of which a soloist and a bass repeat half. */
static int after_jam(bool has_drums)
{
    begin(8);
    for (int i = 0; i < 32; i++)
        hand_note(&h, 0, i * Q, Q, 72 + (i < 16 ? 2 * i : 7 * i) % 12);
    hand_play(&h, 2, 0, 8 * BAR, 48,
              "1q: 9+0 9+0 9+0 9+0 5+9 5+9 5+9 5+9 "
              "0+4 0+4 0+4 0+4 7+11 7+11 7+11 7+11");
    if (has_drums)
        hand_play(&h, KIT, 0, 8 * BAR, 0, "1q/1: 36");
    return progression_bias_of(&h.piece, 8 * BAR).n;
}

TEST(a_band_needs_to_repeat_less)
{
    assert_int_equal(after_jam(true), 16);
    assert_int_equal(after_jam(false), 0);
}

TEST(a_chord_is_completed)
{
    after(8, 4, 4, 3, true);
    hand_begin(&h, 9);
    says(8 * BAR, CHORDS, "p57 > 0");
    const double before = nats("p57"), other = nats("p60");
    hand_note(&h, CHORDS, 8 * BAR, Q, 45); /* A, at the octave */
    so_far = &h.piece;
    says(8 * BAR, CHORDS, "p57 < 9");
    assert_true(nats("p57") < before - 1 && nats("p60") == other);
    says(8 * BAR, BASS, "p57 > 0"); /* on the other track */
    so_far = &NOTHING.piece;
}

TEST(it_fades)
{
    after(8, 4, 4, 3, false);
    const double soon = nats_at(8 * BAR, CHORDS, "p69");
    assert_float_equal(nats_at(24 * BAR, CHORDS, "p69"), 0.5 * soon, 0.1 * soon);
}

/* One chord; chords that were heard once, or once and a half; a single line. */
TEST(a_piece_without_a_progression_is_left_alone)
{
    static const int CASES[][4] = {{16, 1, 1, 3}, {7, 7, 4, 3}, {12, 8, 4, 3},
                                   {16, 4, 4, 1}, {1, 1, 1, 3}, {0, 1, 1, 3}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        const int *c = CASES[i];
        assert_int_equal(after(c[0], c[1], c[2], c[3], false), 0);
        says(16 * BAR, CHORDS, "p60 = 0");
    }
}
