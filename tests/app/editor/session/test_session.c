/* The workstation without a screen: keys in, score and view out. */
#include "tests/check.h"
#include "tests/app/script.h"

SCRIPT(enter_puts_and_removes_a_note, empty_session) = {
    {"4\r", "notes 0+4s 60"}, /* four sixteenths */
    {"\r", "n 0"},
    {"u", "n 1"},
    {"u", "n 0; clean"},
    {"u", "", "nothing to undo"},
    {"2‹C-r›", "n 0"},
};

SCRIPT(edits_act_on_the_note_under_the_cursor, empty_session) = {
    {"\r7}", "notes 0+1s 67; pitch 67"},
    {"2>", "notes 2s+1s 67"},
    {"]", "notes 2s+2s 67"},
    {"[[", "notes 2s+1s 67@80"}, /* would leave nothing */
    {"+", "notes 2s+1s 67@88"},
    {".", "notes 2s+1s 67@96"},
    {"100}", "notes 2s+1s 67"},
};

SCRIPT(one_pitch_never_overlaps_itself, empty_session) = {
    {"2\r4l2\r3<", "notes 0+2s 60, 4s+2s 60"},
    {"2<", "notes 0+2s 60, 2s+2s 60"},
    {"gg]", "notes 0+2s 60, 2s+2s 60"},
    {"gg2lxggx8l\rgg64\r", "notes 0+8s 60, 8s+1s 60"}, /* cut where the next begins */
};

SCRIPT(a_box_is_moved_copied_and_pasted, empty_session) = {
    {"i\rk\rk\rk\rk\033", "mode NORMAL"},
    {"gg‹pitch 60›v2l2k", "selected 3"},
    {"12}", "notes 0+1s 72, 1s+1s 73, 2s+1s 74, 3s+1s 63"},
    {"y", "mode NORMAL"},
    {"Lp", "n 7; notes 0+1s 72, 1s+1s 73, 2s+1s 74, 3s+1s 63, 1b+1s 72, 1b1s+1s 73, "
           "1b2s+1s 74"},
    {"p", "n 7"}, /* everything is in the way */
    {"u‹C-a›", "selected 4"},
    {"x", "n 0"},
    {"100u", "n 0; clean"},
};

/* Of the tempo here. */
NUMBER_FACT(bpm_here, timeline_bpm(&s->project.score->timeline, s->cursor.tick) + 0.01)

SCRIPT(the_grid_follows_the_meter, empty_session) = {
    {":meter 3/8\r", "mode NORMAL"},
    {"L", "at 720"},
    {"$", "at 1320"},
    {"l", "at 1440"},
    {"3G", "at 1440"},
    {":meter 7/3\r", "", "!"},
    {":tempo 96\r", "bpm_here 96"},
    {"gg", "bpm_here 120"},
};

TEST_WITH(without_a_model_the_program_goes_on, empty_session)
{
    keys(s, "C");
    WAIT_FOR(s, s->mode != MODE_TAKES);
    check_facts(s, "error; mode NORMAL");
    play(s, "\r", "n 1", NULL);
}
