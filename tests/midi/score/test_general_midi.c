/* General MIDI names, and finding instruments by a few letters. */
#include "tests/check.h"
#include "midi/score/general_midi.h"

/* The best match; -1: none. */
static int best(const char *words)
{
    uint8_t found[GM_PROGRAMS];
    return gm_find(words, false, found, GM_PROGRAMS) ? found[0] : -1;
}

TEST(names_are_the_standards)
{
    assert_string_equal(gm_program_name(0), "Acoustic Grand Piano");
    assert_string_equal(gm_program_name(42), "Cello");
    assert_string_equal(gm_program_name(127), "Gunshot");
    assert_string_equal(gm_program_name(128), "");
    assert_string_equal(gm_program_name(-1), "");
    assert_string_equal(gm_drum_name(35), "Acoustic Bass Drum");
    assert_string_equal(gm_drum_name(42), "Closed Hi-Hat");
    assert_string_equal(gm_drum_name(81), "Open Triangle");
    assert_string_equal(gm_drum_name(82), "");
    assert_string_equal(gm_drum_name(34), "");
    assert_string_equal(gm_kit_name(40), "Brush Kit");
    assert_string_equal(gm_kit_name(41), "");
}

TEST(every_program_has_a_range)
{
    int low, high;
    for (int p = 0; p < GM_PROGRAMS; p++) {
        assert_true(gm_program_range(p, &low, &high));
        assert_true(low >= 0 && high < 128 && high - low >= 12);
    }
    assert_true(gm_program_range(42, &low, &high)); /* a cello's lowest string */
    assert_int_equal(low, 36);
    assert_true(gm_program_range(73, &low, &high)); /* a flute with its B foot */
    assert_int_equal(low, 59);
    assert_true(gm_program_range(0, &low, &high));
    assert_int_equal(low, 21);
    assert_int_equal(high, 108);
    assert_false(gm_program_range(-1, &low, &high));
    assert_false(gm_program_range(128, &low, &high));
}

TEST(a_voice_has_an_instrument_that_reaches_down)
{
    enum {
        PIANO = 0,
        VIOLIN = 40,
        VIOLA,
        CELLO,
        CONTRABASS,
        FLUTE = 73,
        CLARINET = 71
    };
    assert_int_equal(gm_program_reaching(VIOLIN, 60), VIOLIN);
    assert_int_equal(gm_program_reaching(VIOLIN, 50), VIOLA);
    assert_int_equal(gm_program_reaching(VIOLIN, 40), CELLO);
    assert_int_equal(gm_program_reaching(VIOLIN, 0), CONTRABASS); /* the last */
    assert_int_equal(gm_program_reaching(CELLO, 60), CELLO);
    assert_int_equal(gm_program_reaching(FLUTE, 52), CLARINET);
    assert_int_equal(gm_program_reaching(PIANO, 0), PIANO);
    for (int i = -1; i <= GM_PROGRAMS; i++)
        assert_true(i < 0 || i == GM_PROGRAMS
                        ? gm_program_reaching(i, 60) == i
                        : gm_program_reaching(i, 60) < GM_PROGRAMS);
}

/* Also several words in any order, and the names that people have for them. */
TEST(a_few_letters_are_enough)
{
    const char *asked =
        "  tuba  =58; cello=42; CELLO=42; epia=4; ep2=5; el pi 2=5; piano=0; "
        "harpsi=6; bass=32; finger=33; fret bas=35; oboe=68; horn=60; ens 2=49; "
        "flute=73; pflute=75; 43=42; 1=0; 128=127; nylon=24; choir=52; alto=65; "
        "phone=13; strings=48; honky=3; zzz=-1; cello zzz=-1; 129=-1; vibes=11; "
        "rhodes=4; harp=46; sax=64; e-piano=4; E-Piano 2=5; e-pia=4; zz-zz=-1; "
        "electric piano=4; piano electric=4; electric grand=2; grand piano=0; "
        "saxophone tenor=66; synth strings=50; guitar distorted=30; "
        "upright bass=32; double bass=43; cor anglais=69; fingered bass=33; ";
    char words[64];
    for (int program; next_row(&asked, words, &program);)
        if (best(words) != program)
            fail_msg("\"%s\" finds %s", words, gm_program_name(best(words)));
}

/* Its whole name finds each program. */
TEST(every_name_finds_itself)
{
    for (int i = 0; i < GM_PROGRAMS; i++) {
        char number[8];
        snprintf(number, sizeof number, "%d", i + 1);
        assert_int_equal(best(number), i);
        if (best(gm_program_name(i)) != i)
            fail_msg("%s finds %s", gm_program_name(i),
                     gm_program_name(best(gm_program_name(i))));
    }
}

TEST(no_words_find_all)
{
    uint8_t found[GM_PROGRAMS];
    assert_int_equal(gm_find("", false, found, GM_PROGRAMS), GM_PROGRAMS);
    assert_int_equal(found[127], 127);
    assert_int_equal(gm_find("", false, found, 5), 5);
    assert_int_equal(gm_find("", true, found, GM_PROGRAMS), 9);
    assert_int_equal(gm_find("brush", true, found, GM_PROGRAMS), 1);
    assert_int_equal(found[0], 40);
}

/* Names of tracks, as people and programs write them; -1: none. */
TEST(a_name_may_name_an_instrument)
{
    const char *names =
        "bass=32; Bass DI=32; bass guitar=33; Bass Guitar 1=33; "
        "electric bass guitar=33; slap bass guitar=36; violin=40; 2nd Violin=40; "
        "Violin II=40; Flute 1=73; electric piano=4; e-piano (left)=4; Piano=0; "
        "Lead guitar=24; fingered bass=33; picked bass=34; cello=42; "
        "Violoncello=42; clavinet=7; bagpipes=109; mandolin=25; voice=53; "
        "Strings=48; Soprano=-1; Tenor=-1; melody=-1; Track 3=-1; synth=-1; 12=-1; "
        "=-1; Ann=-1; Right hand=-1; lead=-1; ";
    char name[64];
    for (int wanted; next_row(&names, name, &wanted);) {
        uint8_t program = 0;
        const int is = gm_named(name, &program) ? program : -1;
        if (is != wanted)
            fail_msg("%s: %d, not %d", name, is, wanted);
    }
}
