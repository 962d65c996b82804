/* What once was lost, believed or left open to others, and is so no longer: recordings that
 * are killed half-way, stores that vanish or fail while they are open, a second program, a
 * full folder, planted and foreign files, who may read what is kept. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "app/document/state.h"
#include "midi/base/clock.h"
#include "midi/transport/live.h"
#include "tests/app/document/fault_shim.h"
#include "tests/app/kept.h"

#include <errno.h>
#include <time.h>

/* What a program that is killed now would leave of `name`, as `to`. */
static void leave_as_killed(struct session *s, const char *name, const char *to)
{
    static const char *const PARTS[] = {"", ".continuo", ".continuo-wal"};
    char a[100], b[100];
    settle(s);
    for (int i = 0; i < 3; i++) {
        snprintf(a, sizeof a, "%s%s", name, PARTS[i]);
        snprintf(b, sizeof b, "%s%s", to, PARTS[i]);
        copy_file(b, a);
    }
}

static mode_t mode_of(const char *name)
{
    struct stat st;
    assert_int_equal(lstat(in_kept(name), &st), 0);
    return st.st_mode & 0777;
}

/* -- recordings -- */

static void tick_for(struct session *s, int ms)
{
    for (int i = 0; i < ms; i += 2) {
        session_tick(s);
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    }
}

static void feed(struct session *s, uint8_t status, uint8_t pitch, int ms)
{
    live_feed(player_live(s->player), clock_now_ms(),
              (const uint8_t[]){status, pitch, 70});
    tick_for(s, ms);
}

static void a_recording_is_kept_as_it_comes(void **state)
{
    static const char *const MODES[] = {"record merge", "record free"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct session *s = saved_piece("rec.mid", 2 - 2 * i);
        size_t n = n_notes(s);
        act_command_line(s, MODES[i]);
        act_command_line(s, "count-in 0");
        do_command(s, CMD_BAR_RIGHT, 9);
        do_command(s, CMD_RECORD, 0);
        tick_for(s, 100);
        feed(s, 0x90, 60, 30);
        feed(s, 0x80, 60, 10);
        feed(s, 0xb0, 64, 10);
        feed(s, 0x90, 64, 30); /* is held when it ends */
        leave_as_killed(s, "rec.mid", "killed.mid");
        do_command(s, CMD_RECORD, 0);
        assert_int_equal(n_notes(s), n + 2);
        act_command_line(s, "w");
        kept_close(s);
        s = kept_open("killed.mid");
        assert_int_equal(n_notes(s), n + 2);
        assert_non_null(strstr(s->message, "being recorded is back, 2 notes"));
        assert_true(project_modified(&s->project));
        do_command(s, CMD_UNDO, 1);
        assert_int_equal(n_notes(s), n);
        do_command(s, CMD_REDO, 1);
        act_command_line(s, "w");
        kept_close(s);
        s = kept_open("killed.mid"); /* and no second time */
        assert_int_equal(n_notes(s), n + 2);
        assert_false(project_modified(&s->project));
        kept_close(s);
    }
}

/* -- stores that vanish or fail -- */

static void wait_for_notice(struct session *s, const char *what)
{
    for (int i = 0; i < 600 && !strstr(s->message, what); i++) {
        session_tick(s);
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    }
    assert_non_null(strstr(s->message, what));
}

static void assert_edits_come_back(struct session *s, const char *name, size_t n)
{
    project_settle(&s->project); /* as when it is ended from outside */
    assert_true(project_is_kept(&s->project));
    kept_close(s);
    s = kept_open(name);
    assert_int_equal(n_notes(s), n);
    assert_true(project_modified(&s->project));
    do_command(s, CMD_UNDO, 99);
    assert_int_equal(n_notes(s), 0); /* with all that was done before */
    kept_close(s);
}

static void a_deleted_store_is_written_anew(void **state)
{
    (void)state;
    struct session *s = saved_piece("gone.mid", 2);
    draw(s, 1);
    act_command_line(s, "density 2");
    settle(s);
    unlink(in_kept("gone.mid.continuo"));
    unlink(in_kept("gone.mid.continuo-wal"));
    wait_for_notice(s, "written anew");
    assert_true(is_there("gone.mid.continuo"));
    assert_edits_come_back(s, "gone.mid", 3);
    s = kept_open("gone.mid");
    assert_true(s->steering.density == 2);
    kept_close(s);
}

static void a_truncated_store_is_written_anew(void **state)
{
    (void)state;
    struct session *s = saved_piece("cut.mid", 2);
    draw(s, 1);
    settle(s);
    assert_int_equal(truncate(in_kept("cut.mid.continuo-wal"), 100), 0);
    draw(s, 1); /* and without a look between */
    assert_edits_come_back(s, "cut.mid", 4);
}

static void a_full_folder_is_left_for_the_state_folder(void **state)
{
    const struct fault full = {.kind = FAULT_WRITE,
                               .error = ENOSPC,
                               .goes_on = true,
                               .where = "full.mid.continuo"};
    (void)state;
    struct session *s = saved_piece("full.mid", 2);
    settle(s);
    fault_arm(&full);
    draw(s, 3);
    writer_wait(s->project.keep.writer, 10000);
    session_tick(s);
    assert_non_null(strstr(s->message, "kept in the state folder now"));
    act_command_line(s, "density 3");
    session_tick(s);
    project_settle(&s->project);
    assert_true(project_is_kept(&s->project));
    kept_close(s);
    fault_arm(NULL);
    s = kept_open("full.mid");
    assert_int_equal(n_notes(s), 5);
    assert_true(s->steering.density == 3);
    act_command_line(s, "w"); /* now there is room: it goes back */
    assert_false(keeping_is_elsewhere(&s->project.keep));
    draw(s, 1);
    assert_edits_come_back(s, "full.mid", 6);
}

/* -- limits -- */

/* Notes that take many bytes to tell, and none any more. */
static void fill_and_empty(struct session *s)
{
    struct change *c = change_create("many");
    uint32_t random = 1;
    for (int64_t i = 0; i < 150000; i++) {
        random = random * 1664525 + 1013904223;
        struct note n = {.start = i * 2000 + random % 900,
                         .length = 1 + (random >> 8) % 1000,
                         .pitch = (random >> 4) % 128,
                         .velocity = 1 + (random >> 18) % 127,
                         .off_velocity = (random >> 25) % 128};
        assert_int_equal(change_add_note(c, 0, n), MIDI_OK);
    }
    assert_true(session_do(s, c));
    do_command(s, CMD_UNDO, 1);
}

static void a_history_grown_large_begins_anew(void **state)
{
    (void)state;
    struct session *s = saved_piece("large.mid", 2);
    act_command_line(s, "density 2");
    act_command_line(s, "w");
    for (int i = 0; i < 12; i++)
        fill_and_empty(s);
    draw(s, 1);
    kept_close(s); /* as when it is ended from outside */
    s = kept_open("large.mid");
    assert_int_equal(n_notes(s), 3); /* not while something is not saved */
    assert_int_equal(history_n_states(s->project.history), 16);
    act_command_line(s, "w");
    kept_close(s);
    s = kept_open("large.mid");
    assert_non_null(strstr(s->message, "grown large"));
    assert_int_equal(n_notes(s), 3);
    assert_int_equal(history_n_states(s->project.history), 1);
    assert_true(s->steering.density == 2); /* what is set still holds */
    draw(s, 1);
    settle(s);
    kept_close(s);
    s = kept_open("large.mid"); /* and it is kept as before */
    assert_null(strstr(s->message, "grown large"));
    assert_int_equal(n_notes(s), 4);
    kept_close(s);
}

static void assert_left_alone(const char *name, const char *why);

static void a_store_beyond_all_bounds_is_left_alone(void **state)
{
    (void)state;
    kept_close(saved_piece("vast.mid", 2));
    assert_int_equal(truncate(in_kept("vast.mid.continuo"), STORE_MAX_BYTES + 1), 0);
    assert_left_alone("vast.mid", "too large");
}

static void count_line(void *n, int prompt, const char *text)
{
    (void)prompt;
    *(int *)n += !strcmp(text, "remembered");
}

/* As by a shell of SQLite's that writes to it. */
static void a_state_store_in_use_is_read_all_the_same(void **state)
{
    (void)state;
    sqlite3 *db;
    struct recent recent;
    int n_lines = 0;
    kept_close(saved_piece("used.mid", 2));
    recent_add(NULL, in_kept("used.mid"));
    struct session *s = kept_session();
    line_remember(s->project.keep.writer, 1, "remembered");
    kept_close(s);
    assert_int_equal(sqlite3_open(in_kept("continuo/continuo.db"), &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db,
                                  "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; "
                                  "DELETE FROM line; DELETE FROM recent",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    recent_read(&recent);
    assert_true(recent.n > 0 && strstr(recent.paths[0], "used.mid"));
    recent_forget(&recent);
    lines_recall(count_line, &n_lines);
    assert_int_equal(n_lines, 1);
    sqlite3_close(db);
    assert_true(is_there("continuo/continuo.db"));
    assert_false(is_there("continuo/continuo.db.1"));
}

/* -- a second program -- */

static void a_second_program_never_writes(void **state)
{
    (void)state;
    size_t n_before, n_after;
    kept_close(saved_piece("two.mid", 2));
    struct session *a = kept_open("two.mid"), *b = kept_open("two.mid");
    assert_non_null(strstr(b->message, "read only")); /* before any edit of either */
    uint8_t *before = get_bytes("two.mid", &n_before);
    draw(b, 3);
    act_command_line(b, "density 2");
    session_tick(b);
    act_command_line(b, "w");
    assert_true(b->message_is_error);
    act_command_line(b, "w!");
    assert_non_null(strstr(b->message, "another continuo"));
    kept_close(b);
    b = saved_piece("three.mid", 1); /* nor where it would be another's */
    char line[300];
    snprintf(line, sizeof line, "w! %s", in_kept("two.mid"));
    act_command_line(b, line);
    assert_non_null(strstr(b->message, "another continuo"));
    kept_close(b);
    uint8_t *after = get_bytes("two.mid", &n_after);
    assert_true(n_before == n_after && !memcmp(before, after, n_after));
    free(before);
    free(after);
    draw(a, 1);
    assert_edits_come_back(a, "two.mid", 3);
    a = kept_open("two.mid");
    assert_true(a->steering.density == 0);
    kept_close(a);
}

/* -- whose files, and for whom -- */

static void private_music_has_a_private_store(void **state)
{
    (void)state;
    const struct op *list;
    bool was_made = false;
    kept_close(saved_piece("mine.mid", 2));
    unlink(in_kept("mine.mid.continuo"));
    assert_int_equal(chmod(in_kept("mine.mid"), 0600), 0);
    mode_t usual = umask(0);
    struct session *s = kept_open("mine.mid");
    draw(s, 1);
    settle(s);
    assert_int_equal(mode_of("mine.mid.continuo"), 0600);
    assert_int_equal(mode_of("mine.mid.continuo-wal"), 0600);
    assert_int_equal(mode_of("continuo/continuo.db"), 0600);
    op_record(kept_folder);
    act_command_line(s, "w");
    size_t n = op_stop(&list);
    umask(usual);
    for (size_t i = 0; i < n; i++)
        if (list[i].kind == OP_CREATE) {
            assert_int_equal(list[i].at, 0600); /* while it is written, too */
            was_made = true;
        }
    assert_true(was_made);
    assert_int_equal(mode_of("mine.mid"), 0600);
    kept_close(s);
}

static void write_protected_music_is_kept(void **state)
{
    (void)state;
    kept_close(saved_piece("read.mid", 2));
    unlink(in_kept("read.mid.continuo"));
    assert_int_equal(chmod(in_kept("read.mid"), 0444), 0);
    struct session *s = kept_open("read.mid");
    draw(s, 1);
    settle(s);
    assert_int_equal(mode_of("read.mid.continuo") & 0600, 0600);
    kept_close(s);
    s = kept_open("read.mid");
    assert_int_equal(n_notes(s), 3);
    kept_close(s);
}

/* Edits of a piece are kept in the state folder, and what is in the place of its store is
 * as it was. */
static void assert_left_alone(const char *name, const char *why)
{
    struct stat before, after;
    char store[100];
    snprintf(store, sizeof store, "%s.continuo", name);
    assert_int_equal(lstat(in_kept(store), &before), 0);
    struct session *s = kept_open(name);
    assert_non_null(strstr(s->message, why));
    size_t n = n_notes(s);
    draw(s, 1);
    settle(s);
    assert_true(keeping_is_elsewhere(&s->project.keep));
    act_command_line(s, "q!");
    kept_close(s);
    s = kept_open(name);
    draw(s, 1);
    settle(s);
    kept_close(s);
    s = kept_open(name);
    assert_int_equal(n_notes(s), n + 1);
    kept_close(s);
    assert_int_equal(lstat(in_kept(store), &after), 0);
    assert_true(before.st_ino == after.st_ino && before.st_size == after.st_size &&
                before.st_nlink == after.st_nlink);
}

/* Nor where neither can lock the store beside it. */
static void a_second_program_in_such_a_folder_is_told(void **state)
{
    (void)state;
    assert_int_equal(mkfifo(in_kept("both.mid.continuo"), 0600), 0);
    struct session *a = kept_open("both.mid"), *b = kept_open("both.mid");
    assert_true(a->project.found.kind == RECOVERY_FOREIGN);
    assert_non_null(strstr(b->message, "read only"));
    draw(a, 2);
    settle(a);
    kept_close(b);
    b = kept_open("both.mid");
    assert_non_null(strstr(b->message, "read only"));
    kept_close(b);
    kept_close(a);
}

static void foreign_files_are_left_alone(void **state)
{
    (void)state;
    kept_close(saved_piece("pipe.mid", 2));
    unlink(in_kept("pipe.mid.continuo"));
    assert_int_equal(mkfifo(in_kept("pipe.mid.continuo"), 0600), 0);
    assert_left_alone("pipe.mid", "no regular file");
    kept_close(saved_piece("link.mid", 2));
    copy_file("elsewhere", "link.mid.continuo");
    unlink(in_kept("link.mid.continuo"));
    assert_int_equal(symlink(in_kept("elsewhere"), in_kept("link.mid.continuo")), 0);
    assert_left_alone("link.mid", "symbolic link");
    kept_close(saved_piece("hard.mid", 2));
    assert_int_equal(link(in_kept("hard.mid.continuo"), in_kept("hard")), 0);
    assert_left_alone("hard.mid", "hard link");
}

/* As root alone one can plant it. */
static void a_planted_store_is_not_believed(void **state)
{
    (void)state;
    if (geteuid())
        skip();
    leave_behind("planted.mid", 2, 5);
    assert_int_equal(chown(in_kept("planted.mid.continuo"), 65534, 65534), 0);
    assert_left_alone("planted.mid", "another user");
    struct session *s = saved_piece("log.mid", 2);
    draw(s, 5);
    leave_as_killed(s, "log.mid", "logged.mid"); /* or its log alone */
    kept_close(s);
    assert_int_equal(chown(in_kept("logged.mid.continuo-wal"), 65534, 65534), 0);
    assert_left_alone("logged.mid", "another user");
}

static void a_hard_link_is_not_cut_without_a_word(void **state)
{
    (void)state;
    struct stat st;
    struct session *s = saved_piece("one.mid", 2);
    assert_int_equal(link(in_kept("one.mid"), in_kept("other.mid")), 0);
    draw(s, 1);
    act_command_line(s, "w");
    assert_non_null(strstr(s->message, "another name"));
    assert_int_equal(stat(in_kept("one.mid"), &st), 0);
    assert_int_equal(st.st_nlink, 2);
    act_command_line(s, "w!");
    assert_false(s->message_is_error);
    kept_close(s);
}

static int prepare(void **state)
{
    fault_vfs_install();
    return make_kept_folder(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_recording_is_kept_as_it_comes),
        cmocka_unit_test(a_deleted_store_is_written_anew),
        cmocka_unit_test(a_truncated_store_is_written_anew),
        cmocka_unit_test(a_full_folder_is_left_for_the_state_folder),
        cmocka_unit_test(a_history_grown_large_begins_anew),
        cmocka_unit_test(a_store_beyond_all_bounds_is_left_alone),
        cmocka_unit_test(a_state_store_in_use_is_read_all_the_same),
        cmocka_unit_test(a_second_program_never_writes),
        cmocka_unit_test(private_music_has_a_private_store),
        cmocka_unit_test(write_protected_music_is_kept),
        cmocka_unit_test(a_second_program_in_such_a_folder_is_told),
        cmocka_unit_test(foreign_files_are_left_alone),
        cmocka_unit_test(a_planted_store_is_not_believed),
        cmocka_unit_test(a_hard_link_is_not_cut_without_a_word),
    };
    return cmocka_run_group_tests(tests, prepare, remove_kept_folder);
}
