/* The piece and its file: other programs that change it or have it open, other names, no
 * name at all, and leaving without saving. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/app/kept.h"
#include "app/editor/shell/files.h"

#include <time.h>

/* A saved piece of n notes that is open. */
static struct session *saved_piece(const char *name, int n)
{
    struct session *s = kept_open(name);
    draw(s, n);
    act_command_line(s, "w");
    assert_false(s->message_is_error);
    return s;
}

/* As another program would write it. */
static void write_elsewhere(const char *name, int n)
{
    struct session *s = saved_piece("elsewhere.mid", n);
    copy_file(name, "elsewhere.mid");
    kept_close(s);
    unlink(in_kept("elsewhere.mid"));
    unlink(in_kept("elsewhere.mid.continuo"));
}

static void a_changed_file_is_not_written_over(void **state)
{
    (void)state;
    struct session *s = saved_piece("changed.mid", 2);
    draw(s, 1);
    write_elsewhere("changed.mid", 5);
    act_command_line(s, "w");
    assert_true(s->message_is_error);
    assert_non_null(strstr(s->message, "another program"));
    act_command_line(s, "w!");
    assert_false(s->message_is_error);
    write_elsewhere("changed.mid", 5);
    act_command_line(s, "e!");
    assert_int_equal(n_notes(s), 5);
    assert_false(is_there("changed.mid.continuo.1")); /* all was saved */
    act_command_line(s, "w");
    assert_false(s->message_is_error);
    kept_close(s);
}

static void a_touched_file_is_the_same(void **state)
{
    (void)state;
    struct session *s = saved_piece("touched.mid", 2);
    draw(s, 1);
    copy_file("copy.mid", "touched.mid");
    assert_int_equal(rename(in_kept("copy.mid"), in_kept("touched.mid")), 0);
    act_command_line(s, "w");
    assert_false(s->message_is_error);
    kept_close(s);
}

static void wait_for_notice(struct session *s)
{
    for (int i = 0; i < 400 && !s->message_is_error; i++) {
        session_tick(s);
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    }
    assert_non_null(strstr(s->message, "another program"));
}

static void a_change_is_noticed_meanwhile(void **state)
{
    (void)state;
    struct session *s = saved_piece("noticed.mid", 2);
    write_elsewhere("noticed.mid", 4);
    wait_for_notice(s);
    assert_int_equal(n_notes(s), 2);
    act_command_line(s, "w!");
    assert_false(s->message_is_error);
    write_elsewhere("noticed.mid", 4);
    wait_for_notice(s);
    kept_close(s);
}

static void what_was_not_saved_of_before_is_kept_aside(void **state)
{
    (void)state;
    struct session *s = saved_piece("aside.mid", 2);
    draw(s, 3);
    settle(s);
    kept_close(s); /* as when it is ended from outside */
    write_elsewhere("aside.mid", 9);
    s = kept_open("aside.mid");
    assert_int_equal(n_notes(s), 9);
    assert_true(s->message_is_error);
    assert_non_null(strstr(s->message, "aside.mid.continuo.1"));
    assert_true(is_there("aside.mid.continuo.1"));
    kept_close(s);
    unlink(in_kept("aside.mid"));
    copy_file("aside.mid.continuo", "aside.mid.continuo.1");
    s = kept_open("aside.mid"); /* the file is gone: its journal has the only copy */
    assert_true(is_there("aside.mid.continuo.2"));
    kept_close(s);
}

static void an_earlier_version_is_found_in_the_history(void **state)
{
    (void)state;
    struct session *s = saved_piece("back.mid", 2);
    copy_file("earlier.mid", "back.mid");
    draw(s, 3);
    act_command_line(s, "w");
    kept_close(s);
    copy_file("back.mid", "earlier.mid");
    s = kept_open("back.mid");
    assert_int_equal(n_notes(s), 5);
    assert_int_equal(s->project.saved_state, 2);
    assert_non_null(strstr(s->message, "3 unsaved edits are back"));
    kept_close(s);
}

static void a_second_program_does_not_write(void **state)
{
    (void)state;
    struct session *a = saved_piece("two.mid", 2), *b = kept_open("two.mid");
    assert_true(b->message_is_error);
    assert_non_null(strstr(b->message, "another continuo"));
    draw(b, 3);
    act_command_line(b, "w");
    assert_non_null(strstr(b->message, "another continuo"));
    draw(a, 1);
    act_command_line(a, "w");
    assert_false(a->message_is_error);
    char line[300];
    snprintf(line, sizeof line, "w %s", in_kept("three.mid"));
    act_command_line(b, line);
    assert_false(b->message_is_error);
    size_t n = n_notes(b);
    draw(b, 1);
    settle(b);
    kept_close(b); /* with an edit that was not saved */
    b = kept_open("three.mid");
    assert_int_equal(n_notes(b), n + 1);
    do_command(b, CMD_UNDO, 99);
    assert_int_equal(n_notes(b), 2); /* its history is all there */
    kept_close(b);
    kept_close(a);
}

static void another_name_takes_the_history_along(void **state)
{
    (void)state;
    char line[300];
    struct session *s = saved_piece("old.mid", 2);
    draw(s, 2);
    snprintf(line, sizeof line, "w %s", in_kept("new.mid"));
    act_command_line(s, line);
    assert_false(s->message_is_error);
    draw(s, 1);
    settle(s);
    struct session *old = kept_open("old.mid");
    assert_int_equal(n_notes(old), 2); /* as it was saved, and the rest is in U */
    assert_int_equal(history_n_states(old->project.history), 5);
    assert_false(project_modified(&old->project));
    kept_close(old);
    kept_close(s);
    s = kept_open("new.mid");
    assert_int_equal(n_notes(s), 5);
    assert_true(project_modified(&s->project));
    do_command(s, CMD_UNDO, 99);
    assert_int_equal(n_notes(s), 0);
    kept_close(s);
}

static void leaving_without_saving_is_meant(void **state)
{
    (void)state;
    struct session *s = saved_piece("left.mid", 2);
    draw(s, 3);
    act_command_line(s, "q");
    assert_false(s->quit);
    act_command_line(s, "q!");
    assert_true(s->quit);
    kept_close(s);
    s = kept_open("left.mid");
    assert_int_equal(n_notes(s), 2);
    assert_false(project_modified(&s->project));
    assert_int_equal(history_n_states(s->project.history), 6); /* but not lost */
    draw(s, 1);
    char line[300];
    snprintf(line, sizeof line, "e! %s", in_kept("right.mid"));
    act_command_line(s, line);
    assert_int_equal(n_notes(s), 0);
    kept_close(s);
    s = kept_open("left.mid");
    assert_int_equal(n_notes(s), 2);
    FILE *f = fopen(in_kept("no.mid"), "w");
    fputs("this is not MIDI", f);
    fclose(f);
    draw(s, 1);
    snprintf(line, sizeof line, "e! %s", in_kept("no.mid"));
    act_command_line(s, line);
    assert_int_equal(n_notes(s), 3); /* it could not be opened, and all is as it was */
    kept_close(s);
}

static void music_without_a_name_comes_back(void **state)
{
    (void)state;
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
    assert_string_equal(s->message,
                        "3 notes; 3 unsaved edits are back: :w NAME keeps them");
    draw(s, 1);
    char line[300];
    snprintf(line, sizeof line, "w %s", in_kept("named.mid"));
    act_command_line(s, line);
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
static void a_copy_is_journalled_where_it_will_be(void **state)
{
    (void)state;
    struct session *s = saved_piece("from.mid", 2);
    kept_close(s);
    for (int i = 0; i < 2; i++) {
        s = kept_session();
        session_open_copy(s, in_kept("from.mid"), in_kept("to.mid"));
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
    s = kept_open("to.mid");
    assert_int_equal(n_notes(s), 3);
    assert_false(project_modified(&s->project));
    do_command(s, CMD_UNDO, 1);
    assert_int_equal(n_notes(s), 2);
    kept_close(s);
}

/* A journal that is begun late tells of the state that the music is in, too. */
static void what_a_second_program_saves_is_its_own(void **state)
{
    (void)state;
    struct session *s = saved_piece("theirs.mid", 2);
    settle(s);
    struct session *second = kept_open("theirs.mid");
    assert_int_equal(second->project.found.kind, RECOVERY_TAKEN);
    draw(second, 2);
    do_command(second, CMD_UNDO, 1);
    assert_true(act_save_as(second, in_kept("second.mid"), false));
    settle(second);
    kept_close(second);
    kept_close(s);
    s = kept_open("second.mid");
    assert_int_equal(s->project.found.kind, RECOVERY_BACK);
    assert_int_equal(s->project.found.n_unsaved, 0);
    assert_int_equal(n_notes(s), 3);
    do_command(s, CMD_REDO, 1);
    assert_int_equal(n_notes(s), 4);
    kept_close(s);
}

/* Then a program that is being ended puts the music beside, as one without a journal. */
static void without_a_place_for_the_journal_it_is_said(void **state)
{
    (void)state;
    unsetenv("XDG_STATE_HOME");
    char *home = getenv("HOME") ? strdup(getenv("HOME")) : NULL;
    unsetenv("HOME");
    struct session *s = kept_session();
    draw(s, 1);
    session_tick(s);
    assert_true(s->message_is_error);
    assert_false(project_is_kept(&s->project));
    assert_true(act_save_as(s, in_kept("placed.mid"), false));
    settle(s);
    assert_true(project_is_kept(&s->project));
    kept_close(s);
    setenv("XDG_STATE_HOME", kept_folder, 1);
    if (home)
        setenv("HOME", home, 1);
    free(home);
    s = kept_open("placed.mid");
    do_command(s, CMD_UNDO, 1);
    assert_int_equal(n_notes(s), 0);
    kept_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_changed_file_is_not_written_over),
        cmocka_unit_test(a_touched_file_is_the_same),
        cmocka_unit_test(a_change_is_noticed_meanwhile),
        cmocka_unit_test(what_was_not_saved_of_before_is_kept_aside),
        cmocka_unit_test(an_earlier_version_is_found_in_the_history),
        cmocka_unit_test(a_second_program_does_not_write),
        cmocka_unit_test(what_a_second_program_saves_is_its_own),
        cmocka_unit_test(without_a_place_for_the_journal_it_is_said),
        cmocka_unit_test(another_name_takes_the_history_along),
        cmocka_unit_test(leaving_without_saving_is_meant),
        cmocka_unit_test(music_without_a_name_comes_back),
        cmocka_unit_test(a_copy_is_journalled_where_it_will_be),
    };
    return cmocka_run_group_tests(tests, make_kept_folder, remove_kept_folder);
}
