/* The list of tracks: how it opens, scrolls and heeds the mouse, what is hidden, and what is
 * kept beside the file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/app/own_folder.h"
#include "tests/app/editor/edit/track_keys.h"
#include "app/editor/edit/tracks.h"
#include "tui/panels/track_line.h"
#include "tui/panels/track_list.h"

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

static void hidden_tracks_are_left_and_passed_over(void **state)
{
    struct session *s = *state;
    struct view v;
    type(s, "gh");
    assert_true(track(s, 3)->hide);
    assert_int_equal(s->track, 0);
    type(s, "4gb");
    session_view(s, &v, 0);
    assert_true(v.tracks.hide_others);
    type(s, "gb");
    session_view(s, &v, 0);
    assert_false(v.tracks.hide_others);
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
    struct track_list list =
        track_list_for(&s->layout, 304, s->parts.track_list->first);
    assert_int_equal(list.box.first + list.box.n_shown, 304);
    type(s, "j");
    assert_int_equal(s->track, 0);
    assert_int_equal(s->parts.track_list->first, 0);
    act_run(s, &(struct command){.id = CMD_TRACKS_SCROLL_DOWN});
    assert_int_equal(s->parts.track_list->first, 3);
    assert_int_equal(s->track, 0);
    act_run(s, &(struct command){.id = CMD_TRACKS_SCROLL_UP});
    act_run(s, &(struct command){.id = CMD_TRACKS_SCROLL_UP});
    assert_int_equal(s->parts.track_list->first, 0);
    type(s, "200j");
    assert_int_equal(s->track, 200);
    list = track_list_for(&s->layout, 304, s->parts.track_list->first);
    assert_in_range(200, list.box.first, list.box.first + list.box.n_shown - 1);
    type(s, "A");
    list = track_list_for(&s->layout, 305, s->parts.track_list->first);
    assert_int_equal(list.box.first + list.box.n_shown, 305);
    session_resize(s, 60, 14);
    list = track_list_for(&s->layout, 305, s->parts.track_list->first);
    assert_in_range(304, list.box.first, list.box.first + list.box.n_shown - 1);
}

static void save_as(struct session *s, const char *name)
{
    char line[160];
    snprintf(line, sizeof line, "w! %s", in_folder(name));
    act_command_line(s, line);
    assert_false(s->message_is_error);
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
    static const char MARKS[] =
        "DELETE FROM mark;"
        "INSERT INTO mark VALUES(1, 1, 0, 0, x'42617373', 1, 0, 0, 0, 0),"
        "(1, 1, 1, 1, x'416C746F', 0, 0, 0, 0, 2), (1, 1, 2, 2, x'476F6E65', 0, 1, 0, "
        "0, 0),"
        "(1, 1, 3, 9, x'54656E6F72', 0, 0, 0, 1, 0)"; /* Bass, Alto, Gone, Tenor */
    sqlite3 *db;
    type(s, "M\\2");
    save_as(s, "moved.mid");
    session_open(s, in_folder("elsewhere.mid"));
    assert_int_equal(sqlite3_open(in_folder("moved.mid.continuo"), &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, MARKS, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    session_open(s, in_folder("moved.mid"));
    assert_false(s->message_is_error);
    assert_true(track(s, 3)->mute && track(s, 1)->colour == 2 && track(s, 2)->hide);
    for (int i = 0; i < 4; i++)
        assert_false(track(s, i)->solo);
}

#define SESSION_TEST(f) cmocka_unit_test_setup_teardown(f, open_session, keyed_close)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SESSION_TEST(the_list_opens_and_closes),
        SESSION_TEST(hidden_tracks_are_left_and_passed_over),
        SESSION_TEST(hidden_notes_are_not_clicked),
        SESSION_TEST(the_mouse_does_it_too),
        SESSION_TEST(hundreds_of_tracks_scroll),
        SESSION_TEST(marks_are_kept_beside_the_file),
        SESSION_TEST(marks_find_their_tracks),
    };
    return cmocka_run_group_tests(tests, make_own_folder, remove_own_folder);
}
