/* The riff of two guitars is kept over whatever the bar begins with; a tune has no figure. */
#include "app/biases/figure_bias.h"
#include "midi/tokens/tokens.h"
#include "tests/app/hand_piece.h"
#include "tests/check.h"

#include <math.h>

enum {
    TUNE,
    RIFF,
    N_BARS = 8,
    BAR = 4 * QUARTER,
    EIGHTH = QUARTER / 2,
    END = N_BARS * BAR
};

static struct hand_piece h;
static struct figure_bias f;

/* In each bar a root, and on eighths a fifth and a sixth above it, a tune above. */
static void begin(void)
{
    static const int ROOTS[] = {40, 45, 43, 38}, TUNE_AT[] = {0, 5, 3, 7, 2, 6, 1, 4};
    hand_begin(&h, N_BARS);
    for (int b = 0; b < N_BARS; b++) {
        const int root = ROOTS[b % 4];
        hand_note(&h, TUNE, b * BAR + TUNE_AT[b] * EIGHTH, QUARTER + b,
                  72 + TUNE_AT[b]);
        for (int i = 0; i < 8; i++)
            hand_note(&h, RIFF, b * BAR + i * EIGHTH, EIGHTH,
                      root + (i % 4 == 1   ? 7
                              : i % 4 == 3 ? 9
                                           : 0));
    }
    h.piece.n_bars++;
    figure_bias_init(&f, &h.piece, END);
}

static float bias_of(int track, int64_t step, int token)
{
    static uint8_t allowed[TOKEN_COUNT];
    static float logits[TOKEN_COUNT];
    memset(allowed, 1, sizeof allowed);
    memset(logits, 0, sizeof logits);
    allowed[TOKEN_PITCH] = 0;
    figure_bias_apply(&f, &h.piece, track, step, allowed, logits);
    assert_true(logits[TOKEN_PITCH] == 0);
    return logits[token];
}

TEST(a_riff_is_kept_from_its_first_note)
{
    begin();
    hand_note(&h, RIFF, END, EIGHTH, 41); /* F, which it never began with */
    assert_true(bias_of(RIFF, END + EIGHTH, TOKEN_PITCH + 48) > 1); /* a fifth */
    assert_true(bias_of(RIFF, END + EIGHTH, TOKEN_PITCH + 49) < 0);
    assert_true(bias_of(RIFF, END + 3 * EIGHTH, TOKEN_PITCH + 49) >
                1); /* minor sixth, */
    assert_true(bias_of(RIFF, END + 3 * EIGHTH, TOKEN_PITCH + 50) > 1); /* and major */
}

/* What it says is which note comes, not whether one does. */
TEST(the_pitches_are_together_as_likely_as_before)
{
    double sum = 0;
    begin();
    hand_note(&h, RIFF, END, EIGHTH, 41);
    for (int pitch = 1; pitch < 128; pitch++)
        sum += exp((double)bias_of(RIFF, END + EIGHTH, TOKEN_PITCH + pitch));
    assert_true(fabs(sum - 127) < 0.1);
}

TEST(its_rhythm_is_kept)
{
    begin();
    const int off = EIGHTH / 2;
    assert_true(bias_of(RIFF, END + off, TOKEN_TRACK + RIFF) < -1);
    assert_true(bias_of(RIFF, END + off, TOKEN_VEL) < -1);
    assert_true(bias_of(RIFF, END + EIGHTH, TOKEN_TRACK + RIFF) == 0);
    assert_true(bias_of(RIFF, END + off, TOKEN_TRACK + TUNE) == 0);
}

TEST(its_lengths_are_kept)
{
    begin();
    hand_note(&h, RIFF, END, EIGHTH, 41);
    assert_true(bias_of(RIFF, END, TOKEN_DUR + EIGHTH - 1) > 1);
    assert_true(bias_of(RIFF, END, TOKEN_DUR + EIGHTH) < -1);
    assert_true(bias_of(RIFF, END, TOKEN_DURX) < -1);
}

/* A fill, or a half cadence. */
TEST(one_odd_last_bar_is_not_the_usual_length)
{
    begin();
    for (size_t i = 0; i < h.piece.n_notes; i++)
        if (h.notes[i].track == RIFF && h.notes[i].step >= END - BAR)
            h.notes[i].length = EIGHTH / 2;
    figure_bias_init(&f, &h.piece, END);
    hand_note(&h, RIFF, END, EIGHTH, 41);
    assert_true(bias_of(RIFF, END, TOKEN_DUR + EIGHTH - 1) > 1);
    assert_true(bias_of(RIFF, END, TOKEN_DUR + EIGHTH / 2 - 1) < -1);
}

TEST(lengths_that_vary_are_free)
{
    begin();
    for (size_t i = 0; i < h.piece.n_notes; i++)
        if (h.notes[i].track == RIFF && h.notes[i].step / BAR % 3 == 0)
            h.notes[i].length = EIGHTH / 2;
    figure_bias_init(&f, &h.piece, END);
    hand_note(&h, RIFF, END, EIGHTH, 41);
    assert_true(bias_of(RIFF, END, TOKEN_DUR + EIGHTH - 1) == 0);
    assert_true(bias_of(RIFF, END, TOKEN_DUR + EIGHTH / 2 - 1) == 0);
}

/* First inversions on two beats of each bar. */
TEST(any_chord_may_stand_on_the_bass_of_inversions)
{
    static const int ROOTS[] = {60, 65, 67, 60};
    hand_begin(&h, N_BARS);
    for (int i = 0; i < 2 * N_BARS; i++) {
        const int at = i * 2 * QUARTER, root = ROOTS[i / 2 % 4];
        hand_note(&h, TUNE, at + i % 3 * EIGHTH, QUARTER + i, 79 + i * 5 % 7);
        hand_note(&h, RIFF, at, QUARTER, root + 4);
        hand_note(&h, RIFF, at, QUARTER, root + 7);
        hand_note(&h, RIFF, at, QUARTER, root + 12);
    }
    h.piece.n_bars++;
    figure_bias_init(&f, &h.piece, END);
    assert_true(f.tracks[RIFF].has_rhythm && !f.tracks[RIFF].has_intervals);
    hand_note(&h, RIFF, END, QUARTER, 60);
    for (int above = 1; above < 12; above++) /* so a fifth as well as a sixth */
        assert_true(bias_of(RIFF, END, TOKEN_PITCH + 60 + above) == 0);
}

TEST(a_bar_begins_near_where_bars_did)
{
    begin();
    assert_true(bias_of(RIFF, END, TOKEN_PITCH + 43) ==
                bias_of(RIFF, END, TOKEN_PITCH + 40));
    assert_true(bias_of(RIFF, END, TOKEN_PITCH + 57) <
                bias_of(RIFF, END, TOKEN_PITCH + 40) - 4);
}

TEST(a_bar_begins_on_a_class_that_bars_began_with)
{
    begin(); /* on 40, 45, 43 and 38, one bar each */
    assert_true(bias_of(RIFF, END, TOKEN_PITCH + 41) <
                bias_of(RIFF, END, TOKEN_PITCH + 40) - 1);
    assert_true(bias_of(RIFF, END, TOKEN_PITCH + 38) < /* as the bar before */
                bias_of(RIFF, END, TOKEN_PITCH + 40) - 2);
}

TEST(a_tune_has_no_figure)
{
    begin();
    assert_false(f.tracks[TUNE].has_rhythm || f.tracks[TUNE].has_intervals);
    for (int token = TOKEN_PITCH + 1; token < TOKEN_DURX; token++)
        assert_true(bias_of(TUNE, END, token) == 0);
}

TEST(few_bars_and_crowded_ones_have_no_figure)
{
    begin();
    figure_bias_init(&f, &h.piece, 3 * BAR);
    assert_false(f.tracks[RIFF].has_rhythm || f.tracks[RIFF].has_intervals);
    hand_begin(&h, N_BARS);
    for (int i = 0; i < 24 * N_BARS; i++)
        hand_note(&h, RIFF, i * 4, 4, 60);
    figure_bias_init(&f, &h.piece, END);
    assert_false(f.tracks[RIFF].has_rhythm || f.tracks[RIFF].has_intervals);
}
