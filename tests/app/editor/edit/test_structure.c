/* Markers, tempos and meters, the loop and the map, the undo tree, by the keys that do them. */
#include "tests/check.h"
#include "tests/app/editor/edit/pointer.h"
#include "tests/app/editor/events.h"
#include "tests/app/kept.h"

NUMBER_FACT(map, s->layout.map.rows)
NUMBER_FACT(listed, view_of(s)->lists[LIST_MAP].n)
NUMBER_FACT(chosen, s->view.lists[LIST_MAP].point)
NUMBER_FACT(chosen_kind, view_of(s)->signs[s->view.lists[LIST_MAP].point].kind)
NUMBER_FACT(version, s->project.version)
TEXT_FACT(newest, view_of(s)->history[0].label)
NUMBER_FACT(faint_loop, (view_of(s)->transport.has_loop && !s->loop.on &&
                         !view_of(s)->transport.loop_on))

#define START "signs 0:4/4 0:=120"

SCRIPT(markers, empty_session) = {
    {"mIntro\r4LmVerse\r2Lllm\r", "", "no marker: it needs a text"},
    {"mCoda\r", START " 0:Intro 7680:Verse 11760:Coda"},
    {"gg''", "at 11760", "Coda"},
    {"'", "", "no marker after the cursor"},
    {"2`", "at 0"},
    {"5Gm\b\b\b\b\bRefrain\r", /* the text that is there is gone on with */
     START " 0:Intro 7680:Refrain 11760:Coda"},
    {"m\r", "", ""}, /* only looked at */
    {"m\b\b\b\b\b\b\b\r", START " 0:Intro 11760:Coda"},
    {"5u", START "; clean"},
    {"'", "", "no markers yet: m sets one"},
};

SCRIPT(tempo_and_meter_at_the_cursor, empty_session) = {
    {"2L2lt", "prompt tempo or meter here (♩=120, 4/4): "},
    {"90\r", "", "tempo 90 from bar 3, beat 1.5"},
    {"2lt60\r2lt3/4\r", START " 3840:3/4 4080:=90 4320:=60"}, /* begins with the bar */
    {"2ht\r", START " 3840:3/4 4080:=90", "tempo 90 here, as before"},
    {"t\r", "", "no tempo or meter begins here"},
    {"tx\r", "", "!"},
    {"t-5\r", "", "!"},
    {"9u", START},
};

SCRIPT(key_signatures, empty_session) = {
    {"2L2l:key Bb minor\r", START " 3840:B♭ minor", "B♭ minor from bar 3"},
    {":key a harmonic minor\r", START " 3840:A minor"}, /* in its place */
    {":key D dorian\r:key H\r", "version 3", "!"},
    {"Lgmakey Eb\r", START " 3840:A minor 5760:E♭ major; mode MAP; chosen_kind 2"},
    {"\r‹C-u›G\r", START " 3840:A minor 5760:G major"},
    {"aC\r", START " 3840:A minor 5760:G major 5760:C"}, /* a marker still */
    {"\033:key\r", START " 3840:A minor 5760:C"},
    {":key\r", "", "no key signature begins in this bar"},
    {"2G:key F#\r‹file w keys.mid›‹open_here keys.mid›",
     START " 1920:F♯ major 3840:A minor 5760:C"},
};

SCRIPT(ramps, empty_session) = {
    {":tempo 96-72\r", "", "!"},
    {"2G\\:tempo 96-72\r", /* over the loop */
     START " 1920:=96 2400:=90 2880:=84 3360:=78 3840:=72",
     "tempo 96 to 72, from bar 2 to bar 3"},
    {"uggv3lt60-70\r",
     "signs 0:4/4 0:=60 480:=70; mode NORMAL"}, /* a selection first */
    {"u", START},
};

SCRIPT(the_list_edits_in_place, empty_session) = {
    {"3GmVerse\rgm", "mode MAP"},
    {"gm", "mode NORMAL"},
    {"gm5k", "at 0"},
    {"j\r\b\b\b96\r", "signs 0:4/4 0:=96 3840:Verse; mode MAP"},
    {"k\r\b\b\b5/8\rj\r3/4\r", /* a tempo is no meter */
     "signs 0:5/8 0:=96 3840:Verse", "!"},
    {"9j>>", "at 4080",
     "move the marker to bar 4, beat 3"}, /* two sixteenths; the cursor follows */
    {"<<<\rB\r", "signs 0:5/8 0:=96 3720:VerseB"},
    {"a132\raCoda\ra3/4\r", "signs 0:5/8 0:=96 3600:3/4 3720:=132 3720:Coda"},
    {"2ugg9k9jx", "version 15", "~remove the marker at bar"}, /* gg is no key here */
    {"9k2>", "version 16; chosen_kind 0; at 2400"}, /* a meter by bars, in one step */
    {"\033", "mode NORMAL"},
    {"99u", START},
};

/* A meter begins with the bar of the cursor, as the bars were before it. */
SCRIPT(an_added_meter_is_chosen, empty_session) = {
    {"4GmVerse\r‹at 1b3q›gma2/4\r",
     "signs 0:4/4 0:=120 1920:2/4 5760:Verse; chosen 2; at 1b"},
};

/* Each is still one that can be taken out. */
SCRIPT(what_is_moved_onto_another_stays_another, empty_session) = {
    {"2GmA\r3GmB\rgm9j16<", START " 1920:A 1920:B"},
    {"x", START " 1920:B", "remove the marker at bar 2; u undoes this"},
    {"x", START},
    {"uuu", START " 1920:A 3840:B"},
};

SCRIPT(a_click_chooses, empty_session) = {
    {"4GmVerse\rgggm‹item 2›", "chosen 2; at 3b; mode MAP"},
    {"‹item 2›", "mode COMMAND; input Verse"}, /* again: edits it */
    {"\033‹beside›", "chosen 2; mode NORMAL"},
};

/* Undone while it is open; emptied; and the keys go on doing nothing harmful. */
SCRIPT(the_list_may_be_empty, empty_session) = {
    {"gm9kxxxx", "signs ", "nothing to remove"},
    {"jk<>\r\r‹item 0›", "listed 0; input "},
    {"9u", "listed 2"},
};

SCRIPT(loops, empty_session) = {
    {"3G4\\", "loop; loop_from 2b; loop_to 6b", "loop: bars 3 to 6; \\ ends it"},
    {"\\", "no loop; faint_loop"},
    {"\\", "loop"},
    {"ggv7l\\", "mode NORMAL; loop_from 0; loop_to 2q; clean"}, /* eight sixteenths */
};

WORD(set_loop)
{
    int64_t ends[2];
    for (int i = 0; i < 2; i++, arguments += strspn(arguments, " "))
        ends[i] = strtoll(arguments, (char **)&arguments, 10);
    session_set_loop(s, ends[0], ends[1]);
}

SCRIPT(loops_have_two_ends, empty_session) = {
    {"‹set_loop 900 300›", "loop_from 300; loop_to 900"}, /* in either order */
    {"‹set_loop 500 500›‹set_loop -50 -9223372036854775808›", "loop_from 300"},
    {"‹set_loop -9223372036854775808 9223372036854775807›",
     "loop_from 0; loop_to; clean"},
};

/* A bar is 240 ms; it goes round until it is stopped. */
SCRIPT(a_loop_is_played, empty_session) = {
    {"t1000\r1\\ ‹pass 130›", "tick 0..1920; plays"},
    {"‹pass 150›", "tick 0..1920; plays"},
    {"‹pass 170›", "tick 0..1920; plays"},
    {" ", "no plays"},
};

NUMBER_FACT(tick, player_tick(s->player))

/* Bars put in before it, in it and after it; undone, in any number. */
SCRIPT(a_loop_stays_on_its_music, empty_session) = {
    {"3G2\\1G:insert 2\r", "loop_from 4b; loop_to 6b"},
    {"6G:insert\r7G:insert\r9G:insert\r",
     "loop_from 4b; loop_to 8b"}, /* where it ends */
    {"10G:insert\r5G:insert\r",
     "loop_from 5b; loop_to 9b"}, /* after, and at its start */
    {"4u", "loop_from 4b; loop_to 7b"},
    {"9u", "loop_from 2b; loop_to 4b"},
};

/* Of all tracks, with their tempos and meters; a loop stays on its music. */
SCRIPT(bars_are_taken_out, empty_session) = {
    {"2G6\r4G\r:track B\r3G\r:meter 3/4\r4G:meter 4/4\rmCoda\r", "tracks 2; n 3"},
    {"4G2\\3G:remove\r",
     START " 3840:4/4 3840:Coda; notes1 ; notes0 1b+6s 60, 2b1q+1s 60; loop_from 2b",
     "removed bar 3 up to bar 4, with 1 note; u undoes this"},
    {"2GgVl:remove\r",
     START " 1920:4/4 1920:Coda; notes0 1b1q+1s 60; at 1b; mode NORMAL", /* the bar */
     "removed bar 2 up to bar 3, with 1 note; u undoes this"},
    {"2u", START " 3840:3/4 5280:4/4 5280:Coda; n 3; loop_from 5280"},
    {"gg:remove 3\r", "signs 0:4/4 0:=120 0:Coda; n 1; notes0 1q+1s 60; notes1 "},
    {":remove 0\r", "n 1", "!"},
    {"u:insert 3\r:remove 3\r", "n 3; signs 0:4/4 0:=120 3840:3/4 5280:4/4 5280:Coda"},
};

SCRIPT(a_loop_is_kept_beside_the_piece, empty_session) = {
    {"2G2\\‹file w loop.mid›‹open_here new.mid›", "loop_to 0"},
    {"‹open_here loop.mid›", "loop; loop_from 1b; loop_to 3b"},
};

SCRIPT(the_map_comes_and_goes, empty_session) = {
    {"", "roll_rows 20; map 0"},
    {"zm", "roll_rows 19; map 1"},
    {"‹size 200x50›zm", "map 0"},
    {"‹size 80x24›", "roll_rows 20"},
};

/* 1 2 3 in a row, 4 5 below 1, 6 below 0; each a note. */
static int grown(void **state)
{
    if (empty_session(state))
        return -1;
    struct session *s = *state;
    play(s, "\rl\rl\r2ul\rl\r3ul\r", "states 7", NULL);
    assert_int_equal(history_at(s->project.history, 4)->parent, 1);
    assert_int_equal(history_at(s->project.history, 6)->parent, 0);
    assert_int_equal(history_state(s->project.history), 6);
    return 0;
}

SCRIPT(counts_undo_many, empty_session) = {
    {"\rl\rl\rl\r3u", "state 1"},
    {"99u", "state 0"},
    {"‹C-r›‹C-r›", "n 2"},
    {"2‹C-r›", "state 4"},
    {"99u:undo 2\r", "n 2; state 2"},
    {":undo 9\r", "state 2", "!"},
    {":undo\r", "state 1"},
};

SCRIPT(to_look_is_to_go, grown) = {
    {"U", "mode HISTORY"},
    {"j", "state 5; n 3"},
    {"2jk", "state 4"},
    {"G", "n 0"},
    {"99k", "state 6"},
    {"99jgg", "state 6"},
    {"3j\033", "mode NORMAL; state 3"}, /* Escape stays, */
    {"Ujjq", "mode NORMAL; state 3"},   /* q goes back */
    {"Uu", "state 2"},                  /* undo goes along the branch */
    {":undo 5\r", "mode HISTORY"},
    {"u", "state 4"},
    {"u\r", "state 1; mode NORMAL"},
};

static const struct history_row *row(struct session *s, uint64_t state)
{
    const struct view *v = view_of(s);
    assert_int_equal(v->lists[LIST_HISTORY].n, 7);
    assert_int_equal(v->history[6 - state].state, state);
    return &v->history[6 - state];
}

TEST_WITH(branches_are_drawn_and_marked, grown)
{
    assert_int_equal(view_of(s)->lists[LIST_HISTORY].is_open, 0);
    keys(s, ":undo 4\rU");
    assert_true(row(s, 4)->is_present);
    assert_true(row(s, 0)->is_saved);
    assert_false(row(s, 1)->is_present);
    assert_int_equal(view_of(s)->lists[LIST_HISTORY].point, 2);
    for (uint64_t i = 0; i < 7; i++) /* 0 1 4 5 are its branch */
        assert_int_equal(row(s, i)->is_on_way, i == 0 || i == 1 || i == 4 || i == 5);
    static const int LANES[] = {0, 1, 1, 2, 1, 1, 0}; /* 6 begins at 0 */
    for (uint64_t i = 0; i < 7; i++)
        assert_true(i == 2 || row(s, i)->lane == LANES[i]);
    assert_int_equal(row(s, 3)->passing, 1 << 0 | 1 << 1);
    assert_int_equal(row(s, 1)->joining, 1 << 2);
    assert_int_equal(row(s, 0)->joining, 1 << 1);
    assert_string_equal(row(s, 0)->label, "nothing yet");
    assert_string_equal(row(s, 5)->label, "add a note");
}

/* Of another piece with as many states. */
SCRIPT(the_list_is_of_the_piece, empty_session) = {
    {"\r‹file w one.mid›U", "newest add a note"},
    {"‹open_here new.mid›mIntro\rU", "states 2; newest marker at bar 1"},
};

SCRIPT(the_mouse_chooses_a_state, grown) = {
    {"U‹item 2›", "state 4; mode HISTORY"},
    {"‹beside›", "state 4; mode NORMAL"},
};

SCRIPT(times_are_gone_to, grown) = {
    {":earlier 2\r", "state 4"},         {":later\r", "state 5"},
    {":earlier 1h\r", "state 0"},        {":later 1m\r", "state 6"},
    {":earlier soon\r", "state 6", "!"}, {":revert\r", "state 0"},
};

GROUP(make_own_folder, remove_own_folder)
