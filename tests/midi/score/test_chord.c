/* Chords by symbol and in scales, their names, and scale steps. */
#include "tests/check.h"
#include "midi/score/chord.h"
#include "tests/midi/random_piece.h"

enum { C_MAJOR = 0xab5 };

/* "60 64 67" */
static const char *pitches_of(const struct chord *c, char text[CHORD_MOST * 4 + 1])
{
    size_t n = 0;
    text[0] = '\0';
    for (int i = 0; i < c->n; i++)
        n += (size_t)sprintf(text + n, "%s%d", i ? " " : "", c->pitches[i]);
    return text;
}

TEST(symbols_are_chords)
{
    static const struct {
        const char *symbol;
        int pitch;
        const char *pitches;
    } SYMBOLS[] = {{"m7", 62, "62 65 69 72"},
                   {"sus4", 60, "60 65 67"},
                   {"", 60, "60 64 67"},
                   {"G7/B", 60, "59 62 65 67"},
                   {"G7", 60, "55 59 62 65"},
                   {"Bbmaj7", 60, "58 62 65 69"},
                   {"C/D", 60, "62 64 67 72"},
                   {"F#m7b5", 66, "66 69 72 76"},
                   {"Cb", 60, "59 63 66"},
                   {"C9/E", 60, "64 67 70 72 86"},
                   {"13", 60, "60 64 67 70 74 81"},
                   {"dim/Eb", 60, "63 66 72"},
                   {"maj7", 120, "120 124 127"},
                   {"5", 60, "60 67"}};
    for (size_t i = 0; i < sizeof SYMBOLS / sizeof *SYMBOLS; i++) {
        struct chord c;
        char text[CHORD_MOST * 4 + 1];
        assert_true(chord_parse(SYMBOLS[i].symbol, SYMBOLS[i].pitch, &c));
        assert_string_equal(pitches_of(&c, text), SYMBOLS[i].pitches);
    }
}

TEST(other_text_is_no_chord)
{
    static const char *const BAD[] = {"H", "g7",   "G8",     "C/",  "C/x",
                                      "/", "C//E", "Cmaj77", "m7 ", "C/Ebb"};
    struct chord c = {.n = 3};
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++)
        assert_false(chord_parse(BAD[i], 60, &c));
    assert_int_equal(c.n, 3);
}

TEST(any_text_is_safe)
{
    const char letters[] = "CGb#/m7+o1395susdimajx\xff\x1b ";
    uint64_t r = 1;
    for (int i = 0; i < 20000; i++) {
        auto_free char *text = random_text(letters, 10, &r);
        struct chord c;
        char name[CHORD_TEXT];
        if (chord_parse(text, random_below(&r, 128), &c)) {
            assert_in_range(c.n, 1, CHORD_MOST);
            for (int k = 0; k < c.n; k++)
                assert_in_range(c.pitches[k], k ? c.pitches[k - 1] + 1 : 0, 127);
            assert_true(strlen(chord_name(&c, false, name)) > 0);
        }
    }
}

static const char *name_of(uint16_t mask, int pitch, int n, char name[CHORD_TEXT])
{
    struct chord c = chord_in_scale(mask, pitch, n);
    return chord_name(&c, false, name);
}

TEST(a_scale_has_its_chords)
{
    static const int STEPS[] = {60, 62, 64, 65, 67, 69, 71};
    static const char *const TRIADS[] = {"C", "Dm", "Em", "F", "G", "Am", "Bdim"};
    static const char *const SEVENTHS[] = {"Cmaj7", "Dm7", "Em7",  "Fmaj7",
                                           "G7",    "Am7", "Bm7b5"};
    char name[CHORD_TEXT];
    for (int i = 0; i < 7; i++) {
        assert_string_equal(name_of(C_MAJOR, STEPS[i], 3, name), TRIADS[i]);
        assert_string_equal(name_of(C_MAJOR, STEPS[i], 4, name), SEVENTHS[i]);
    }
    assert_string_equal(name_of(C_MAJOR, 67, 5, name), "G9");
    assert_string_equal(name_of(C_MAJOR, 67, 2, name), "G B");
    assert_string_equal(name_of(C_MAJOR, 61, 3, name), "C#dim"); /* raised: to D */
    assert_string_equal(name_of(C_MAJOR, 70, 3, name), "A#");    /* lowered */
}

TEST(inversions_have_names)
{
    static const char *const NAMES[] = {"G7/B", "C/E", "Dm7/A", "Am/E", "C6", "Gsus4"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        struct chord c;
        char name[CHORD_TEXT];
        assert_true(chord_parse(NAMES[i], 60, &c));
        assert_string_equal(chord_name(&c, false, name), NAMES[i]);
    }
    struct chord cluster = {.n = 3, .pitches = {60, 61, 62}};
    struct chord flat = {.n = 3, .pitches = {58, 62, 65}};
    char name[CHORD_TEXT];
    assert_string_equal(chord_name(&cluster, true, name), "C Db D");
    assert_string_equal(chord_name(&flat, true, name), "Bb");
}

/* A note of a scale stays in it, and comes back. */
TEST(steps_come_back)
{
    uint64_t r = 1;
    for (int i = 0; i < 20000; i++) {
        struct scale s = {.letter = (char)('A' + random_below(&r, 7)),
                          .accidental = random_below(&r, 3) - 1,
                          .kind = (enum scale_kind)random_below(&r, N_SCALE_KINDS)};
        uint16_t mask = scale_mask(&s);
        int pitch = degree_floor(mask, random_below(&r, 128));
        int steps = random_below(&r, 41) - 20, there = degree_move(mask, pitch, steps);
        assert_true(degree_floor(mask, there) == there);
        assert_int_equal(degree_move(mask, there, -steps), pitch);
        assert_true(steps == 0 || (there > pitch) == (steps > 0));
    }
}
