/* Stores that were put aside open like music, whole or damaged; and a piece is one piece
 * by the names of its links, too. */
#include "tests/check.h"
#include "tests/app/kept.h"
#include "app/editor/keep/keep.h"

static void edit_elsewhere(const char *name)
{
    FILE *f = fopen(in_folder(name), "ab");
    assert_non_null(f);
    fputs("what no reader of MIDI files minds", f);
    fclose(f);
}

static struct session *open_aside(const char *name)
{
    struct session *s = kept_session();
    line_with_file(s, "e", name);
    return s;
}

TEST(what_is_aside_can_be_opened)
{
    leave_behind("a.mid", 2, 3);
    edit_elsewhere("a.mid");
    struct session *s = kept_with("a.mid", 2);
    assert_said(s, ":e opens");
    assert_said(s, "a.mid.continuo.1");
    assert_true(strlen(s->message.text) < 79);
    kept_close(s);

    s = open_aside("a.mid.continuo.1");
    assert_int_equal(n_notes(s), 5);
    assert_null(s->project.path); /* saving does not write over the store */
    assert_said(s, ":w NAME");
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

TEST(a_file_that_is_gone_is_said_to_be)
{
    leave_behind("gone.mid", 2, 3);
    unlink(in_folder("gone.mid"));
    struct session *s = kept_with("gone.mid", 0);
    assert_said(s, "gone; :e opens");
    kept_close(s);
    s = open_aside("gone.mid.continuo.1");
    assert_int_equal(n_notes(s), 5);
    kept_close(s);
}

TEST(a_damaged_one_opens_up_to_the_damage)
{
    leave_behind("bad.mid", 2, 3);
    spoil("bad.mid.continuo", "UPDATE edit SET change = x'7f' WHERE id = 4");
    struct session *s = kept_with("bad.mid", 2);
    assert_true(s->message.is_error);
    assert_true(strlen(s->message.text) < 79);
    kept_close(s);
    s = open_aside("bad.mid.continuo.1");
    assert_int_equal(n_notes(s), 3);
    kept_close(s);
}

TEST(one_of_a_later_version_is_not_offered)
{
    leave_behind("later.mid", 2, 3);
    spoil("later.mid.continuo", "PRAGMA user_version = 99");
    struct session *s = kept_open("later.mid");
    assert_said(s, "later.mid.continuo.1");
    assert_null(strstr(s->message.text, ":e opens"));
    kept_close(s);
}

TEST(one_with_nothing_in_it_is_refused)
{
    put_bytes("none.1", (const uint8_t *)"SQLite format 3\0whatever", 25);
    struct session *s = kept_session();
    draw(s, 1);
    assert_false(session_open(s, in_folder("none.1")));
    assert_true(s->message.is_error);
    assert_int_equal(n_notes(s), 1);
    act_command_line(s, "q!");
    kept_close(s);
}

TEST(a_link_leads_to_the_same_piece)
{
    assert_int_equal(mkdir(in_folder("folder"), 0700), 0);
    leave_behind("folder/real.mid", 2, 0);
    assert_int_equal(symlink("folder/real.mid", in_folder("link.mid")), 0);
    struct session *s = kept_open("folder/real.mid");
    draw(s, 3);
    settle(s);
    struct session *other = kept_open("link.mid");
    assert_said(other, "another continuo");
    kept_close(other);
    s = kept_again(s, "link.mid", 5);
    act_command_line(s, "w");
    kept_close(s);
    assert_false(is_there("link.mid.continuo"));
}

TEST(something_in_the_stores_place_is_named)
{
    assert_int_equal(mkdir(in_folder("way.mid.continuo"), 0700), 0);
    struct session *s = kept_open("way.mid");
    assert_true(s->message.is_error);
    assert_said(s, "way.mid.continuo");
    draw(s, 1);
    settle(s);
    assert_true(project_is_kept(&s->project)); /* in the state folder */
    kept_leaves(s, "way.mid", 1);
}

TEST(a_folder_is_not_written_over)
{
    struct session *s = kept_session();
    draw(s, 1);
    line_with_file(s, "w", "");
    assert_said(s, "is a folder");
    act_command_line(s, "q!");
    kept_close(s);
}

TEST(the_loop_stays_on_its_music)
{
    leave_behind("loop.mid", 4, 0);
    struct session *s = kept_open("loop.mid");
    session_set_loop(s, 240, 480);
    s->cursor.tick = 0;
    act_command_line(s, "insert 1");
    assert_int_equal(s->loop.from, 1920 + 240);
    settle(s);
    session_autosave_flush(s); /* as when it is ended from outside */
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

GROUP(make_own_folder, remove_own_folder)
