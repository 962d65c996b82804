/* Markers, tempos and meters, the loop and the map, by the keys that do them. */
#include "tests/check.h"
#include "app/editor/edit/timeline_list.h"
#include "tests/app/editor/edit/pointer.h"
#include "tests/app/editor/events.h"
#include "tests/app/kept.h"

NUMBER_FACT(map, s->layout.map.rows)
NUMBER_FACT(listed, view_of(s)->map_list.signs->n)
NUMBER_FACT(chosen, s->parts.timeline->chosen)
NUMBER_FACT(chosen_kind, s->parts.timeline->all.list[s->parts.timeline->chosen].kind)
NUMBER_FACT(version, s->project.version)
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
    {"9j>>", "at 4080", "at bar 4, beat 3"}, /* two sixteenths; the cursor follows */
    {"<<<\rB\r", "signs 0:5/8 0:=96 3720:VerseB"},
    {"a132\raCoda\ra3/4\r", "signs 0:5/8 0:=96 3600:3/4 3720:=132 3720:Coda"},
    {"2ugg9k9jx", "version 15",
     "marker removed; u undoes this"},              /* gg is no key here */
    {"9k2>", "version 16; chosen_kind 0; at 2400"}, /* a meter by bars, in one step */
    {"\033", "mode NORMAL"},
    {"99u", START},
};

/* Each is still one that can be taken out. */
SCRIPT(what_is_moved_onto_another_stays_another, empty_session) = {
    {"2GmA\r3GmB\rgm9j16<", START " 1920:A 1920:B"},
    {"x", START " 1920:B", "marker removed; u undoes this"},
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

GROUP(make_own_folder, remove_own_folder)
