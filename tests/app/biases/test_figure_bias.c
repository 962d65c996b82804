/* The riff of two guitars is kept over whatever the bar begins with; a tune has no figure. */
#include "tests/check.h"
#include "app/biases/figure_bias.h"
#include "tests/app/biases/rule.h"

enum {
    TUNE,
    RIFF,
    N_BARS = 8,
    BAR = 4 * QUARTER,
    EIGHTH = QUARTER / 2,
    END = N_BARS * BAR
};

static struct figure_bias f;

static void apply(int64_t step, int track)
{
    figure_bias_apply(&f, place_at(step, track));
}

static void learn(void)
{
    figure_bias_init(&f, &h.piece, END);
}

/* In each bar a root, and on eighths a fifth and a sixth above it, a tune above. */
FIXTURE(begin)
{
    static const int ROOTS[] = {40, 45, 43, 38}, TUNE_AT[] = {0, 5, 3, 7, 2, 6, 1, 4};
    hand_begin(&h, N_BARS);
    for (int b = 0; b < N_BARS; b++) {
        hand_note(&h, TUNE, b * BAR + TUNE_AT[b] * EIGHTH, QUARTER + b,
                  72 + TUNE_AT[b]);
        hand_play(&h, RIFF, b * BAR, (b + 1) * BAR, ROOTS[b % 4], "1e: 0 7 0 9");
    }
    h.piece.n_bars++;
    learn();
    return 0;
}

#define FIGURE_TEST(name) TEST_IN(name, begin, NULL)

/* F, which it never began with. */
static void begin_a_bar(void)
{
    hand_note(&h, RIFF, END, EIGHTH, 41);
}

static void shorten(bool (*is)(const struct grid_note *n))
{
    for (size_t i = 0; i < h.piece.n_notes; i++)
        if (h.notes[i].track == RIFF && is(&h.notes[i]))
            h.notes[i].length = EIGHTH / 2;
    learn();
    begin_a_bar();
}

/* The pitches are together as likely as before: what it says is which note comes, not whether one
 * does. */
FIGURE_TEST(a_riff_is_kept_from_its_first_note)
{
    double sum = 0;
    begin_a_bar();
    says(END + EIGHTH, RIFF, "p48 > 1, p49 < 0"); /* a fifth */
    for (int pitch = 1; pitch < 128; pitch++)
        sum += exp((double)added[TOKEN_PITCH + pitch]);
    assert_true(fabs(sum - 127) < 0.1);
    says(END + 3 * EIGHTH, RIFF, "p49 > 1, p50 > 1"); /* minor sixth, and major */
}

FIGURE_TEST(its_rhythm_and_its_lengths_are_kept)
{
    says(END + EIGHTH / 2, RIFF, "t1 < -1, v < -1, t0 = 0");
    says(END + EIGHTH, RIFF, "t1 = 0");
    begin_a_bar();
    says(END, RIFF, "d1e > 1, d13 < -1, dx < -1");
}

static bool is_last(const struct grid_note *n)
{
    return n->step >= END - BAR;
}

/* A fill, or a half cadence. */
FIGURE_TEST(one_odd_last_bar_is_not_the_usual_length)
{
    shorten(is_last);
    says(END, RIFF, "d1e > 1, d6 < -1");
}

static bool is_of_third_bar(const struct grid_note *n)
{
    return n->step / BAR % 3 == 0;
}

FIGURE_TEST(lengths_that_vary_are_free)
{
    shorten(is_of_third_bar);
    says(END, RIFF, "d1e = 0, d6 = 0");
}

/* First inversions on two beats of each bar: a fifth is as free as a sixth. */
FIGURE_TEST(any_chord_may_stand_on_the_bass_of_inversions)
{
    static const int ROOTS[] = {60, 65, 67, 60};
    hand_begin(&h, N_BARS);
    for (int i = 0; i < 2 * N_BARS; i++) {
        const int at = i * 2 * QUARTER;
        hand_note(&h, TUNE, at + i % 3 * EIGHTH, QUARTER + i, 79 + i * 5 % 7);
        hand_play(&h, RIFF, at, at + 1, ROOTS[i / 2 % 4], "1q: 4+7+12");
    }
    h.piece.n_bars++;
    learn();
    assert_true(f.tracks[RIFF].has_rhythm && !f.tracks[RIFF].has_intervals);
    hand_note(&h, RIFF, END, QUARTER, 60);
    ask(END, RIFF);
    for (int above = 1; above < 12; above++)
        assert_true(added[TOKEN_PITCH + 60 + above] == 0);
}

/* On 40, 45, 43 and 38, one bar each. */
FIGURE_TEST(a_bar_begins_near_where_bars_did_and_on_their_classes)
{
    says(END, RIFF, "p43 = p40, p57 < p40 - 4, p41 < p40 - 1");
    says(END, RIFF, "p38 < p40 - 2"); /* as the bar before */
}

FIGURE_TEST(a_tune_has_no_figure)
{
    assert_false(f.tracks[TUNE].has_rhythm || f.tracks[TUNE].has_intervals);
    says_nothing(END, TUNE);
}

FIGURE_TEST(few_bars_and_crowded_ones_have_no_figure)
{
    figure_bias_init(&f, &h.piece, 3 * BAR);
    assert_false(f.tracks[RIFF].has_rhythm || f.tracks[RIFF].has_intervals);
    hand_begin(&h, N_BARS);
    hand_play(&h, RIFF, 0, END, 0, "4: 60");
    learn();
    assert_false(f.tracks[RIFF].has_rhythm || f.tracks[RIFF].has_intervals);
}
