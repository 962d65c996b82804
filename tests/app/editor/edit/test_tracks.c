/* The list of tracks by its keys and the mouse: what becomes of the score and what is undone,
 * how it opens and scrolls, what is hidden, and what is kept beside the file. */
#include "tests/check.h"
#include "app/editor/edit/tracks.h"
#include "tests/app/editor/edit/pointer.h"
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

NUMBER_FACT(colour, track(s, of)->colour)
NUMBER_FACT(mute, track(s, of)->mute)
NUMBER_FACT(solo, track(s, of)->solo)
NUMBER_FACT(arm, track(s, of)->arm)
NUMBER_FACT(hide, track(s, of)->hide)
NUMBER_FACT(first, box_of(s, LIST_TRACKS).first)
NUMBER_FACT(others_hidden, view_of(s)->tracks.hide_others)
NUMBER_FACT(listed, (view_of(s)->lists[LIST_TRACKS].is_open &&
                     s->view.lists[LIST_INSTRUMENTS].n > 0))
NUMBER_FACT(has_programs, view_of(s)->lists[LIST_INSTRUMENTS].is_open)
NUMBER_FACT(found,
            view_of(s)->instruments.programs[s->view.lists[LIST_INSTRUMENTS].point])

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
     "duplicate track 3 Tenor"},
    {"\033gg0:transpose 2\r", "notes4 0+1s 62; notes2 0+1s 60"},
    {"2u", "tracks 4; track 3"},
    {"‹C-r›", "tracks 5; notes4 0+1s 60"},
    {"u:channel 10\rBD", "channel4 9"}, /* drums stay drums */
};

/* As many on as each is from its own; all to one; in one step, and still selected. */
SCRIPT(notes_go_to_other_tracks, empty_session) = {
    {"\r:track A\r\r2l\r:track B\r2l2k\r", "n0 1; n1 2; notes2 4s+1s 62"},
    {"g<", "n2 0; notes1 0+1s 60, 2s+1s 60, 4s+1s 62; track 1; no selected",
     "move a note to track 2 A"},
    {"‹C-a›g>", "n1 0; n2 3; selected 3; track 2"},
    {"g>", "n2 3", "no track after this one: A adds one"},
    {"2g<", "n2 3", "~cannot move 3 notes to track 1 Piano"},
    {"gA}u", "selected 4"},
    {"u", "n1 3; n2 0"},
    {"g>", "n0 0; notes1 0+1s 60; n2 3"},
    {":move pia\r", "n0 0",
     "~cannot move 4 notes to track 1 Piano"}, /* two of one pitch */
    {"\033gg‹pitch 60›:move 1\r", "n0 1; n1 0; n2 3; no selected; track 0"},
    {":move 1\r", "n0 1", "it is already on that track"},
    {":move 9\r", "", "!"},
    {"‹C-r›9u", "n0 0"},
};

TEST_WITH(a_label_is_cut_after_a_whole_letter, empty_session)
{
    char *name = s->project.score->tracks[0].name;
    memset(name, '\1',
           sizeof s->project.score->tracks[0].name - 1); /* each is shown as 3 bytes */
    keys(s, "BD");
    const char *label = history_now(s->project.history)->change->label;
    assert_in_range(strlen(label), EDIT_LABEL_BYTES - 3, EDIT_LABEL_BYTES - 1);
    assert_string_equal(label + strlen(label) - 3, "\xef\xbf\xbd");
    assert_string_equal(s->view.message.text, label);
}

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

/* A click on a note of a hidden track does not find it. */
SCRIPT(hidden_notes_are_not_clicked, four_tracks) = {
    {":track Other\r‹put 2s+1s 55›gh", "track 0; hide4"},
    {"‹click 2s 55›", "track 0; n4 1"},
    {"u5gtgh‹track 0›‹click 2s 55›", "track 4"},
};

/* In the list: a column of it, and a row. */
WORD(list)
{
    const struct list_box b = box_of(s, LIST_TRACKS);
    const struct track_columns t = track_columns_of(&b);
    static const char *const COLUMNS[] = {"name",   "instrument", "channel",
                                          "colour", "mute",       "hide"};
    const int at[] = {t.name,   t.instrument, t.channel,
                      t.colour, t.marks,      t.marks + 2 * TRACK_HIDE};
    for (int i = 0; i < 6; i++)
        if (!strcmp(arguments, COLUMNS[i]))
            point(s, K_PRESS, at[i], b.items.row + on);
}

/* In the line of all tracks. */
WORD(line_of)
{
    int column = 0;
    while (track_line_at(&s->layout, s->project.score, 0, column) != on)
        column++;
    point(s, K_PRESS, column, s->layout.tracks.row);
}

SCRIPT(the_mouse_does_it_too, four_tracks) = {
    {"‹size 200x50›B‹list1 name›", "track 1"},
    {"‹list2 mute›", "track 2; mute2; no hide2"},
    {"‹list2 hide›", "mute2; hide2"},
    {"‹line_of0›", "track 0"},
    {"‹down 150 20›", "mode NORMAL"}, /* beside it */
    {"‹line_of1›", "track 1"},
};

SCRIPT(a_track_s_words_are_clicked, empty_session) = {
    {"‹size 120x30›:track Second\rB‹list0 name›", "track 0; mode TRACKS"},
    {"‹list0 colour›", "colour0"},
    {"‹list0 name›", "mode COMMAND; input ~rename "},
    {"\033‹list0 instrument›", "mode COMMAND; input ~instrument "},
    {"\033‹list0 channel›", "mode COMMAND; input ~channel "},
};

/* The track's row is on the screen. */
static bool is_in_list(struct session *s)
{
    const struct list_box b = box_of(s, LIST_TRACKS);
    return s->view.track >= b.first && s->view.track < b.first + b.n_shown;
}

WORD(add_many)
{
    for (int i = 0; i < 300; i++)
        act_command_line(s, "track Many");
}

DOES(wheel, point(s, on > 0 ? K_WHEEL_DOWN : K_WHEEL_UP, 30, 10))

NUMBER_FACT(in_list, is_in_list(s))

SCRIPT(hundreds_of_tracks_scroll, four_tracks) = {
    {"‹add_many›B", "track 303; in_list"},
    {"j", "track 0; first 0"},
    {"‹wheel1›", "first 0; track 1"},
    {"‹wheel0›", "track 0"},
    {"‹wheel0›", "track 0"}, /* keys go round, */
    {"k‹wheel1›", "track 303"},
    {"j", "track 0"},
    {"‹PageDown›", "in_list; track 10..40"},
    {"G", "in_list; track 303"},
    {"gg200j", "track 200; in_list"},
    {"A", "track 304; in_list"},
    {"‹size 60x14›", "in_list"},
};

/* -- what is kept -- */

SCRIPT(marks_are_kept_beside_the_file, four_tracks) = {
    {"B\r‹line rename B\xE9\xFF\x01\xE2\x99\xAD›\033Mahk4cS\033‹file w! marks.mid›",
     "no error"}, /* a name of any bytes */
    {"‹open_here marks.mid›",
     "no error; mute3; arm3; hide3; solo2; colour2 4; no solo3; no mute0; no colour1"},
};

/* Bass, Alto, Gone, Tenor: another program has put a track before them, and renamed one. */
#define OTHER_MARKS                                                                    \
    "UPDATE session SET data = json_set(data, '$.marks', json('"                       \
    "[[0,\"42617373\",1,0,0,0,0],[1,\"416C746F\",0,0,0,0,2],"                          \
    "[2,\"476F6E65\",0,1,0,0,0],[9,\"54656E6F72\",0,0,0,1,0]]')) "                     \
    "WHERE part = 'session'"

SCRIPT(marks_find_their_tracks, four_tracks) = {
    {"M\\‹Up›‹file w! moved.mid›", "no error"},
    {"‹open_here elsewhere.mid›‹spoil moved.mid.continuo " OTHER_MARKS "›"},
    {"‹open_here moved.mid›", "no error; mute3; colour1 2; hide2; no solo0; no solo1; "
                              "no solo2; no solo3"},
};

GROUP(make_own_folder, remove_own_folder)
