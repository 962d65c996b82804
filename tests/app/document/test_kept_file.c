/* The piece and its file: other programs that change it or have it open, other names, no
 * name at all, and leaving without saving. */
#include "tests/check.h"
#include "tests/app/kept.h"
#include "app/editor/shell/files.h"

#include <time.h>

/* As another program would write it. */
static void write_elsewhere(const char *name, int n)
{
    struct session *s = saved_piece("elsewhere.mid", n);
    copy_file(name, "elsewhere.mid");
    kept_close(s);
    unlink(in_folder("elsewhere.mid"));
    unlink(in_folder("elsewhere.mid.continuo"));
}

TEST(a_changed_file_is_not_written_over)
{
    struct session *s = saved_piece("changed.mid", 2);
    draw(s, 1);
    write_elsewhere("changed.mid", 5);
    refused(s, "w", "another program");
    obeyed(s, "w!");
    write_elsewhere("changed.mid", 5);
    act_command_line(s, "e!");
    assert_int_equal(n_notes(s), 5);
    assert_false(is_there("changed.mid.continuo.1")); /* all was saved */
    obeyed(s, "w");
    kept_close(s);
}

TEST(a_touched_file_is_the_same)
{
    struct session *s = saved_piece("touched.mid", 2);
    draw(s, 1);
    copy_file("copy.mid", "touched.mid");
    assert_int_equal(rename(in_folder("copy.mid"), in_folder("touched.mid")), 0);
    obeyed(s, "w");
    kept_close(s);
}

static void wait_for_notice(struct session *s)
{
    for (int i = 0; i < 400 && !s->message.is_error; i++) {
        session_tick(s);
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    }
    assert_said(s, "another program");
}

TEST(a_change_is_noticed_meanwhile)
{
    struct session *s = saved_piece("noticed.mid", 2);
    write_elsewhere("noticed.mid", 4);
    wait_for_notice(s);
    assert_int_equal(n_notes(s), 2);
    obeyed(s, "w!");
    write_elsewhere("noticed.mid", 4);
    wait_for_notice(s);
    kept_close(s);
}

TEST(what_was_not_saved_of_before_is_kept_aside)
{
    leave_behind("aside.mid", 2, 3);
    write_elsewhere("aside.mid", 9);
    struct session *s = kept_with("aside.mid", 9);
    assert_true(s->message.is_error);
    assert_said(s, "aside.mid.continuo.1");
    assert_true(is_there("aside.mid.continuo.1"));
    kept_close(s);
    unlink(in_folder("aside.mid"));
    copy_file("aside.mid.continuo", "aside.mid.continuo.1");
    s = kept_open("aside.mid"); /* the file is gone: its journal has the only copy */
    assert_true(is_there("aside.mid.continuo.2"));
    kept_close(s);
}

TEST(an_earlier_version_is_found_in_the_history)
{
    struct session *s = saved_piece("back.mid", 2);
    copy_file("earlier.mid", "back.mid");
    draw(s, 3);
    act_command_line(s, "w");
    kept_close(s);
    copy_file("back.mid", "earlier.mid");
    s = kept_with("back.mid", 5);
    assert_int_equal(s->project.saved_state, 2);
    assert_said(s, "3 unsaved edits are back");
    kept_close(s);
}

TEST(another_name_takes_the_history_along)
{
    char line[300];
    struct session *s = saved_piece("old.mid", 2);
    draw(s, 2);
    snprintf(line, sizeof line, "w %s", in_folder("new.mid"));
    obeyed(s, line);
    draw(s, 1);
    settle(s);
    struct session *old =
        kept_with("old.mid", 2); /* as it was saved, and the rest is in U */
    assert_int_equal(history_n_states(old->project.history), 5);
    assert_false(project_modified(&old->project));
    kept_close(old);
    s = kept_again(s, "new.mid", 5);
    assert_true(project_modified(&s->project));
    do_command(s, CMD_UNDO, 99);
    assert_int_equal(n_notes(s), 0);
    kept_close(s);
}

TEST(leaving_without_saving_is_meant)
{
    struct session *s = saved_piece("left.mid", 2);
    draw(s, 3);
    act_command_line(s, "q");
    assert_false(s->quit);
    act_command_line(s, "q!");
    assert_true(s->quit);
    s = kept_again(s, "left.mid", 2);
    assert_false(project_modified(&s->project));
    assert_int_equal(history_n_states(s->project.history), 6); /* but not lost */
    draw(s, 1);
    line_with_file(s, "e!", "right.mid");
    assert_int_equal(n_notes(s), 0);
    s = kept_again(s, "left.mid", 2);
    put_text("no.mid", "this is not MIDI");
    draw(s, 1);
    line_with_file(s, "e!", "no.mid");
    assert_int_equal(n_notes(s), 3); /* it could not be opened, and all is as it was */
    kept_close(s);
}

TEST(music_without_a_name_comes_back)
{
    struct session *s = kept_session(), *other;
    session_open_unnamed(s);
    assert_int_equal(n_notes(s), 0);
    draw(s, 3);
    settle(s);
    other = kept_session(); /* another program meanwhile: it is not its own */
    session_open_unnamed(other);
    assert_int_equal(n_notes(other), 0);
    kept_close(other);
    kept_close(s); /* ended from outside */
    s = kept_session();
    session_open_unnamed(s);
    assert_int_equal(n_notes(s), 3);
    assert_string_equal(s->message.text,
                        "3 notes; 3 unsaved edits are back: :w NAME keeps them");
    draw(s, 1);
    line_with_file(s, "w", "named.mid");
    kept_close(s);
    s = kept_session();
    session_open_unnamed(s);
    assert_int_equal(n_notes(s), 0);
    draw(s, 2);
    act_command_line(s, "q!");
    kept_close(s);
    s = kept_session();
    session_open_unnamed(s); /* what was thrown away does not come back */
    assert_int_equal(n_notes(s), 0);
    kept_close(s);
    s = kept_open("named.mid");
    do_command(s, CMD_UNDO, 2);
    assert_int_equal(n_notes(s), 2);
    kept_close(s);
}

/* An example is opened as if it were in another place. */
TEST(a_copy_is_journalled_where_it_will_be)
{
    struct session *s = saved_piece("from.mid", 2);
    kept_close(s);
    for (int i = 0; i < 2; i++) {
        s = kept_session();
        session_open_copy(s, in_folder("from.mid"), in_folder("to.mid"));
        assert_int_equal(n_notes(s), i ? 3 : 2);
        if (i == 0)
            do_command(s, CMD_BAR_RIGHT, 9);
        if (i == 0)
            draw(s, 1);
        settle(s);
        if (i == 1)
            act_command_line(s, "w");
        kept_close(s);
    }
    s = kept_with("to.mid", 3);
    assert_false(project_modified(&s->project));
    do_command(s, CMD_UNDO, 1);
    assert_int_equal(n_notes(s), 2);
    kept_close(s);
}

/* A journal that is begun late tells of the state that the music is in, too. */
TEST(what_a_second_program_saves_is_its_own)
{
    struct session *s = saved_piece("theirs.mid", 2);
    settle(s);
    struct session *second = kept_open("theirs.mid");
    assert_int_equal(second->project.found.kind, RECOVERY_TAKEN);
    draw(second, 2);
    do_command(second, CMD_UNDO, 1);
    assert_true(act_save_as(second, in_folder("second.mid"), false));
    settle(second);
    kept_close(second);
    kept_close(s);
    s = kept_open("second.mid");
    assert_int_equal(s->project.found.kind, RECOVERY_BACK);
    assert_int_equal(s->project.found.n_unsaved, 0);
    assert_int_equal(n_notes(s), 3);
    do_command(s, CMD_REDO, 1);
    assert_int_equal(n_notes(s), 4);
    do_command(s, CMD_UNDO, 99);
    assert_int_equal(n_notes(s), 2);
    kept_close(s);
}

/* Then a program that is being ended puts the music beside, as one without a journal. */
TEST(without_a_place_for_the_journal_it_is_said)
{
    unsetenv("XDG_STATE_HOME");
    char *home = getenv("HOME") ? strdup(getenv("HOME")) : NULL;
    unsetenv("HOME");
    struct session *s = kept_session();
    draw(s, 1);
    session_tick(s);
    assert_true(s->message.is_error);
    assert_false(project_is_kept(&s->project));
    assert_true(act_save_as(s, in_folder("placed.mid"), false));
    settle(s);
    assert_true(project_is_kept(&s->project));
    kept_close(s);
    setenv("XDG_STATE_HOME", folder, 1);
    if (home)
        setenv("HOME", home, 1);
    free(home);
    s = kept_open("placed.mid");
    do_command(s, CMD_UNDO, 1);
    assert_int_equal(n_notes(s), 0);
    kept_close(s);
}

GROUP(make_own_folder, remove_own_folder)
