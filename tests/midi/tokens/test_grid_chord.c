/* Chord symbols as tokens have them: the nearest of ten qualities, and back to text. */
#include "tests/check.h"
#include "midi/tokens/grid_chord.h"

static const struct {
    const char *symbol, *nearest;
} SYMBOLS[] = {
    {"C", "C"},           {"Am7", "Am7"}, {"Bbmaj7", "Bbmaj7"}, {"F#m7b5", "Gbm7b5"},
    {"G7/B", "G7/B"},     {"C6", "C"},    {"Cm6", "Cm"},        {"C69", "C"},
    {"C7#9", "C7"},       {"Cm9", "Cm7"}, {"C13", "C7"},        {"Cmaj9", "Cmaj7"},
    {"Cdim7", "Cdim7"},   {"Co", "Cdim"}, {"C+", "Caug"},       {"C7sus4", "Csus4"},
    {"Csus2", "Gsus4/C"}, {"C5", "C"},    {"N.C.", "N.C."},     {"C/Bb", "C7/Bb"},
    {"CmM7", "Cm"},       {"C7b5", "C7"}, {"Am/F#", "Am/Gb"},   {"Eb7", "Eb7"},
};

TEST(every_symbol_has_a_nearest)
{
    for (size_t i = 0; i < sizeof SYMBOLS / sizeof SYMBOLS[0]; i++) {
        struct grid_chord c = {.step = 7}, again = {0};
        char name[CHORD_TEXT];
        assert_true(grid_chord_read(SYMBOLS[i].symbol, &c));
        assert_string_equal(grid_chord_name(&c, true, name), SYMBOLS[i].nearest);
        assert_int_equal(c.step, 7);
        assert_true(grid_chord_read(name, &again) && grid_chord_equal(&c, &again));
    }
}

/* Of all that tokens can say, none gets lost. */
TEST(every_chord_is_read_back)
{
    for (int root = 0; root < 12; root++)
        for (int quality = 0; quality < CHORD_QUALITIES; quality++) {
            struct grid_chord c = {0, (uint8_t)root, (uint8_t)quality, (uint8_t)root};
            struct grid_chord again = {0};
            char name[CHORD_TEXT];
            for (int flats = 0; flats < 2; flats++) {
                assert_true(grid_chord_read(grid_chord_name(&c, flats, name), &again));
                assert_true(grid_chord_equal(&c, &again));
            }
        }
}

TEST(what_is_no_symbol_is_refused)
{
    static const char *const BAD[] = {"",   "m7",  "H",   "c",  "Cx",
                                      "C/", "C/H", "C 7", "N.C"};
    struct grid_chord c;
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++)
        assert_false(grid_chord_read(BAD[i], &c));
}

TEST(chords_that_return_are_counted)
{
    enum { BEAT = STEPS_PER_QUARTER };
    const struct grid_chord chords[] = {{.step = 0},
                                        {.step = 2 * BEAT, .root = 5},
                                        {.step = 4 * BEAT},
                                        {.step = 7 * BEAT, .root = 5}};
    assert_true(grid_chords_alike(chords, 4, 4 * BEAT, 8 * BEAT, -4 * BEAT) == 0.75);
    assert_true(grid_chords_alike(chords, 4, 0, 2 * BEAT, 4 * BEAT) == 1);
    assert_true(grid_chords_alike(chords, 4, 0, BEAT, -BEAT) == 0); /* none before */
    assert_true(grid_chords_alike(NULL, 0, 0, 8 * BEAT, BEAT) == 1);
}
