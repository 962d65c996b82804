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
NUMBER_FACT(bpm_here,
            timeline_bpm(&s->project.score->timeline, s->view.cursor.tick) + 0.01)

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
    WAIT_FOR(s, s->view.mode != MODE_TAKES);
    check_facts(s, "error; mode NORMAL");
    play(s, "\r", "n 1", NULL);
}

SCRIPT(a_shortened_note_stays_under_the_cursor, empty_session) = {
    {"4\rlll[", "notes 0+3s 60; at 2s"},
    {"..", "notes 0+1s 60; at 0"},
};

SCRIPT(a_note_that_is_cut_away_from_the_cursor_keeps_it, empty_session) = {
    {"4\rlllg.", "notes 0+2s 60; at 0"}, /* at its start */
};

SCRIPT(a_duplicate_is_duplicated, empty_session) = {
    {"2\rD..", "notes 0+2s 60, 2s+2s 60, 4s+2s 60, 6s+2s 60; at 6s"},
    {"2D.", "n 8; at 14s"},
    {"uuuuu", "n 1"},
};

SCRIPT(a_duplicate_of_notes_is_chosen, empty_session) = {
    {"‹put 0+1s 60, 1s+1s 64›‹C-a›D}",
     "selected 2; notes 0+1s 60, 1s+1s 64, 2s+1s 61, 3s+1s 65"},
    {"D", "notes 0+1s 60, 1s+1s 64, 2s+1s 61, 3s+1s 65, 4s+1s 61, 5s+1s 65",
     "2 notes duplicated"},
};

/* Bars that begin with a rest. */
SCRIPT(duplicated_bars_stay_bars, empty_session) = {
    {"‹put 2s+1s 60›VD", "mode SELECT; box_from 1b; box_to 2b"},
    {"D2D", "n 5; box_from 4b; "
            "notes 2s+1s 60, 1b2s+1s 60, 2b2s+1s 60, 3b2s+1s 60, 4b2s+1s 60"},
    {"x", "n 4"},
};

/* Bars have what sounds in them, too: at the beginning of the piece there is no room for that. */
SCRIPT(what_began_before_the_bars_is_left_out, empty_session) = {
    {"‹put 3q+2q 60, 1b+1q 62›‹at 1b›Vyggp", "notes 0+1q 62, 3q+2q 60, 1b+1q 62",
     "1 note pasted; 1 left out: the piece begins later"},
};

SCRIPT(copies_go_back_to_their_tracks, empty_session) = {
    {":track Second\r:track Third\r‹put0 0+1s 60›‹put2 0+1s 48›‹track 1›gVyLp",
     "tracks 3; notes0 0+1s 60, 1b+1s 60; notes2 0+1s 48, 1b+1s 48; selected 2",
     "2 notes pasted"},
    {"x", "notes0 0+1s 60; notes2 0+1s 48"}, /* those that were pasted */
    {"u", "notes0 0+1s 60, 1b+1s 60"},
    {"‹track 0›Lp", /* one track higher up than there is */
     "tracks 3; notes0 0+1s 60, 1b+1s 60, 2b+1s 60; no n1"},
    {"‹track 2›Lp", "notes1 3b+1s 60", "2 notes pasted, on 1 new track"},
};

SCRIPT(what_is_removed_is_told, empty_session) = {
    {"\rx", "", "1 note removed: p pastes it"},
    {"\rlll\rggV\"ad", "", "2 notes removed: \"ap pastes them"},
    {"u\"Ay", "", "1 note copied: \"ap pastes all of it"},
};

DOES(show, session_show_cursor(s))

SCRIPT(a_chosen_track_is_seen, empty_session) = {
    {":track Bass\r‹put1 0+1b 28›‹put0 0+1s 80›‹track 0›‹pitch 80›‹show›\t",
     "track 1; pitch 28"},
    {"‹put0 0+1s 35›kk\t\t", "pitch 30"}, /* in sight: the cursor stays where it is */
    {"20L\t", "pitch 30"},                /* nothing there */
};

SCRIPT(what_is_undone_is_seen, empty_session) = {
    {"\r40L\ru", "at 40b; pitch 60"},
    {"u", "at 0"},
    {"KKK40L‹C-r›", "at 0; pitch 60"},
    {"ll‹C-r›u", "at 40b"},              /* that is not far: and back */
    {"hh‹put 40b+1s 62›u", "at 39b14s"}, /* in sight: the cursor stays */
};

SCRIPT(one_is_not_many, empty_session) = {
    {"vlll\\", "", "loop: 1 beat from bar 1; \\ ends it"},
    {"\033ggOC\r3o\r3o\r", "", "-1 of its notes were"},
};

/* 25 frames a second of 40 ticks, or a division again. */
DOES(divide, s->project.score->division = (uint16_t)strtol(arguments, NULL, 0))

SCRIPT(what_cannot_be_is_told, empty_session) = {
    {"‹divide 0xE728›t96\r", "state 0",
     "this file counts seconds (SMPTE): it has no tempo"},
    {"‹divide 480›:channel 10\r:instrument flute\r", "",
     "no such drum kit; this channel plays drums"},
    {":rename\r", "", "remove the name of track 1"},
    {"‹track -1›M", "", "this score has no tracks; A adds one"},
};
