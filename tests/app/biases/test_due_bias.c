/* What a track plays in every bar, or in every other one, is due again. */
#include "tests/check.h"
#include "app/biases/due_bias.h"
#include "midi/tokens/tokens.h"
#include "tests/app/hand_piece.h"

enum { TUNE, CHORDS, BASS, N_BARS = 8, BAR = 4 * QUARTER, END = N_BARS * BAR };

static struct hand_piece h;
static struct due_bias b;

static void learn(void)
{
    const bool tracks[TOKEN_MAX_TRACKS] = {true, true, true};
    h.piece.n_bars++;
    due_bias_init(&b, &h.piece, END, tracks, true);
}

/* A bass on the beats, but for one; chords of three at bar lines; a tune with the rhythm of two
 * bars. */
static void begin(void)
{
    hand_begin(&h, N_BARS);
    for (int bar = 0; bar < N_BARS; bar++) {
        const int at = bar * BAR;
        hand_note(&h, TUNE, at + (bar % 2 ? 3 * QUARTER : QUARTER / 2), QUARTER, 72);
        for (int i = 0; i < 3; i++)
            hand_note(&h, CHORDS, at, BAR, 60 + 4 * i);
        for (int i = 0; i < 4 - (bar == 2); i++)
            hand_note(&h, BASS, at + i * QUARTER, QUARTER, 40 + i);
    }
    learn();
}

static int32_t last = TOKEN_PITCH;

static float bias_of(int step, int track, int token)
{
    static uint8_t allowed[TOKEN_COUNT];
    static float logits[TOKEN_COUNT];
    const int bar = step / BAR * BAR;
    memset(allowed, 1, sizeof allowed);
    memset(logits, 0, sizeof logits);
    allowed[TOKEN_PITCH] = 0;
    /* as in the grammar: lengths, or all else */
    memset(allowed + TOKEN_DUR, token >= TOKEN_DUR && token < TOKEN_HIT,
           TOKEN_HIT - TOKEN_DUR);
    due_bias_apply(&b, &h.piece, &(struct due_position){step, bar, 0, track, last},
                   allowed, logits);
    assert_true(logits[TOKEN_PITCH] == 0);
    return logits[token];
}

TEST(a_place_is_not_passed_by)
{
    begin(); /* a bar begins: three notes of a chord and one of the bass are due */
    const float all = bias_of(END, TUNE, TOKEN_POS + 1);
    assert_true(all < -6);
    assert_true(bias_of(END, TUNE, TOKEN_BAR) <= all);
    assert_true(bias_of(END, TUNE, TOKEN_FILL_END) <= all);
    assert_true(bias_of(END, TUNE, TOKEN_POS) == 0);
    assert_true(bias_of(END, TUNE, TOKEN_TRACK + CHORDS) == 0);
    assert_true(bias_of(END, TUNE, TOKEN_TRACK + BASS) < -6); /* after the chord */
    assert_true(bias_of(END, BASS, TOKEN_PITCH + 40) < -6);
}

TEST(what_was_written_is_no_longer_due)
{
    begin();
    for (int i = 0; i < 3; i++)
        hand_note(&h, CHORDS, END, BAR, 60 + 4 * i);
    assert_true(bias_of(END, CHORDS, TOKEN_TRACK + BASS) == 0);
    assert_true(bias_of(END, CHORDS, TOKEN_POS + 1) < -3);
    hand_note(&h, BASS, END, QUARTER, 40);
    assert_true(bias_of(END, BASS, TOKEN_POS + 1) == 0);
    assert_true(bias_of(END, BASS, TOKEN_POS + QUARTER) < -3); /* the tune's eighth */
}

/* One bar in eight may lack a note; of four, none. */
TEST(a_note_that_is_often_missing_is_not_due)
{
    begin();
    assert_int_equal(b.period[BASS], 1);
    assert_true(bias_of(END + 3 * QUARTER, TUNE, TOKEN_BAR) < -3);
    hand_begin(&h, N_BARS);
    for (int bar = 0; bar < N_BARS; bar++)
        for (int i = 0; i < 4 - (bar % 5 == 2); i++)
            hand_note(&h, BASS, bar * BAR + i * QUARTER, QUARTER, 40 + i);
    learn();
    assert_true(bias_of(END + 3 * QUARTER, BASS, TOKEN_BAR) == 0);
    assert_true(bias_of(END + 2 * QUARTER, BASS, TOKEN_BAR) < -3);
}

TEST(a_tune_keeps_the_rhythm_of_two_bars)
{
    begin();
    assert_int_equal(b.period[TUNE], 2);
    assert_true(bias_of(END + QUARTER / 2, BASS, TOKEN_PITCH + 40) < -3);
    assert_true(bias_of(END + QUARTER, TUNE, TOKEN_TRACK + TUNE) < -1); /* a stray */
    assert_true(bias_of(END + BAR + 3 * QUARTER, TUNE, TOKEN_TRACK + TUNE) == 0);
    assert_true(bias_of(END + BAR + 3 * QUARTER, BASS, TOKEN_PITCH + 40) < -3);
}

TEST(a_line_does_not_last_beyond_its_next_note)
{
    begin();
    assert_true(bias_of(END, BASS, TOKEN_DUR + QUARTER - 1) == 0);
    assert_true(bias_of(END, BASS, TOKEN_DUR + QUARTER) < -3);
    assert_true(bias_of(END, BASS, TOKEN_DURX) < -3);
    assert_true(bias_of(END, CHORDS, TOKEN_DUR + BAR - 1) == 0);
}

/* Chords of a bar, which no next note bounds. */
TEST(lengths_are_those_of_the_place)
{
    begin();
    assert_true(bias_of(END, CHORDS, TOKEN_DUR + BAR / 2 - 2) < -3);
    assert_true(bias_of(END, CHORDS, TOKEN_DUR + BAR / 2) == 0);
    assert_true(bias_of(END, CHORDS, TOKEN_DURX) == 0);
    assert_true(bias_of(END, CHORDS, TOKEN_DURX + 1) < -3);
    last = TOKEN_DURX; /* what is left of a length says nothing */
    assert_true(bias_of(END, CHORDS, TOKEN_DUR) == 0);
    last = TOKEN_PITCH;
    assert_true(bias_of(END + QUARTER, CHORDS, TOKEN_DUR) ==
                0); /* as does a new place */
}

TEST(music_that_is_no_bands_is_freer)
{
    begin();
    const float in_band = bias_of(END + 3 * QUARTER, TUNE, TOKEN_BAR);
    due_bias_init(&b, &h.piece, END, (const bool[TOKEN_MAX_TRACKS]){true, true, true},
                  false);
    const float free = bias_of(END + 3 * QUARTER, TUNE, TOKEN_BAR);
    assert_true(free < -0.5f && free > 0.7f * in_band);
    assert_true(bias_of(END + 4 * BAR, TUNE, TOKEN_POS + 1) == 0); /* after four bars */
}

TEST(it_fades)
{
    begin();
    assert_true(bias_of(END + 16 * BAR, TUNE, TOKEN_POS + 1) >
                0.6f * bias_of(END, TUNE, TOKEN_POS + 1));
}

static void expect_nothing(void)
{
    for (int token = 0; token < TOKEN_COUNT; token++)
        assert_true(bias_of(END, BASS, token) == 0);
}

TEST(few_bars_and_other_meters_have_nothing_due)
{
    begin();
    h.meters[1] = (struct grid_meter){END - 2 * BAR, 3, 4};
    h.piece.n_meters = 2;
    learn();
    expect_nothing();
    h.piece.n_meters = 1;
    h.meters[0] = (struct grid_meter){0, 9, 4}; /* bars too long */
    learn();
    expect_nothing();
    hand_begin(&h, 0);
    learn();
    expect_nothing();
}
