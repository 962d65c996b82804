/* Scales by name and by pitch class. */
#include "tests/check.h"
#include "tests/midi/random_piece.h"

static uint16_t mask_of(const char *name)
{
    struct scale s;
    assert_true(scale_parse(name, &s));
    return scale_mask(&s);
}

/* Bit 0 is C; written as piano keys, B on the left. */
TEST(names_have_their_keys)
{
    const char *known =
        "C=0xab5; C major=0xab5; c=0x5ad; a=0xab5; A minor=0xab5; Am=0xab5; "
        "AM=0xb56; d dorian=0xab5; E phrygian=0xab5; F lydian=0xab5; "
        "G mixolydian=0xab5; B locrian=0xab5; A harmonic minor=0xb35; "
        "A melodic minor=0xb55; C major pentatonic=0x295; "
        "a-minor_PENTATONIC=0x295; C blues=0x4e9; C whole tone=0x555; "
        "Db wholetone=0xaaa; chromatic=0xfff; F# chromatic=0xfff; Bb dorian=0x5ab; "
        "b=0xad6; bb=0x56b;  F#  minor =0xb56; f♯=0xb56; "
        "B♭ dorian=0x5ab; ";
    char name[64];
    for (int mask; next_row(&known, name, &mask);)
        assert_int_equal(mask_of(name), mask);
}

TEST(other_text_is_refused)
{
    const char *refused[] = {"",         " ",      "H",         "major",
                             "C##",      "C#b",    "Cx",        "C majo",
                             "C majors", "1",      "C\xe2",     "C\xe2\x99",
                             "C\xff",    "\xff",   "C minor\n", "Cb\xe2\x99\xad",
                             "-",        "chroma", "C mM"};
    struct scale s = {.letter = 'Z'};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        assert_false(scale_parse(refused[i], &s));
    assert_int_equal(s.letter, 'Z');
}

TEST(every_scale_is_read_back)
{
    for (int kind = 0; kind < N_SCALE_KINDS; kind++)
        for (char letter = 'A'; letter <= 'G'; letter++)
            for (int accidental = -1; accidental <= 1; accidental++) {
                struct scale back, s = {letter, accidental, (enum scale_kind)kind};
                char text[SCALE_TEXT];
                assert_true(scale_parse(scale_format(&s, text), &back));
                assert_int_equal(back.letter, letter);
                assert_int_equal(back.accidental, accidental);
                assert_int_equal(back.kind, kind);
                assert_true(strlen(text) < SCALE_TEXT - 1);
                assert_true(scale_from_mask(scale_mask(&s), &back));
                assert_int_equal(scale_mask(&back), scale_mask(&s));
            }
}

TEST(masks_of_no_scale_have_no_name)
{
    struct scale s;
    assert_false(scale_from_mask(0, &s));
    assert_false(scale_from_mask(1, &s));
    assert_false(scale_from_mask(0xffff, &s));
    assert_true(scale_from_mask(0xab5, &s));
    char text[SCALE_TEXT];
    assert_string_equal(scale_format(&s, text), "C major");
}

TEST(signatures)
{
    const char *cases =
        "C=0; F# minor=3; Bb=-2; G minor=-2; D dorian=0; E phrygian=0; F lydian=0; "
        "G mixolydian=0; B locrian=0; Eb minor=-6; G# major=-4; Fb minor=1; "
        "A minor pentatonic=0; C# major=7; D harmonic minor=-1; ";
    char name[64];
    for (int sharps; next_row(&cases, name, &sharps);) {
        struct scale s;
        assert_true(scale_parse(name, &s));
        if (scale_sharps(&s) != sharps)
            fail_msg("%s has %d", name, scale_sharps(&s));
    }
}
