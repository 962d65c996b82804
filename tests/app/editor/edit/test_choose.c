/* Choosing notes by keys and by the :select line, also on several tracks; finding notes, texts and
 * bars. */
#include "tests/check.h"
#include "tests/app/script.h"
#include "app/editor/edit/find.h"

/* Three tracks: a scale of C with one F sharp over two bars, an octave lower the same of
 * half length, and one note in bar 3. */
static int three_tracks(void **state)
{
    if (empty_session(state))
        return -1;
    keys(*state, ":track Second\r:track Third\r‹track 0›‹pitch 60›"
                 "‹put 0+1q 60@40, 1q+1q 62@50, 2q+1q 64@60, 3q+1q 66@70, 4q+1q 67@80, "
                 "5q+1q 69@90, 6q+1q 71@100, 7q+1q 72@110›"
                 "‹put1 0+2s 48, 1q+2s 50, 2q+2s 52, 3q+2s 54, 4q+2s 55, 5q+2s 57, "
                 "6q+2s 59, 7q+2s 60›‹put2 2b+2q 40›");
    return 0;
}

/* The first note of that track that is selected; -1: none is. */
static int64_t first_chosen(struct session *s, int on)
{
    for (size_t i = 0; i < track(s, on)->n_notes; i++)
        if (select_has(s, note_of(s, on, i)->id))
            return (int64_t)i;
    return -1;
}

NUMBER_FACT(chosen, first_chosen(s, of))

SCRIPT(bars_of_one_track_or_all, three_tracks) = {
    {"V", "selected 4; of 1"},
    {"gV", "selected 8; of 2; mode SELECT"},
    {"2L", "selected 17; of 3"},
    {"V", "selected 8; of 1"},
    {"gVgV", "no selected; no of; mode NORMAL"},
    {"‹track 1›gh‹track 0›gggV", "selected 4; of 1"}, /* without the hidden one */
};

SCRIPT(by_pitch_class_and_scale, three_tracks) = {
    {"*", "selected 1; of 1"},
    {"g*", "selected 2; of 1"}, /* 60 and 72 */
    {"gO", "selected 2; of 1", "~no scale is set"},
    {":scale C\rgO", "selected 1; of 1; chosen0 3"},
    {":scale G\rgO", "no selected", "no note here is outside the scale"},
};

SCRIPT(by_track_all_and_the_rest, three_tracks) = {
    {"gt", "selected 8; of 1"},
    {"3gt", "selected 1; of 1; track 2"},
    {"9gt", "selected 1; of 1", "there are only 3 tracks"},
    {"gA", "selected 17; of 3", "17 notes of 3 tracks selected; cc rewrites them"},
    {"gi", "no selected; no of"},
    {"1gtVgi", "selected 4; of 1; chosen0 4"}, /* the bar, then the other */
    {"gggVgi", "selected 9; of 3"},
    {"\033gi", "selected 8; of 1"},
    {"‹C-a›", "selected 8; of 1"},
};

SCRIPT(the_last_selection_comes_back, three_tracks) = {
    {"gv", "no selected", "nothing was selected before"},
    /* A beat more, and up to 66 from 60. */
    {"vlllljjkkkkkkk", "selected 2; box_from 0; box_to 5s; box_low 60; box_high 65"},
    {"y", "no selected; no of"},
    {"Ggv", "mode SELECT; selected 2; box_from 0; box_to 5s; box_low 60; box_high 65"},
    {"‹pitch 60›\033gA\033*gv",
     "selected 17; of 3"}, /* without a box they change places */
    {"gv", "selected 1; of 1"},
    {"gg\033gVy2Lgv", "selected 8; of 2"},
    {"xgv", "no selected; mode SELECT"}, /* they are gone, the box is not */
};

SCRIPT(by_the_line, three_tracks) = {
    {":select velocity>90\r", "selected 2; of 1"}, /* 100, 110 */
    {"\033:select velocity<=50\r", "selected 2; of 1"},
    {"\033:select pitch E4-G4\r", "selected 3; of 1"},
    {":select velocity > 65\r", "selected 2; of 1"}, /* of those */
    {"\033gA:select length<1/4\r", "selected 8; of 1; chosen1 0"},
    {"\033gA:select bar 2-3 length >= 1/4\r", "selected 5; of 2"},
    {"\033:select bar 9\r", "no selected; no error"},
    {"‹refused select |select velocity|select velocity>|select loud|select velocity>x|"
     "select length<off|select length<1/3|select pitch H2|select bar 5-3|"
     "select velocity>90 and|select bar -|select pitch C3-G4-C5|select bar3bar|"
     "select length 1/16x›"},
};

/* Which of a triplet, a dotted 1/64, an endless one and a low one. */
SCRIPT(lengths_and_pitches_in_detail, empty_session) = {
    {"‹put 1b+160 60@64, 2b+45 62, 3b+1000b 64, 2b+1q 0›:select length=1/8T\r",
     "selected 1"},
    {"\033:select length 1/8t\r", "selected 1"},
    {"\033:select length>1/8T\r", "selected 2"},
    {"\033:select length<1/8\r", "selected 2"},
    {"\033:select length = 1/64.\r", "selected 1"},
    {"\033:select length 1/64-1/32\r", "selected 1"},
    {"\033:select length>1/1\r", "selected 1"},
    {"\033:select pitch C-1\r", "selected 1"},
    {"\033:select pitch C-1-C4\r", "selected 2"},
    {"\033:select bar 2  velocity 60-70 pitch<12\r", "selected 0"},
    {"\033:select bar 2  velocity 60-70 pitch<62\r", "selected 1"},
    {"‹refused select pitch<C4bar=2›"}, /* spaces part them */
};

/* Two tracks of two notes, and a third that is nobody's and active. */
static int two_of_three_tracks(void **state)
{
    if (empty_session(state))
        return -1;
    keys(*state, ":track Second\r:track Third\r"
                 "‹put1 480+240 50›" /* ids do not follow tracks */
                 "‹put0 0+240 60›‹put1 0+240 50›‹put0 480+240 62›");
    return 0;
}

/* Notes by their ids, which stand in order. */
WORD(choose)
{
    free(s->selection.ids);
    s->selection.ids = calloc(4, sizeof *s->selection.ids);
    s->selection.cap = 4;
    for (s->selection.n = 0; *arguments; arguments += strspn(arguments, " "))
        s->selection.ids[s->selection.n++] = (uint64_t)read_ticks(&arguments);
    select_forget_missing(s);
}

SCRIPT(one_step_of_all_tracks, two_of_three_tracks) = {
    {"‹choose 1 2 3 4›", "selected 4; of 2; n 4"},
    {"2}", "notes0 0+240 62, 480+240 64; notes1 0+240 52, 480+240 52; selected 4"},
    {"u", "notes0 0+240 60, 480+240 62; notes1 0+240 50, 480+240 50"},
    {"x", "n 0"},
    {"u", "n 4"},
};

/* Other tracks' notes of the same pitch are in nobody's way, the own are. */
SCRIPT(each_track_is_asked_for_itself, two_of_three_tracks) = {
    {"‹put2 0+960 50›‹choose 2 3›]", /* 60 at 0, of the first; 50 at 0, of the second */
     "notes0 0+360 60, 480+240 62; notes1 0+360 50, 480+240 50"},
    {"2]", "notes0 0+360 60, 480+240 62; notes1 0+360 50, 480+240 50",
     "~cannot lengthen 2 notes: it would overlap"}, /* it would meet 50 at 480 */
};

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
    {"gg/Cb\r", "pitch 71"},
    {"gg/B♯3\r/\r", "found 1; pitch 60"},
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
    {"5GmEn NAïF\rgg/naïf\r", "at 4b"},
    {"gg/naïfs\r", "at 0"},
};

/* Also of more notes than were ever chosen before, and with others chosen before. */
WORD(put_many)
{
    for (int i = 0; i < 200; i++)
        put_note(s, 0, i * 480, 480, 60 + i % 2, 80);
}

DOES(choose_first, select_one(s, note_of(s, 0, 0)->id))

SCRIPT(what_is_found_is_selected, empty_session) = {
    {"‹put_many›/C#4\r‹choose_first›g/", "selected 100; of 1",
     "100 notes selected; cc rewrites them"},
    {"gv", "selected 1"},
    {"gv", "selected 100"},
    {"g/gvg/", "selected 100"},
    {"\033/C9\rg/", "", "no note here is found by the last search"},
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
        {"", FIND_NOTHING},      {"12", FIND_BAR},        {"12.3", FIND_BAR},
        {"0", FIND_TEXT},        {"12.", FIND_TEXT},      {"999999999999", FIND_TEXT},
        {"C4", FIND_NOTES},      {"c", FIND_NOTES},       {"F#", FIND_NOTES},
        {"Bb-1", FIND_NOTES},    {"b", FIND_NOTES},       {"Cb-1", FIND_TEXT},
        {"G#9", FIND_TEXT},      {"C11", FIND_TEXT},      {"Cantus", FIND_TEXT},
        {">100", FIND_NOTES},    {"<=5", FIND_NOTES},     {"=64", FIND_NOTES},
        {">", FIND_TEXT},        {">200", FIND_TEXT},     {"=>5", FIND_TEXT},
        {"len>1/2", FIND_NOTES}, {"LEN=1", FIND_NOTES},   {"len>1/0", FIND_TEXT},
        {"len", FIND_TEXT},      {"len>1/2x", FIND_TEXT}, {"la", FIND_TEXT},
        {"==64", FIND_NOTES},    {"len==1", FIND_NOTES},  {"===1", FIND_TEXT},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        struct find_query q = find_parse(CASES[i].text);
        if (q.kind != CASES[i].kind)
            fail_msg("\"%s\" is %d", CASES[i].text, q.kind);
        assert_string_equal(q.text, CASES[i].text);
    }
}
