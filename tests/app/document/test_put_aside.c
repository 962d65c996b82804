/* Stores that were put aside open like music, whole or damaged; and a piece is one piece
 * by the names of its links, too. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/app/kept.h"
#include "app/editor/keep/keep.h"

/* A piece of n saved notes, and more that were not when it was ended from outside. */
static void leave_behind(const char *name, int n_saved, int n_more)
{
    struct session *s = kept_open(name);
    draw(s, n_saved);
    act_command_line(s, "w");
    assert_false(s->message_is_error);
    draw(s, n_more);
    settle(s);
    kept_close(s);
}

static void edit_elsewhere(const char *name)
{
    FILE *f = fopen(in_kept(name), "ab");
    assert_non_null(f);
    fputs("what no reader of MIDI files minds", f);
    fclose(f);
}

static struct session *open_aside(const char *name)
{
    struct session *s = kept_session();
    char line[512];
    snprintf(line, sizeof line, "e %s", in_kept(name));
    act_command_line(s, line);
    return s;
}

/* As another program would, when the store is closed. */
static void spoil(const char *name, const char *sql)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(in_kept(name), &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static void what_is_aside_can_be_opened(void **state)
{
    (void)state;
    leave_behind("a.mid", 2, 3);
    edit_elsewhere("a.mid");
    struct session *s = kept_open("a.mid");
    assert_int_equal(n_notes(s), 2);
    assert_non_null(strstr(s->message, ":e opens"));
    assert_non_null(strstr(s->message, "a.mid.continuo.1"));
    assert_true(strlen(s->message) < 79);
    kept_close(s);

    s = open_aside("a.mid.continuo.1");
    assert_int_equal(n_notes(s), 5);
    assert_null(s->project.path); /* saving does not write over the store */
    assert_non_null(strstr(s->message, ":w NAME"));
    draw(s, 1);
    settle(s);
    kept_close(s);
    assert_true(is_there("a.mid.continuo.1"));

    s = kept_session(); /* what is done to it is kept like anything unnamed */
    session_open_unnamed(s);
    assert_int_equal(n_notes(s), 6);
    act_command_line(s, "q!");
    kept_close(s);
}

static void a_file_that_is_gone_is_said_to_be(void **state)
{
    (void)state;
    leave_behind("gone.mid", 2, 3);
    unlink(in_kept("gone.mid"));
    struct session *s = kept_open("gone.mid");
    assert_int_equal(n_notes(s), 0);
    assert_non_null(strstr(s->message, "gone; :e opens"));
    kept_close(s);
    s = open_aside("gone.mid.continuo.1");
    assert_int_equal(n_notes(s), 5);
    kept_close(s);
}

static void a_damaged_one_opens_up_to_the_damage(void **state)
{
    (void)state;
    leave_behind("bad.mid", 2, 3);
    spoil("bad.mid.continuo", "UPDATE edit SET change = x'7f' WHERE id = 4");
    struct session *s = kept_open("bad.mid");
    assert_int_equal(n_notes(s), 2);
    assert_true(s->message_is_error);
    assert_true(strlen(s->message) < 79);
    kept_close(s);
    s = open_aside("bad.mid.continuo.1");
    assert_int_equal(n_notes(s), 3);
    kept_close(s);
}

static void one_of_a_later_version_is_not_offered(void **state)
{
    (void)state;
    leave_behind("later.mid", 2, 3);
    spoil("later.mid.continuo", "PRAGMA user_version = 99");
    struct session *s = kept_open("later.mid");
    assert_non_null(strstr(s->message, "later.mid.continuo.1"));
    assert_null(strstr(s->message, ":e opens"));
    kept_close(s);
}

static void one_with_nothing_in_it_is_refused(void **state)
{
    (void)state;
    put_bytes("none.1", (const uint8_t *)"SQLite format 3\0whatever", 25);
    struct session *s = kept_session();
    draw(s, 1);
    assert_false(session_open(s, in_kept("none.1")));
    assert_true(s->message_is_error);
    assert_int_equal(n_notes(s), 1);
    act_command_line(s, "q!");
    kept_close(s);
}

static void a_link_leads_to_the_same_piece(void **state)
{
    (void)state;
    assert_int_equal(mkdir(in_kept("folder"), 0700), 0);
    leave_behind("folder/real.mid", 2, 0);
    assert_int_equal(symlink("folder/real.mid", in_kept("link.mid")), 0);
    struct session *s = kept_open("folder/real.mid");
    draw(s, 3);
    settle(s);
    struct session *other = kept_open("link.mid");
    assert_non_null(strstr(other->message, "another continuo"));
    kept_close(other);
    kept_close(s);
    s = kept_open("link.mid");
    assert_int_equal(n_notes(s), 5);
    act_command_line(s, "w");
    kept_close(s);
    assert_false(is_there("link.mid.continuo"));
}

static void something_in_the_stores_place_is_named(void **state)
{
    (void)state;
    assert_int_equal(mkdir(in_kept("way.mid.continuo"), 0700), 0);
    struct session *s = kept_open("way.mid");
    assert_true(s->message_is_error);
    assert_non_null(strstr(s->message, "way.mid.continuo"));
    draw(s, 1);
    settle(s);
    assert_true(project_is_kept(&s->project)); /* in the state folder */
    kept_close(s);
    s = kept_open("way.mid");
    assert_int_equal(n_notes(s), 1);
    kept_close(s);
}

static void a_folder_is_not_written_over(void **state)
{
    (void)state;
    struct session *s = kept_session();
    draw(s, 1);
    char line[300];
    snprintf(line, sizeof line, "w %s", kept_folder);
    act_command_line(s, line);
    assert_non_null(strstr(s->message, "is a folder"));
    act_command_line(s, "q!");
    kept_close(s);
}

static void the_loop_stays_on_its_music(void **state)
{
    (void)state;
    leave_behind("loop.mid", 4, 0);
    struct session *s = kept_open("loop.mid");
    session_set_loop(s, 240, 480);
    s->cursor_tick = 0;
    act_command_line(s, "insert 1");
    assert_int_equal(s->loop.from, 1920 + 240);
    settle(s);
    session_flush_beside(s); /* as when it is ended from outside */
    kept_close(s);
    s = kept_open("loop.mid");
    assert_true(project_modified(&s->project));
    assert_int_equal(s->loop.from, 1920 + 240);
    assert_int_equal(s->loop.to, 1920 + 480);
    act_command_line(s, "revert");
    session_tick(s);
    session_follow_loop(s);
    assert_int_equal(s->loop.from, 240);
    kept_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_aside_can_be_opened),
        cmocka_unit_test(a_file_that_is_gone_is_said_to_be),
        cmocka_unit_test(a_damaged_one_opens_up_to_the_damage),
        cmocka_unit_test(one_of_a_later_version_is_not_offered),
        cmocka_unit_test(one_with_nothing_in_it_is_refused),
        cmocka_unit_test(a_link_leads_to_the_same_piece),
        cmocka_unit_test(a_folder_is_not_written_over),
        cmocka_unit_test(the_loop_stays_on_its_music),
        cmocka_unit_test(something_in_the_stores_place_is_named),
    };
    return cmocka_run_group_tests(tests, make_kept_folder, remove_kept_folder);
}
