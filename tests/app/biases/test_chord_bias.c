/* Tracks keep to chords: C, and G over B from the second bar on. */
#include "tests/check.h"
#include "app/biases/rules.h"
#include "tests/app/biases/rule.h"

enum { BASS, CHORDS, BAR = 4 * QUARTER, LATE = BAR - QUARTER };

static struct grid_chord chords[] = {{.root = 0, .bass = 0},
                                     {.step = BAR, .root = 7, .bass = 11}};
static struct grid_chord seventh;
static const struct chord_bias WRITTEN = {chords, 2, BASS, 1, false},
                               JAZZ = {&seventh, 1, BASS, 1, true};
static bool is_jazz;
static void apply(int64_t step, int track)
{
    const struct place *at = place_at(step, track);
    chord_bias_pitches(&(struct rules){.chords = is_jazz ? JAZZ : WRITTEN}, at);
    chord_bias_lengths(&(struct rules){.chords = WRITTEN}, at);
}

FIXTURE(begin)
{
    hand_begin(&h, 4);
    said.pitch = -1; /* whose length comes */
    is_jazz = false;
    return 0;
}

#define CHORD_TEST(name) TEST_IN(name, begin, NULL)

CHORD_TEST(notes_of_the_chord_are_likelier)
{
    says(0, CHORDS, "p67 = 0, p64 = 0, p63 < -1, p71 < -1");
    const double on_beat = nats("p63");
    says(QUARTER / 2, CHORDS, "p63 < 0");
    assert_true(nats("p63") > on_beat);
    says(BAR, CHORDS, "p67 = 0, p71 = 0, p63 < -1, p72 < -1");
}

CHORD_TEST(a_bass_begins_a_chord_with_its_bass)
{
    says(BAR, BASS, "p35 > 1, p43 = 0");
    says(BAR + QUARTER, BASS, "p35 = 0, p43 = 0");
    says(BAR, CHORDS, "p35 = 0");
    hand_note(&h, BASS, BAR, QUARTER,
              35); /* the lowest is it: others need not be the root */
    says(BAR, BASS, "p47 = 0, p43 = 0, p48 < -1");
}

/* Of C7: D and A, not E flat; of Cmaj7 and Cm7: D. */
CHORD_TEST(tensions_are_free_above_the_bass)
{
    static const struct {
        uint8_t quality;
        const char *says;
    } ROWS[] = {{CHORD_DOMINANT7, "p62 = 0, p69 = 0, p63 < -1"},
                {CHORD_MAJOR7, "p62 = 0, p69 < -1"},
                {CHORD_MINOR7, "p62 = 0, p69 < -1"},
                {CHORD_MAJOR, "p62 = 0, p69 < -1"},
                {CHORD_MINOR, "p62 < -1, p69 < -1"},
                {CHORD_DIMINISHED7, "p62 < -1"}};
    is_jazz = true;
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        seventh.quality = ROWS[i].quality;
        says(QUARTER, CHORDS, ROWS[i].says);
        says(QUARTER, BASS, "p62 < -1");
    }
    is_jazz = false;
    says(QUARTER, CHORDS, "p62 < -1, p69 < -1");
}

/* Of G before C, and of D7 before anything. */
CHORD_TEST(a_dominant_has_a_leading_tone)
{
    struct grid_chord list[] = {
        {.root = 7}, {.step = BAR}, {.step = 2 * BAR, .root = 2}};
    const struct chord_bias b = {list, 3, BASS, 1, false};
    list[2].quality = CHORD_DOMINANT7;
    assert_int_equal(chord_bias_leading(&b, BAR - 1), 11);
    assert_int_equal(chord_bias_leading(&b, BAR), -1);
    assert_int_equal(chord_bias_leading(&b, 2 * BAR), 6);
}

CHORD_TEST(a_chord_costs_what_its_classes_cost)
{
    static const float COST[12] = {[4] = 1, [10] = 2, [11] = 4};
    seventh = (struct grid_chord){.quality = CHORD_DOMINANT7, .bass = 11};
    assert_true(chord_bias_cost(&chords[0], COST) == 1);
    assert_true(chord_bias_cost(&seventh, COST) == 3); /* without its bass */
}

/* A and B flat lead to B, F does not. */
CHORD_TEST(the_next_bass_may_be_approached)
{
    says(LATE, BASS, "p33 = 0, p34 = 0, p41 < -1");
    says(LATE - QUARTER, BASS, "p33 < -1, p34 < -1");
}

/* E is not in the next chord, G is. */
CHORD_TEST(a_note_ends_before_a_chord_that_lacks_it)
{
    said.pitch = 64;
    says(LATE, CHORDS, "d1q = 0, d25 < -1, dx < -1");
    says(0, CHORDS, "d96 = 0, dx < -1"); /* 96 steps and more */
    says(BAR, CHORDS, "dx = 0");         /* nothing comes after it */
    said.pitch = 67;
    says(LATE, CHORDS, "d25 = 0, dx = 0");
}
