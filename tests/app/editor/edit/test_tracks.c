/* The list of tracks by its keys and the mouse: what becomes of the score and what is undone,
 * how it opens and scrolls, what is hidden, and what is kept beside the file. */
#include "tests/check.h"
#include "app/editor/edit/tracks.h"
#include "tests/app/kept.h"
#include "tui/panels/panels.h"

/* Piano, and Alto, Tenor and Bass after it, with a note each. */
static int four_tracks(void **state)
{
    if (empty_session(state))
        return -1;
    keys(*state, "\r:track Alto\r\r:track Tenor\r\r:track Bass\r\r");
    assert_int_equal(((struct session *)*state)->project.score->n_tracks, 4);
    assert_int_equal(n_notes(*state), 4);
    return 0;
}

NUMBER_FACT(program, track(s, of)->program)
NUMBER_FACT(channel, track(s, of)->channel)
NUMBER_FACT(colour, track(s, of)->colour)
NUMBER_FACT(mute, track(s, of)->mute)
NUMBER_FACT(solo, track(s, of)->solo)
NUMBER_FACT(arm, track(s, of)->arm)
NUMBER_FACT(hide, track(s, of)->hide)
NUMBER_FACT(first, s->parts.track_list->first)
NUMBER_FACT(others_hidden, view_of(s)->tracks.hide_others)
NUMBER_FACT(listed, (view_of(s)->tracks.is_listed && view_of(s)->instruments.n > 0))
NUMBER_FACT(has_programs, view_of(s)->instruments.programs != NULL)
NUMBER_FACT(found, view_of(s)->instruments.programs[view_of(s)->instruments.chosen])

SCRIPT(enter_renames, four_tracks) = {
    {"Bk\r", "input rename Tenor"},
    {"\b\b\b\b\bof the choir\r", "name2 of the choir; mode TRACKS"},
    {"u", "name2 Tenor"},
    {"‹line rename \033[2J›", "name2 \033[2J", "-\033"},
};

SCRIPT(letters_find_an_instrument, four_tracks) = {
    {"Bicello", "listed; found 42"},
    {"\r", "program3 42; no has_programs"},
    {"iepia‹Down›\r", "program3 5"},
    {"i\r", "program3 5"}, /* nothing typed: as it was */
    {"i‹Down›‹Down›‹Up›\r", "program3 6"},
    {":instrument 74\r", "program3 73"},
    {"izzzz\r", "program3 73", "!"},
    {"4u", "program3 0"},
};

/* Steps that were made for a line that was then left do not count for the next. */
SCRIPT(a_choice_is_forgotten_with_its_line, four_tracks) = {
    {"Biviol‹Down›‹Down›\033:instrument cello\r", "program3 42"},
};

/* One step, with the instrument, until a name says more. */
SCRIPT(new_tracks_are_named_by_their_instrument, four_tracks) = {
    {"A", "name4 Acoustic Grand Piano"},
    {":instrument e-piano\r", "program4 4; name4 Electric Piano 1"},
    {":instrument sax\r", "program4 64; name4 Soprano Sax"},
    {":channel 10\r", "channel4 9; name4 Drums"},
    {":instrument jazz\r", "name4 Jazz Kit"},
    {"4u", "name4 Acoustic Grand Piano; program4 0"},
    {"2Bkkkki cello\r", "program0 42; name0 Cello"}, /* the first is called Piano */
    {":rename Ann\r:instrument oboe\r", "program0 68; name0 Ann"},
    {"\033:track drums\r", "channel5 9; name5 drums"},
};

/* The name says which; nothing is guessed of others. */
SCRIPT(new_tracks_play_what_they_are_named_for, empty_session) = {
    {"\r:track bass\r", "program1 32; name1 bass"},
    {":track 2nd Violin\r", "program2 40"},
    {":track electric piano\r", "program3 4"},
    {":track melody\r", "program4 0"},
    {":track fingered bass\r", "program5 33"},
    {"u", "tracks 5"},
    {":track Tenor\r:track Bass\r", "program6 0"}, /* which sings */
};

SCRIPT(drums_have_kits, four_tracks) = {
    {"B10nijazz\r", "channel3 9; program3 32"},
    {"2u", "channel3 3"},
};

SCRIPT(channels_are_typed, four_tracks) = {
    {"Bn12\r", "channel3 11"},           {":channel 17\r", "", "!"},
    {":channel 1\r", "", "~as track 1"}, {"icello\r", "program0 42"}, /* of both */
    {"3u", "channel3 3; program0 0"},
};

SCRIPT(marks_are_not_undone, four_tracks) = {
    {"", "state 7"},
    {"BMSah", "mute3; solo3; arm3; hide3"},
    {"c", "colour3 5"},
    {"8cc", "colour3 1"},
    {"3c", "colour3 3"},
    {":colour vermilion\r", "colour3 6"},
    {":colour auto\r", "colour3 0"},
    {":colour 9\r", "state 7", "!"},
    {"MSah", "no mute3; no solo3; no arm3; no hide3"},
};

SCRIPT(tracks_are_added_and_removed, four_tracks) = {
    {"BA", "tracks 5"},
    {"kkX", "tracks 4; name2 Bass; colour2 4; track 2"},
    {"u", "name2 Tenor; n2 1"},
    {"XXXXX", "tracks 0; track -1"}, /* also the last */
    {"XJKMSahcin\r", "mode TRACKS"}, /* there is nothing to do it to */
    {"u", "tracks 1; track 0"},
    {"20u", "state 0"},
};

SCRIPT(tracks_move, four_tracks) = {
    {"B2K", "name1 Bass; colour1 4; track 1"}, /* its colour as it was */
    {"9J", "name3 Bass; track 3"},
    {"J", "", "it is the last"},
    {"u", "name1 Bass"},
    {"u", "name3 Bass"},
};

SCRIPT(a_track_is_duplicated, four_tracks) = {
    {"Bk:volume 70\rD", "tracks 5; track 4; name4 Tenor copy; channel4 4; n4 1; n2 1",
     "track 5 Tenor copy, with 1 note"},
    {"\033gg0:transpose 2\r", "notes4 0+1s 62; notes2 0+1s 60"},
    {"2u", "tracks 4; track 3"},
    {"‹C-r›", "tracks 5; notes4 0+1s 60"},
    {"u:channel 10\rBD", "channel4 9"}, /* drums stay drums */
};

/* As many on as each is from its own; all to one; in one step, and still selected. */
SCRIPT(notes_go_to_other_tracks, empty_session) = {
    {"\r:track A\r\r2l\r:track B\r2l2k\r", "n0 1; n1 2; notes2 4s+1s 62"},
    {"g<", "n2 0; notes1 0+1s 60, 2s+1s 60, 4s+1s 62; track 1; no selected",
     "1 note moved to track 2 A"},
    {"‹C-a›g>", "n1 0; n2 3; selected 3; track 2"},
    {"g>", "n2 3", "no track after this one: A adds one"},
    {"2g<", "n2 3", "~cannot move there"},
    {"gA}u", "selected 4"},
    {"u", "n1 3; n2 0"},
    {"g>", "n0 0; notes1 0+1s 60; n2 3"},
    {":move pia\r", "n0 0", "~cannot move there"}, /* two of one pitch */
    {"\033gg‹pitch 60›:move 1\r", "n0 1; n1 0; n2 3; no selected; track 0"},
    {":move 9\r", "", "!"},
    {"‹C-r›9u", "n0 0"},
};

/* A selection speaks of tracks by number. */
SCRIPT(moving_lets_go_of_the_selection, four_tracks) = {
    {"VB", "selected 1"},
    {"K", "no selected"},
};

/* -- how it is shown -- */

SCRIPT(the_list_opens_and_closes, four_tracks) = {
    {"B", "mode TRACKS"},
    {"kk", "track 1"},
    {"2j", "track 3"},
    {"\t", "track 0"},
    {"‹Up›\033", "track 3; mode NORMAL"},
    {"iBB", "mode DRAW"},
    {"\033V", "selected 1"},
    {"B", "mode TRACKS; selected 1"},
    {"B", "mode NORMAL"},
};

SCRIPT(hidden_tracks_are_left_and_passed_over, four_tracks) = {
    {"gh", "hide3; track 0"},
    {"4gb", "others_hidden"},
    {"gb", "no others_hidden"},
};

static void click(struct session *s, int column, int row)
{
    point(s, K_PRESS, column, row);
}

/* A click on a note of a hidden track does not find it. */
TEST_WITH(hidden_notes_are_not_clicked, four_tracks)
{
    keys(s, ":track Other\r2l5j\rgh0"); /* a note a little further and lower */
    assert_int_equal(s->track, 0);
    const struct note *n = note_of(s, 4, 0);
    int column = (int)layout_column(&s->layout, &s->port, n->start);
    click(s, column, layout_row(&s->layout, &s->port, n->pitch));
    assert_int_equal(s->track, 0);
    track(s, 4)->hide = false;
    click(s, column, layout_row(&s->layout, &s->port, n->pitch));
    assert_int_equal(s->track, 4);
}

TEST_WITH(the_mouse_does_it_too, four_tracks)
{
    session_resize(s, 200, 50);
    keys(s, "B");
    struct track_list list = track_list_for(&s->layout, 4, 0);
    click(s, list.name, list.box.items.row + 1);
    assert_int_equal(s->track, 1);
    click(s, list.marks, list.box.items.row + 2);
    assert_int_equal(s->track, 2);
    assert_true(track(s, 2)->mute);
    click(s, list.marks + 2 * TRACK_HIDE, list.box.items.row + 2);
    assert_true(track(s, 2)->hide && track(s, 2)->mute);
    click(s, 10, s->layout.tracks.row);
    assert_int_equal(s->track, 0);
    click(s, s->layout.roll.column + 150, s->layout.roll.row + 20);
    assert_int_equal(s->mode, MODE_NORMAL);
    int second = 0;
    while (track_line_at(&s->layout, s->project.score, 0, second) != 1)
        second++;
    click(s, second, s->layout.tracks.row);
    assert_int_equal(s->track, 1);
}

TEST_WITH(a_track_s_words_are_clicked, empty_session)
{
    session_resize(s, 120, 30);
    keys(s, ":track Second\rB");
    struct track_list t = track_list_for(&s->layout, 2, 0);
    click(s, t.name, t.box.items.row);
    check_facts(s, "track 0; mode TRACKS");
    click(s, t.colour, t.box.items.row);
    assert_int_not_equal(track(s, 0)->colour, 0);
    const int columns[] = {t.name, t.instrument, t.channel};
    const char *const lines[] = {"rename ", "instrument ", "channel "};
    for (int i = 0; i < 3; i++) {
        click(s, columns[i], t.box.items.row);
        assert_int_equal(s->mode, MODE_PROMPT);
        assert_memory_equal(s->prompt.text, lines[i], strlen(lines[i]));
        keys(s, "\033");
    }
}

/* The row is on the screen. */
static void assert_in_list(struct session *s, int row)
{
    struct track_list list = track_list_for(&s->layout, s->project.score->n_tracks,
                                            s->parts.track_list->first);
    assert_in_range(row, list.box.first, list.box.first + list.box.n_shown - 1);
}

TEST_WITH(hundreds_of_tracks_scroll, four_tracks)
{
    for (int i = 0; i < 300; i++)
        act_command_line(s, "track Many");
    keys(s, "B");
    assert_in_list(s, 303);
    play(s, "j", "track 0", NULL);
    assert_int_equal(s->parts.track_list->first, 0);
    run(s, CMD_TRACKS_SCROLL_DOWN);
    assert_int_equal(s->parts.track_list->first, 3);
    assert_int_equal(s->track, 0);
    run(s, CMD_TRACKS_SCROLL_UP);
    run(s, CMD_TRACKS_SCROLL_UP);
    assert_int_equal(s->parts.track_list->first, 0);
    play(s, "200j", "track 200", NULL);
    assert_in_list(s, 200);
    keys(s, "A");
    assert_in_list(s, 304);
    session_resize(s, 60, 14);
    assert_in_list(s, 304);
}

/* -- what is kept -- */

SCRIPT(marks_are_kept_beside_the_file, four_tracks) = {
    {"B\r‹line rename B\xE9\xFF\x01\xE2\x99\xAD›\033Mahk4cS\033‹file w! marks.mid›",
     "no error"}, /* a name of any bytes */
    {"‹open_here marks.mid›",
     "no error; mute3; arm3; hide3; solo2; colour2 4; no solo3; no mute0; no colour1"},
};

/* Bass, Alto, Gone, Tenor: another program has put a track before them, and renamed one. */
#define OTHER_MARKS                                                                    \
    "DELETE FROM mark;"                                                                \
    "INSERT INTO mark VALUES(1, 1, 0, 0, x'42617373', 1, 0, 0, 0, 0),"                 \
    "(1, 1, 1, 1, x'416C746F', 0, 0, 0, 0, 2), (1, 1, 2, 2, x'476F6E65', 0, 1, 0, "    \
    "0, 0),(1, 1, 3, 9, x'54656E6F72', 0, 0, 0, 1, 0)"

SCRIPT(marks_find_their_tracks, four_tracks) = {
    {"M\\‹Up›‹file w! moved.mid›", "no error"},
    {"‹open_here elsewhere.mid›‹spoil moved.mid.continuo " OTHER_MARKS "›"},
    {"‹open_here moved.mid›", "no error; mute3; colour1 2; hide2; no solo0; no solo1; "
                              "no solo2; no solo3"},
};

GROUP(make_own_folder, remove_own_folder)
