/* Two lines that never move in parallel keep from it; where they often do, nothing is biased. */
#include "tests/check.h"
#include "app/biases/rules.h"
#include "tests/app/biases/rule.h"

enum { UPPER, LOWER, CHORDS, MISSING, N = 32, END = N * QUARTER };

static const struct hole LIMITS; /* of missing tracks alone */
static struct voice_leading v;
static const struct grid_chord G7 = {0, 7, CHORD_DOMINANT7, 7};
static bool is_dominant;

static void apply(int64_t step, int track)
{
    struct rules r = {.voice_leading = v, .chords = {&G7, is_dominant, -1, 1, false}};
    voice_leading_apply(&r, place_at(step, track));
}

/* The four notes of each line come again and again, over chords. */
static void begin(const char *upper, const char *lower)
{
    hand_begin(&h, N / 4 + 1);
    hand_play(&h, UPPER, 0, END, 0, upper);
    hand_play(&h, LOWER, 0, END, 0, lower);
    hand_play(&h, CHORDS, 0, END, 0, "1q: 60+64");
    v = voice_leading_of(&h.piece, END, 0, &LIMITS);
}

/* They move together half of the time, and never in parallel; the last notes are octaves. */
FIXTURE(strict)
{
    begin("1q: 72 74 76 79", "1q: 57 59 60 55");
    return 0;
}

static void upper_goes_to(int pitch)
{
    hand_note(&h, UPPER, END, QUARTER, pitch);
}

/* The lower line's note in the n-th of each eight quarters is another; -1: the very last one. */
static void lower_has(int n, int pitch)
{
    for (size_t i = 0; i < h.piece.n_notes; i++)
        if (h.notes[i].track == LOWER && (n < 0 ? h.notes[i].step == END - QUARTER
                                                : h.notes[i].step / QUARTER % 8 == n))
            h.notes[i].pitch = (uint8_t)pitch;
}

TEST_IN(parallel_fifths_and_octaves_cost, strict, NULL)
{
    assert_true(v.parallels < -3);
    upper_goes_to(81);
    says(END, LOWER, "p57 < -11, p45 < -11, p53 = 0, p60 = 0"); /* octaves, two ways */
    lower_has(-1, 60);
    says(END, LOWER, "p62 < -3"); /* 60 79 to 62 81 */
}

TEST_IN(a_line_that_stays_is_not_parallel, strict, NULL)
{
    upper_goes_to(79);
    says(END, LOWER, "p67 = 0, p55 = 0");
}

TEST_IN(crossing_costs, strict, NULL)
{
    upper_goes_to(72);
    says(END, LOWER, "p73 < -1, p71 = 0");
}

TEST_IN(tracks_of_chords_are_free, strict, NULL)
{
    assert_int_equal(v.lines, 1 << UPPER | 1 << LOWER);
    upper_goes_to(81);
    says(END, CHORDS, "p57 = 0");
}

TEST(a_rule_that_the_piece_breaks_is_none)
{
    begin("1q: 72 74 76 77", "1q: 60 62 64 65");
    upper_goes_to(74);
    assert_true(v.parallels == 0);
    says(END, LOWER, "p62 = 0");
}

/* As at the joint of two phrases: 76 64 to 79 67, octaves, and then to 72 57. */
TEST_IN(a_rule_that_is_broken_now_and_then_holds, strict, NULL)
{
    lower_has(6, 64);
    lower_has(7, 67);
    assert_true(voice_leading_of(&h.piece, END, 0, &LIMITS).parallels < -2);
}

/* C and F in three lines, and then C and G: the bass adds the E, on a beat. */
TEST(chords_keep_their_third)
{
    enum { BASS = MISSING };
    static const struct {
        const char *upper, *lower, *bass;
    } CASES[] = {{"1q: 76 77", "1q: 67 69",
                  "p48 < -2, p43 < -2, p52 = 0"}, /* the third is on top, */
                 {"1q: 79 77", "1q: 67 72", "p48 = 0, p52 = 0"}}; /* or is nowhere */
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        hand_begin(&h, N / 4 + 1);
        hand_play(&h, UPPER, 0, END, 0, CASES[i].upper);
        hand_play(&h, LOWER, 0, END, 0, CASES[i].lower);
        hand_play(&h, BASS, 0, END, 0, "1q: 48 53");
        v = voice_leading_of(&h.piece, END, 0, &LIMITS);
        upper_goes_to(79);
        hand_note(&h, LOWER, END, QUARTER, 72);
        says(END, BASS, CASES[i].bass);
        says(END + QUARTER / 2, BASS, "p48 = 0");
    }
}

static void miss(uint64_t missing)
{
    struct hole limits = {0};
    hole_free_tracks(&limits);
    v = voice_leading_of(&h.piece, END, missing, &limits);
}

/* Beside pianos, which may be lines, too. */
TEST_IN(a_line_that_is_missing_is_led_too, strict, NULL)
{
    enum { DRUMS = 4, ORGAN = 5, VIOLA = 6 };
    h.piece.families[DRUMS] = FAMILY_DRUMS;
    h.piece.families[ORGAN] = 2;
    h.piece.families[VIOLA] = 5;
    miss(1 << MISSING | 1 << CHORDS | 1 << DRUMS | 1 << ORGAN | 1 << VIOLA);
    assert_int_equal(v.lines, 1 << UPPER | 1 << LOWER | 1 << MISSING | 1 << VIOLA);
    hand_note(&h, MISSING, END - QUARTER, QUARTER, 55);
    upper_goes_to(81);
    says(END, MISSING, "p57 < -3, p53 = 0, p81 < -4"); /* octaves go on; in unison */
}

/* B, as of C, which the upper line has. */
TEST_IN(a_leading_tone_is_not_doubled, strict, NULL)
{
    miss(1 << MISSING);
    upper_goes_to(71);
    says(END, MISSING, "p59 < 0, p59 >= -1, p55 = 0");
    is_dominant = true;
    says(END, MISSING, "p59 < -3, p55 = 0");
    says(END, LOWER, "p59 < -10"); /* and octaves, too */
    is_dominant = false;
}

/* A tune, a bass, and between them lines that are missing: of this family. */
static void tune_and_bass(const char *bass, int bass_track, int family,
                          uint64_t missing)
{
    hand_begin(&h, N / 4 + 1);
    hand_play(&h, UPPER, 0, END, 0, "1q: 72 74");
    if (bass)
        hand_play(&h, bass_track, 0, END, 0, bass);
    h.piece.families[1] = (uint8_t)family;
    miss(missing);
}

/* Between a tune and a bass; and below a tune. */
TEST(a_line_that_is_missing_has_a_place)
{
    enum { TUNE, ALTO, TENOR, BASS };
    for (int has_bass = 0; has_bass < 2; has_bass++) {
        tune_and_bass(has_bass ? "1q: 48 47" : NULL, BASS, 0, 1 << ALTO | 1 << TENOR);
        for (int t = 0; t < 3; t++)
            assert_int_equal(v.rank[t], t);
        upper_goes_to(72);
        assert_float_equal(v.mean[ALTO], has_bass ? 64.5 : 66, 1);
        assert_float_equal(v.mean[TENOR], has_bass ? 56 : 59, 1);
        /* above the tune; in unison; an octave below */
        says(END, ALTO, "p65 = 0, p76 < -1, p72 < -1, p60 < 0");
        says(END, TENOR, "p57 = 0, p41 < -2"); /* far away */
    }
}

/* Beside a tune alone, or between a tune and a bass that are far apart: a bass needs its low
 * notes. */
TEST(a_line_that_has_much_room_has_no_place)
{
    enum { TUNE, CELLO, BASS };
    for (int has_bass = 0; has_bass < 2; has_bass++) {
        tune_and_bass(has_bass ? "1q: 36 35" : NULL, BASS, 5, 1 << CELLO);
        assert_int_equal(v.placed, 0);
        assert_int_equal(v.rank[CELLO], 1);
        says(END, CELLO, "p43 = 0, p67 = 0");
    }
    h.piece.families[CELLO] = 4;
    miss(1 << CELLO);
    assert_int_equal(v.ranked, 1 << TUNE | 1 << BASS);
}

TEST_IN(a_few_notes_say_nothing, strict, NULL)
{
    assert_int_equal(voice_leading_of(&h.piece, 4 * QUARTER, 0, &LIMITS).lines, 0);
}
