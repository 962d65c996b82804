/* Two lines that never move in parallel keep from it; where they often do, nothing is biased. */
#include "app/biases/voice_leading.h"
#include "midi/tokens/tokens.h"
#include "tests/app/hand_piece.h"
#include "tests/check.h"

enum { UPPER, LOWER, CHORDS, N = 32, END = N * QUARTER };

static struct hand_piece h;
static float logits[TOKEN_COUNT];

static const struct hole LIMITS; /* of missing tracks alone */

/* The lower line's four notes come again and again below the upper one's. */
static struct voice_leading begin(const int *upper, const int *lower)
{
    hand_begin(&h, N / 4 + 1);
    for (int i = 0; i < N; i++) {
        hand_note(&h, UPPER, i * QUARTER, QUARTER, upper[i % 4]);
        hand_note(&h, LOWER, i * QUARTER, QUARTER, lower[i % 4]);
        hand_note(&h, CHORDS, i * QUARTER, QUARTER, 60);
        hand_note(&h, CHORDS, i * QUARTER, QUARTER, 64);
    }
    return voice_leading_of(&h.piece, END, 0, &LIMITS);
}

static float bias_of(const struct voice_leading *v, int track, int64_t step, int pitch)
{
    static uint8_t allowed[TOKEN_COUNT];
    memset(allowed, 1, sizeof allowed);
    memset(logits, 0, sizeof logits);
    allowed[TOKEN_PITCH] = 0;
    voice_leading_apply(v, &h.piece, track, step, allowed, logits);
    assert_true(logits[TOKEN_PITCH] == 0);
    return logits[TOKEN_PITCH + pitch];
}

static const int HIGH[] = {72, 74, 76, 77}, /* C D E F, and below C A G F: */
    LOW[] = {60, 57, 55, 53};               /* similar motion is to sixths and thirds */

/* They move together half of the time, and never in parallel. */
static struct voice_leading strict(void)
{
    static const int UP[] = {72, 74, 76, 79}, DOWN[] = {57, 59, 60, 55};
    return begin(UP, DOWN);
}

TEST(parallel_fifths_and_octaves_cost)
{
    const struct voice_leading v = strict(); /* the last notes are 79 and 55: octaves */
    assert_true(v.parallels < -3);
    hand_note(&h, UPPER, END, QUARTER, 81);
    assert_true(bias_of(&v, LOWER, END, 57) < -3); /* octaves */
    assert_true(bias_of(&v, LOWER, END, 53) == 0); /* contrary */
    assert_true(bias_of(&v, LOWER, END, 60) == 0); /* to a sixth */
    for (size_t i = 0; i < h.piece.n_notes; i++)
        if (h.notes[i].track == LOWER && h.notes[i].step == END - QUARTER)
            h.notes[i].pitch = 60;
    assert_true(bias_of(&v, LOWER, END, 62) < -3); /* 60 79 to 62 81 */
}

TEST(a_line_that_stays_is_not_parallel)
{
    const struct voice_leading v = strict();
    hand_note(&h, UPPER, END, QUARTER, 79);
    assert_true(bias_of(&v, LOWER, END, 67) == 0);
    assert_true(bias_of(&v, LOWER, END, 55) == 0);
}

TEST(crossing_costs)
{
    const struct voice_leading v = strict();
    hand_note(&h, UPPER, END, QUARTER, 72);
    assert_true(bias_of(&v, LOWER, END, 73) < -1);
    assert_true(bias_of(&v, LOWER, END, 71) == 0);
}

TEST(tracks_of_chords_are_free)
{
    const struct voice_leading v = strict();
    assert_int_equal(v.lines, 1 << UPPER | 1 << LOWER);
    hand_note(&h, UPPER, END, QUARTER, 81);
    assert_true(bias_of(&v, CHORDS, END, 57) == 0);
}

TEST(a_rule_that_the_piece_breaks_is_none)
{
    static const int OCTAVES[] = {60, 62, 64, 65};
    const struct voice_leading v = begin(HIGH, OCTAVES);
    hand_note(&h, UPPER, END, QUARTER, 74);
    assert_true(v.parallels == 0);
    assert_true(bias_of(&v, LOWER, END, 62) == 0);
}

/* As at the joint of two phrases. */
TEST(a_rule_that_is_broken_now_and_then_holds)
{
    static const int UP[] = {72, 74, 76, 79}, DOWN[] = {57, 59, 60, 55};
    hand_begin(&h, N / 4 + 1);
    for (int i = 0; i < N; i++) {
        const bool is_joint = i % 8 == 7; /* 76 60 to 79 63, then to 72 57 */
        hand_note(&h, UPPER, i * QUARTER, QUARTER, UP[i % 4]);
        hand_note(&h, LOWER, i * QUARTER, QUARTER, is_joint ? 67 : DOWN[i % 4]);
    }
    for (size_t i = 0; i < h.piece.n_notes; i++)
        if (h.notes[i].track == LOWER && h.notes[i].step / QUARTER % 8 == 6)
            h.notes[i].pitch = 64; /* 76 64 to 79 67: octaves */
    assert_true(voice_leading_of(&h.piece, END, 0, &LIMITS).parallels < -2);
}

static struct voice_leading with_missing(uint64_t missing)
{
    struct hole limits;
    memset(&limits, 0, sizeof limits);
    hole_free_tracks(&limits);
    return voice_leading_of(&h.piece, END, missing, &limits);
}

TEST(a_line_that_is_missing_is_led_too)
{
    enum { MISSING = 3, DRUMS = 4, ORGAN = 5, VIOLA = 6 };
    strict(); /* of pianos, which may be lines, too */
    h.piece.families[DRUMS] = FAMILY_DRUMS;
    h.piece.families[ORGAN] = 2;
    h.piece.families[VIOLA] = 5;
    const struct voice_leading v =
        with_missing(1 << MISSING | 1 << CHORDS | 1 << DRUMS | 1 << ORGAN | 1 << VIOLA);
    assert_int_equal(v.lines, 1 << UPPER | 1 << LOWER | 1 << MISSING | 1 << VIOLA);
    hand_note(&h, MISSING, END - QUARTER, QUARTER, 55);
    hand_note(&h, UPPER, END, QUARTER, 81);
    assert_true(bias_of(&v, MISSING, END, 57) < -3); /* octaves go on */
    assert_true(bias_of(&v, MISSING, END, 53) == 0);
    assert_true(bias_of(&v, MISSING, END, 81) < -4); /* in unison */
}

/* Between a tune and a bass; and below a tune. */
TEST(a_line_that_is_missing_has_a_place)
{
    enum { TUNE, ALTO, TENOR, BASS };
    for (int has_bass = 0; has_bass < 2; has_bass++) {
        hand_begin(&h, N / 4 + 1);
        for (int i = 0; i < N; i++) {
            hand_note(&h, TUNE, i * QUARTER, QUARTER, 72 + i % 2 * 2);
            if (has_bass)
                hand_note(&h, BASS, i * QUARTER, QUARTER, 48 - i % 2);
        }
        const struct voice_leading v = with_missing(1 << ALTO | 1 << TENOR);
        assert_int_equal(v.rank[TUNE], 0);
        assert_int_equal(v.rank[ALTO], 1);
        assert_int_equal(v.rank[TENOR], 2);
        hand_note(&h, TUNE, END, QUARTER, 72);
        const float alto = has_bass ? 64.5 : 66, tenor = has_bass ? 56 : 59;
        assert_true(v.mean[ALTO] > alto - 1 && v.mean[ALTO] < alto + 1);
        assert_true(v.mean[TENOR] > tenor - 1 && v.mean[TENOR] < tenor + 1);
        assert_true(bias_of(&v, ALTO, END, 65) == 0);
        assert_true(bias_of(&v, TENOR, END, 57) == 0);
        assert_true(bias_of(&v, ALTO, END, 76) < -1);  /* above the tune */
        assert_true(bias_of(&v, TENOR, END, 41) < -2); /* far away */
        assert_true(bias_of(&v, ALTO, END, 72) < -1);  /* in unison */
        assert_true(bias_of(&v, ALTO, END, 60) < 0);   /* an octave below */
    }
}

/* Beside a tune alone, or between a tune and a bass that are far apart: a bass needs its low notes. */
TEST(a_line_that_has_much_room_has_no_place)
{
    enum { TUNE, CELLO, BASS };
    for (int has_bass = 0; has_bass < 2; has_bass++) {
        hand_begin(&h, N / 4 + 1);
        for (int i = 0; i < N; i++) {
            hand_note(&h, TUNE, i * QUARTER, QUARTER, 72 + i % 2 * 2);
            if (has_bass)
                hand_note(&h, BASS, i * QUARTER, QUARTER, 36 - i % 2);
        }
        h.piece.families[CELLO] = 5;
        const struct voice_leading v = with_missing(1 << CELLO);
        assert_int_equal(v.placed, 0);
        assert_int_equal(v.rank[CELLO], 1);
        assert_true(bias_of(&v, CELLO, END, 43) == 0);
        assert_true(bias_of(&v, CELLO, END, 67) == 0);
    }
    h.piece.families[CELLO] = 4;
    assert_int_equal(with_missing(1 << CELLO).ranked, 1 << TUNE | 1 << BASS);
}

TEST(a_few_notes_say_nothing)
{
    begin(HIGH, LOW);
    const struct voice_leading v = voice_leading_of(&h.piece, 4 * QUARTER, 0, &LIMITS);
    assert_int_equal(v.lines, 0);
}
