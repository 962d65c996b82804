/* Lists of instruments as people write them. */
#include "tests/check.h"
#include "midi/score/band.h"

static struct band band;
static char wrong[BAND_WORDS];

/* "Acoustic Bass 32, Drums 0", or what is wrong in brackets. */
static const char *read_as(const char *words)
{
    static char text[256];
    if (!band_read(&band, words, wrong)) {
        snprintf(text, sizeof text, "(%s)", wrong);
        return text;
    }
    text[0] = '\0';
    for (int i = 0; i < band.n; i++) {
        const struct band_part *p = &band.parts[i];
        sprintf(text + strlen(text), "%s%s %d", i ? ", " : "", band_part_name(p),
                p->program);
        assert_int_equal(p->is_drums, !strcmp(band_part_name(p), "Drums"));
    }
    return text;
}

TEST(a_band_is_read)
{
    static const char *const BANDS[][2] = {
        {"bass,  Drums , electric piano",
         "Acoustic Bass 32, Drums 0, Electric Piano 1 4"},
        {"rhodes and upright bass, tenor sax",
         "Electric Piano 1 4, Acoustic Bass 32, Tenor Sax 66"},
        {"jazz drums, drum kit, steel drums", "Drums 32, Drums 0, Steel Drums 114"},
        {"bass, qqzx and drums", "(qqzx)"},
        {"", "()"},
        {"bass,,drums", "()"},
        {"bass,", "()"},
        {"bass,bass,bass,bass,bass,bass,bass,bass,bass", "()"}};
    for (size_t i = 0; i < sizeof BANDS / sizeof *BANDS; i++)
        assert_string_equal(read_as(BANDS[i][0]), BANDS[i][1]);
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
