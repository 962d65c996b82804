/* Lists of instruments as people write them. */
#include "tests/check.h"
#include "midi/score/band.h"

#include <string.h>

static struct band band;
static char wrong[BAND_WORDS];

static void assert_part(int i, const char *name, int program)
{
    assert_true(i < band.n);
    assert_string_equal(band_part_name(&band.parts[i]), name);
    assert_int_equal(band.parts[i].program, program);
    assert_int_equal(band.parts[i].is_drums, !strcmp(name, "Drums"));
}

TEST(a_band_is_read)
{
    assert_true(band_read(&band, "bass,  Drums , electric piano", wrong));
    assert_int_equal(band.n, 3);
    assert_part(0, "Acoustic Bass", 32);
    assert_part(1, "Drums", 0);
    assert_part(2, "Electric Piano 1", 4);
    assert_true(band_read(&band, "rhodes and upright bass, tenor sax", wrong));
    assert_int_equal(band.n, 3);
    assert_part(0, "Electric Piano 1", 4);
    assert_part(1, "Acoustic Bass", 32);
    assert_part(2, "Tenor Sax", 66);
}

TEST(drums_may_have_a_kit)
{
    assert_true(band_read(&band, "jazz drums, drum kit, steel drums", wrong));
    assert_int_equal(band.n, 3);
    assert_part(0, "Drums", 32);
    assert_part(1, "Drums", 0);
    assert_part(2, "Steel Drums", 114);
}

TEST(what_is_no_instrument_is_named)
{
    assert_false(band_read(&band, "bass, qqzx and drums", wrong));
    assert_string_equal(wrong, "qqzx");
    assert_false(band_read(&band, "", wrong));
    assert_string_equal(wrong, "");
    assert_false(band_read(&band, "bass,,drums", wrong));
    assert_false(band_read(&band, "bass,", wrong));
    assert_false(
        band_read(&band, "bass,bass,bass,bass,bass,bass,bass,bass,bass", wrong));
    assert_string_equal(wrong, "");
}

/* However long a name is. */
TEST(long_names_do_no_harm)
{
    char words[400];
    memset(words, 'q', sizeof words);
    words[sizeof words - 1] = '\0';
    assert_false(band_read(&band, words, wrong));
    assert_true(strlen(wrong) < BAND_WORDS);
    memcpy(words + sizeof words - 7, " drums", 6);
    assert_false(band_read(&band, words, wrong));
}
