/* Finding notes, texts and bars by the keys that do it. */
#include "tests/check.h"
#include "app/editor/edit/find.h"
#include "tests/app/script.h"

/* C4 D4 E4 ... by quarters, ever louder; every fourth twice as long; then an octave up. */
#define NOTES                                                                          \
    "‹put 0+1q 60@4, 1q+1q 62@12, 2q+1q 64@20, 3q+2q 65@28, 4q+1q 67@36, "           \
    "5q+1q 69@44, 6q+1q 71@52, 7q+2q 72@60, 8q+1q 72@68, 9q+1q 74@76, 10q+1q 76@84, "  \
    "11q+2q 77@92, 12q+1q 79@100, 13q+1q 81@108, 14q+1q 83@116, 15q+2q 84@124›"

NUMBER_FACT(found, view_of(s)->found.n)

SCRIPT(notes_are_found, empty_session) = {
    {NOTES "/E\r", "at 2q; pitch 64", /* both */
     "2 notes on this track: n next, g/ selects them"},
    {"n", "pitch 76"},
    {"n", "pitch 64", "from the start again"},
    {"N", "pitch 76", "from the end again"},
    {"9999n", "pitch 64"},               /* as often round as it takes */
    {"/E4\r/>100\r", "at 13q; found 3"}, /* 108, 116, 124 */
    {"g/", "selected 3"},
    {"\033\033", "no found"}, /* out of sight, and not forgotten */
    {"n", "found 3"},
    {"gg/len>1/4\r2n", "at 11q"},
    {"gg/\r", "at 3q"}, /* nothing typed: the same again */
    {"/Eb\r", "at 3q", "!"},
};

SCRIPT(texts_and_bars_are_found, empty_session) = {
    {"3GmThe Verse\r9GmVerse two\r:track Inverse\rgg/VERSE\r", "at 2b",
     "found 3 times: n next"},
    {"n", "at 8b", "marker: Verse two"},
    {"‹track 0›n", "track 1"},
    {"n", "at 2b", "from the start again"},
    {"/12.3\r", "at 11b2q"},
    {"N", "track 1"}, /* a bar is no search to go on with */
    {"/nowhere\r", "", "nowhere was not found"},
};

/* Also of more notes than were ever chosen before, and with others chosen before. */
WORD(put_many)
{
    for (int i = 0; i < 200; i++)
        put_note(s, 0, i * 480, 480, 60 + i % 2, 80);
}

DOES(choose_first, select_one(s, note_of(s, 0, 0)->id))

SCRIPT(what_is_found_is_selected, empty_session) = {
    {"‹put_many›/C#4\r‹choose_first›g/", "selected 100; of 1", "100 notes selected"},
    {"gv", "selected 1"},
    {"gv", "selected 100"},
    {"g/gvg/", "selected 100"},
    {"\033/C9\rg/", "", "no note was found here"},
};

SCRIPT(the_view_follows_what_is_typed, empty_session) = {
    {NOTES "2G/C", "at 7q; no left"},
    {"4", "at 0"},
    {"\b\b40", "at 39b; left"},
    {"\033", "at 1b; no left"},
    {"n", "", "nothing to find yet: / finds"},
};

TEST(what_is_typed_decides)
{
    static const struct {
        const char *text;
        enum find_kind kind;
    } CASES[] = {
        {"", FIND_NOTHING},       {"12", FIND_BAR},        {"12.3", FIND_BAR},
        {"0", FIND_TEXT},         {"12.", FIND_TEXT},      {"999999999999", FIND_TEXT},
        {"C4", FIND_PITCH},       {"c", FIND_PITCH},       {"F#", FIND_PITCH},
        {"Bb-1", FIND_PITCH},     {"b", FIND_PITCH},       {"Cb-1", FIND_TEXT},
        {"G#9", FIND_TEXT},       {"C11", FIND_TEXT},      {"Cantus", FIND_TEXT},
        {">100", FIND_VELOCITY},  {"<=5", FIND_VELOCITY},  {"=64", FIND_VELOCITY},
        {">", FIND_TEXT},         {">200", FIND_TEXT},     {"=>5", FIND_TEXT},
        {"len>1/2", FIND_LENGTH}, {"LEN=1", FIND_LENGTH},  {"len>1/0", FIND_TEXT},
        {"len", FIND_TEXT},       {"len>1/2x", FIND_TEXT}, {"la", FIND_TEXT},
        {"==64", FIND_VELOCITY},  {"len==1", FIND_LENGTH}, {"===1", FIND_TEXT},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        struct find_query q = find_parse(CASES[i].text);
        if (q.kind != CASES[i].kind)
            fail_msg("\"%s\" is %d", CASES[i].text, q.kind);
        assert_string_equal(q.text, CASES[i].text);
    }
    struct find_query q = find_parse("Cb");
    assert_int_equal(q.pitch, 11);
    assert_true(q.any_octave);
    assert_int_equal(find_parse("B#3").pitch, 60);
    q = find_parse("na\xC3\xAFve");
    assert_true(find_fits_text(&q, "x NA\xC3\xAFVE", 8));
    assert_false(find_fits_text(&q, "na", 2));
}
