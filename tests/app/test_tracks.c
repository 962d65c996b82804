/* The list of tracks by its keys and the mouse: what becomes of the score, what is undone,
 * and what is kept beside the file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "app/session.h"
#include "app/sidecar.h"
#include "tui/bindings.h"
#include "tui/track_list.h"
#include "tui/track_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/continuo-tracks-XXXXXX";

static const char *in_folder(const char *name)
{
    static char path[4][128];
    static int at;
    at = (at + 1) % 4;
    snprintf(path[at], sizeof path[at], "%s/%s", folder, name);
    return path[at];
}

/* Whether it was a command. */
static bool press(struct session *s, struct keymap_state *keys, uint32_t code)
{
    struct command c;
    struct key key = {.code = code};
    bool is_command = keys_feed(keys, s->mode, &key, &c);
    if (is_command)
        act_run(s, &c);
    return is_command;
}

/* As typed: ~ is Enter, ^ Escape, _ Backspace, \x01 Down, \x02 Up. */
static void type(struct session *s, const char *text)
{
    struct keymap_state keys = {0};
    for (; *text; text++)
        press(s, &keys,
              *text == '~'    ? (uint32_t)K_ENTER
              : *text == '^'  ? (uint32_t)K_ESCAPE
              : *text == '_'  ? (uint32_t)K_BACKSPACE
              : *text == '\t' ? (uint32_t)K_TAB
              : *text == 1    ? (uint32_t)K_DOWN
              : *text == 2    ? (uint32_t)K_UP
                              : (uint32_t)*text);
}

static void click(struct session *s, int column, int row)
{
    struct command c;
    struct keymap_state keys = {0};
    struct key key = {.code = K_PRESS, .column = column, .row = row, .button = 1};
    assert_true(keys_feed(&keys, s->mode, &key, &c));
    act_run(s, &c);
}

/* Four tracks: Piano, and Alto, Tenor and Bass after it, with a note each. */
static int open_session(void **state)
{
    struct session *s = malloc(sizeof *s);
    struct session_options o = {.driver = "none",
                                .model = "/nonexistent.safetensors",
                                .n_threads = 1,
                                .wake_fd = -1};
    if (!s || session_init(s, &o))
        return -1;
    session_resize(s, 80, 24);
    type(s, "~:track Alto~~:track Tenor~~:track Bass~~");
    assert_int_equal(s->project.score->n_tracks, 4);
    assert_int_equal(score_n_notes(s->project.score), 4);
    *state = s;
    return 0;
}

static int close_session(void **state)
{
    session_fini(*state);
    free(*state);
    return 0;
}

static struct track *track(const struct session *s, int i)
{
    assert_true((size_t)i < s->project.score->n_tracks);
    return &s->project.score->tracks[i];
}

static void the_list_opens_and_closes(void **state)
{
    struct session *s = *state;
    type(s, "B");
    assert_int_equal(s->mode, MODE_TRACKS);
    type(s, "kk");
    assert_int_equal(s->track, 1);
    type(s, "2j");
    assert_int_equal(s->track, 3);
    type(s, "\t");
    assert_int_equal(s->track, 0);
    type(s, "\2^");
    assert_int_equal(s->track, 3);
    assert_int_equal(s->mode, MODE_NORMAL);
    type(s, "iBB");
    assert_int_equal(s->mode, MODE_DRAW);
    type(s, "^V");
    assert_int_equal(s->n_selected, 1);
    type(s, "B");
    assert_int_equal(s->mode, MODE_TRACKS);
    assert_int_equal(s->n_selected, 1);
    type(s, "B");
    assert_int_equal(s->mode, MODE_NORMAL);
}

static void enter_renames(void **state)
{
    struct session *s = *state;
    type(s, "Bk~");
    assert_string_equal(s->input, "rename Tenor");
    type(s, "_____of the choir~");
    assert_string_equal(track(s, 2)->name, "of the choir");
    assert_int_equal(s->mode, MODE_TRACKS);
    type(s, "u");
    assert_string_equal(track(s, 2)->name, "Tenor");
    type(s, ":rename \033[2J~");
    assert_null(strchr(s->message, '\033'));
}

static void letters_find_an_instrument(void **state)
{
    struct session *s = *state;
    struct view v;
    type(s, "Bicello");
    session_view(s, &v, 0);
    assert_true(v.list_tracks && v.n_instruments > 0);
    assert_int_equal(v.instruments[v.chosen_instrument], 42);
    type(s, "~");
    assert_int_equal(track(s, 3)->program, 42);
    session_view(s, &v, 0);
    assert_null(v.instruments);
    type(s, "iepia\1~");
    assert_int_equal(track(s, 3)->program, 5);
    type(s, "i~"); /* nothing typed: as it was */
    assert_int_equal(track(s, 3)->program, 5);
    type(s, "i\1\1\2~");
    assert_int_equal(track(s, 3)->program, 6);
    type(s, ":instrument 74~");
    assert_int_equal(track(s, 3)->program, 73);
    type(s, "izzzz~");
    assert_true(s->message_is_error);
    assert_int_equal(track(s, 3)->program, 73);
    type(s, "4u");
    assert_int_equal(track(s, 3)->program, 0);
}

/* Steps that were made for a line that was then left do not count for the next. */
static void a_choice_is_forgotten_with_its_line(void **state)
{
    struct session *s = *state;
    type(s, "Biviol\1\1^:instrument cello~");
    assert_int_equal(track(s, 3)->program, 42);
}

static void drums_have_kits(void **state)
{
    struct session *s = *state;
    type(s, "B10nijazz~");
    assert_int_equal(track(s, 3)->channel, 9);
    assert_int_equal(track(s, 3)->program, 32);
    type(s, "2u");
    assert_int_equal(track(s, 3)->channel, 3);
}

static void channels_are_typed(void **state)
{
    struct session *s = *state;
    type(s, "Bn12~");
    assert_int_equal(track(s, 3)->channel, 11);
    type(s, ":channel 17~");
    assert_true(s->message_is_error);
    type(s, ":channel 1~");
    assert_non_null(strstr(s->message, "as track 1"));
    type(s, "icello~"); /* of both */
    assert_int_equal(track(s, 0)->program, 42);
    type(s, "3u");
    assert_int_equal(track(s, 3)->channel, 3);
    assert_int_equal(track(s, 0)->program, 0);
}

static void marks_are_not_undone(void **state)
{
    struct session *s = *state;
    uint64_t before = history_state(s->project.history);
    type(s, "BMSah");
    const struct track *t = track(s, 3);
    assert_true(t->mute && t->solo && t->arm && t->hide);
    type(s, "c");
    assert_int_equal(t->colour, 5);
    type(s, "8cc");
    assert_int_equal(t->colour, 1);
    type(s, "3c");
    assert_int_equal(t->colour, 3);
    type(s, ":colour vermilion~");
    assert_int_equal(t->colour, 6);
    type(s, ":colour auto~");
    assert_int_equal(t->colour, 0);
    type(s, ":colour 9~");
    assert_true(s->message_is_error);
    assert_int_equal(history_state(s->project.history), before);
    type(s, "MSah");
    assert_false(t->mute || t->solo || t->arm || t->hide);
}

static void tracks_are_added_and_removed(void **state)
{
    struct session *s = *state;
    type(s, "BA");
    assert_int_equal(s->project.score->n_tracks, 5);
    type(s, "kkX");
    assert_int_equal(s->project.score->n_tracks, 4);
    assert_string_equal(track(s, 2)->name, "Bass");
    assert_int_equal(track(s, 2)->colour, 4);
    assert_int_equal(s->track, 2);
    type(s, "u");
    assert_string_equal(track(s, 2)->name, "Tenor");
    assert_int_equal(track(s, 2)->n_notes, 1);
    type(s, "XXXXX"); /* also the last */
    assert_int_equal(s->project.score->n_tracks, 0);
    assert_int_equal(s->track, -1);
    type(s, "XJKMSahcin~"); /* there is nothing to do it to */
    assert_int_equal(s->mode, MODE_TRACKS);
    type(s, "u");
    assert_int_equal(s->project.score->n_tracks, 1);
    assert_int_equal(s->track, 0);
    type(s, "20u");
    assert_int_equal(history_state(s->project.history), 0);
}

static void tracks_move(void **state)
{
    struct session *s = *state;
    type(s, "B2K");
    assert_string_equal(track(s, 1)->name, "Bass");
    assert_int_equal(track(s, 1)->colour, 4); /* as it was */
    assert_int_equal(s->track, 1);
    type(s, "9J");
    assert_string_equal(track(s, 3)->name, "Bass");
    assert_int_equal(s->track, 3);
    type(s, "J");
    assert_string_equal(s->message, "it is the last");
    type(s, "u");
    assert_string_equal(track(s, 1)->name, "Bass");
    type(s, "u");
    assert_string_equal(track(s, 3)->name, "Bass");
}

/* A selection speaks of tracks by number. */
static void moving_lets_go_of_the_selection(void **state)
{
    struct session *s = *state;
    type(s, "VB");
    assert_int_equal(s->n_selected, 1);
    type(s, "K");
    assert_int_equal(s->n_selected, 0);
}

static void hidden_tracks_are_left_and_passed_over(void **state)
{
    struct session *s = *state;
    struct view v;
    type(s, "gh");
    assert_true(track(s, 3)->hide);
    assert_int_equal(s->track, 0);
    type(s, "4gb");
    session_view(s, &v, 0);
    assert_true(v.hide_others);
    type(s, "gb");
    session_view(s, &v, 0);
    assert_false(v.hide_others);
}

/* A click on a note of a hidden track does not find it. */
static void hidden_notes_are_not_clicked(void **state)
{
    struct session *s = *state;
    type(s, ":track Other~2l5j~gh0"); /* a note a little further and lower */
    assert_int_equal(s->track, 0);
    const struct note *n = &track(s, 4)->notes[0];
    int column = (int)layout_column(&s->layout, &s->port, n->start);
    click(s, column, layout_row(&s->layout, &s->port, n->pitch));
    assert_int_equal(s->track, 0);
    track(s, 4)->hide = false;
    click(s, column, layout_row(&s->layout, &s->port, n->pitch));
    assert_int_equal(s->track, 4);
}

static void the_mouse_does_it_too(void **state)
{
    struct session *s = *state;
    session_resize(s, 200, 50);
    type(s, "B");
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

static void hundreds_of_tracks_scroll(void **state)
{
    struct session *s = *state;
    for (int i = 0; i < 300; i++)
        act_command_line(s, "track Many");
    type(s, "B");
    struct track_list list = track_list_for(&s->layout, 304, s->track_list.first);
    assert_int_equal(list.box.first + list.box.n_shown, 304);
    type(s, "j");
    assert_int_equal(s->track, 0);
    assert_int_equal(s->track_list.first, 0);
    act_run(s, &(struct command){.id = CMD_TRACKS_SCROLL_DOWN});
    assert_int_equal(s->track_list.first, 3);
    assert_int_equal(s->track, 0);
    act_run(s, &(struct command){.id = CMD_TRACKS_SCROLL_UP});
    act_run(s, &(struct command){.id = CMD_TRACKS_SCROLL_UP});
    assert_int_equal(s->track_list.first, 0);
    type(s, "200j");
    assert_int_equal(s->track, 200);
    list = track_list_for(&s->layout, 304, s->track_list.first);
    assert_in_range(200, list.box.first, list.box.first + list.box.n_shown - 1);
    type(s, "A");
    list = track_list_for(&s->layout, 305, s->track_list.first);
    assert_int_equal(list.box.first + list.box.n_shown, 305);
    session_resize(s, 60, 14);
    list = track_list_for(&s->layout, 305, s->track_list.first);
    assert_in_range(304, list.box.first, list.box.first + list.box.n_shown - 1);
}

/* -- what is kept beside the file -- */

static void save_as(struct session *s, const char *name)
{
    char line[160];
    snprintf(line, sizeof line, "w! %s", in_folder(name));
    act_command_line(s, line);
    assert_false(s->message_is_error);
}

static void put_beside(const char *name, const char *text)
{
    FILE *f = fopen(in_folder(name), "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void marks_are_kept_beside_the_file(void **state)
{
    struct session *s = *state;
    type(s, "B~");
    act_command_line(s, "rename B\xE9\xFF\x01\xE2\x99\xAD"); /* any bytes */
    type(s, "^Mahk4cS^");
    save_as(s, "marks.mid");
    session_open(s, in_folder("marks.mid"));
    assert_false(s->message_is_error);
    assert_true(track(s, 3)->mute && track(s, 3)->arm && track(s, 3)->hide);
    assert_true(track(s, 2)->solo && track(s, 2)->colour == 4);
    assert_false(track(s, 3)->solo || track(s, 0)->mute || track(s, 1)->colour);
}

/* Another program has put a track before them, and renamed one. */
static void marks_find_their_tracks(void **state)
{
    struct session *s = *state;
    type(s, "M\\2");
    save_as(s, "moved.mid");
    put_beside("moved.mid.continuo",
               "{\"continuo\": 1, \"tracks\": {\"list\": ["
               "{\"index\": 0, \"name\": \"Bass\", \"mute\": true},"
               "{\"index\": 1, \"name\": \"Alto\", \"colour\": 2},"
               "{\"index\": 2, \"name\": \"Gone\", \"solo\": true},"
               "{\"index\": 9, \"name\": \"Tenor\", \"hide\": true, \"new\": []}]}}");
    session_open(s, in_folder("moved.mid"));
    assert_false(s->message_is_error);
    assert_true(track(s, 3)->mute && track(s, 1)->colour == 2 && track(s, 2)->hide);
    for (int i = 0; i < 4; i++)
        assert_false(track(s, i)->solo);
}

static void marks_that_cannot_be_right_are_refused(void **state)
{
    static const char *const BAD[][2] = {
        {"{\"list\": 3}", "list"},
        {"{\"list\": [3]}", "list"},
        {"{\"list\": [{}]}", "list"},
        {"{\"list\": [{\"index\": 1}]}", "name"},
        {"{\"list\": [{\"index\": 1, \"name\": 7}]}", "name"},
        {"{\"list\": [{\"index\": 1, \"name\": \"\\u0100\"}]}", "name"},
        {"{\"list\": [{\"index\": 1, \"name\": \"\xFF\"}]}", "name"},
        {"{\"list\": [{\"index\": 1, \"name\": "
         "\"0123456789012345678901234567890123456789012345678901234567890123\"}]}",
         "name"},
        {"{\"list\": [{\"index\": -1, \"name\": \"\"}]}", "index"},
        {"{\"list\": [{\"index\": 65536, \"name\": \"\"}]}", "index"},
        {"{\"list\": [{\"index\": 0.5, \"name\": \"\"}]}", "index"},
        {"{\"list\": [{\"index\": 1, \"name\": \"\"}, {\"index\": 1, \"name\": \"\"}]}",
         "index"},
        {"{\"list\": [{\"index\": 1, \"name\": \"\", \"mute\": 1}]}", "mute"},
        {"{\"list\": [{\"index\": 1, \"name\": \"\", \"colour\": 9}]}", "colour"},
        {"{\"list\": [{\"index\": 1, \"name\": \"\", \"colour\": \"2\"}]}", "colour"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
        struct sidecar side;
        char text[400], why[SIDECAR_WHY_BYTES] = "", wanted[SIDECAR_WHY_BYTES];
        snprintf(text, sizeof text, "{\"continuo\": 1, \"tracks\": %s}", BAD[i][0]);
        put_beside("bad.mid.continuo", text);
        enum sidecar_status st = sidecar_load(&side, in_folder("bad.mid"), why);
        snprintf(wanted, sizeof wanted, "of its tracks, %s cannot be right", BAD[i][1]);
        if (st != SIDECAR_FAILED || strcmp(why, wanted))
            fail_msg("%s: %s", BAD[i][0], why);
        assert_int_equal(side.tracks.n, 0);
        sidecar_fini(&side);
    }
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    static const char *const NAMES[] = {"marks.mid", "marks.mid.continuo", "moved.mid",
                                        "moved.mid.continuo", "bad.mid.continuo"};
    (void)state;
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++)
        unlink(in_folder(NAMES[i]));
    return rmdir(folder);
}

#define SESSION_TEST(f) cmocka_unit_test_setup_teardown(f, open_session, close_session)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SESSION_TEST(the_list_opens_and_closes),
        SESSION_TEST(enter_renames),
        SESSION_TEST(letters_find_an_instrument),
        SESSION_TEST(a_choice_is_forgotten_with_its_line),
        SESSION_TEST(drums_have_kits),
        SESSION_TEST(channels_are_typed),
        SESSION_TEST(marks_are_not_undone),
        SESSION_TEST(tracks_are_added_and_removed),
        SESSION_TEST(tracks_move),
        SESSION_TEST(moving_lets_go_of_the_selection),
        SESSION_TEST(hidden_tracks_are_left_and_passed_over),
        SESSION_TEST(hidden_notes_are_not_clicked),
        SESSION_TEST(the_mouse_does_it_too),
        SESSION_TEST(hundreds_of_tracks_scroll),
        SESSION_TEST(marks_are_kept_beside_the_file),
        SESSION_TEST(marks_find_their_tracks),
        cmocka_unit_test(marks_that_cannot_be_right_are_refused),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
