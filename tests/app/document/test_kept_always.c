/* What once was lost, believed or left open to others, and is so no longer: recordings that
 * are killed half-way, stores that vanish or fail while they are open, a second program, a
 * full folder, planted and foreign files, who may read what is kept. */
#include "tests/check.h"
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

TEST(a_recording_is_kept_as_it_comes)
{
    static const char *const MODES[] = {"record merge", "record free"};
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
        s = kept_again(s, "killed.mid", n + 2);
        assert_said(s, "being recorded is back, 2 notes");
        assert_true(project_modified(&s->project));
        do_command(s, CMD_UNDO, 1);
        assert_int_equal(n_notes(s), n);
        do_command(s, CMD_REDO, 1);
        act_command_line(s, "w");
        s = kept_again(s, "killed.mid", n + 2); /* and no second time */
        assert_false(project_modified(&s->project));
        kept_close(s);
    }
}

/* -- stores that vanish or fail -- */

static void wait_for_notice(struct session *s, const char *what)
{
    for (int i = 0; i < 600 && !strstr(s->message.text, what); i++) {
        session_tick(s);
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    }
    assert_said(s, what);
}

static void assert_edits_come_back(struct session *s, const char *name, size_t n)
{
    project_settle(&s->project); /* as when it is ended from outside */
    assert_true(project_is_kept(&s->project));
    s = kept_again(s, name, n);
    assert_true(project_modified(&s->project));
    do_command(s, CMD_UNDO, 99);
    assert_int_equal(n_notes(s), 0); /* with all that was done before */
    kept_close(s);
}

TEST(a_deleted_store_is_written_anew)
{
    struct session *s = saved_piece("gone.mid", 2);
    draw(s, 1);
    act_command_line(s, "density 2");
    settle(s);
    unlink(in_folder("gone.mid.continuo"));
    unlink(in_folder("gone.mid.continuo-wal"));
    wait_for_notice(s, "written anew");
    assert_true(is_there("gone.mid.continuo"));
    assert_edits_come_back(s, "gone.mid", 3);
    s = kept_open("gone.mid");
    assert_true(s->steering.density == 2);
    kept_close(s);
}

TEST(a_truncated_store_is_written_anew)
{
    struct session *s = saved_piece("cut.mid", 2);
    draw(s, 1);
    settle(s);
    assert_int_equal(truncate(in_folder("cut.mid.continuo-wal"), 100), 0);
    draw(s, 1); /* and without a look between */
    assert_edits_come_back(s, "cut.mid", 4);
}

TEST(a_full_folder_is_left_for_the_state_folder)
{
    const struct fault full = {.kind = FAULT_WRITE,
                               .error = ENOSPC,
                               .goes_on = true,
                               .where = "full.mid.continuo"};
    struct session *s = saved_piece("full.mid", 2);
    settle(s);
    fault_arm(&full);
    draw(s, 3);
    writer_wait(s->project.autosave.writer, 10000);
    session_tick(s);
    assert_said(s, "kept in the state folder now");
    act_command_line(s, "density 3");
    session_tick(s);
    project_settle(&s->project);
    assert_true(project_is_kept(&s->project));
    kept_close(s);
    fault_arm(NULL);
    s = kept_with("full.mid", 5);
    assert_true(s->steering.density == 3);
    act_command_line(s, "w"); /* now there is room: it goes back */
    assert_false(autosave_is_elsewhere(&s->project.autosave));
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

TEST(a_history_grown_large_begins_anew)
{
    struct session *s = saved_piece("large.mid", 2);
    act_command_line(s, "density 2");
    act_command_line(s, "w");
    for (int i = 0; i < 12; i++)
        fill_and_empty(s);
    draw(s, 1);
    s = kept_again(s, "large.mid", 3);
    /* as when it is ended from outside */ /* not while something is not saved */
    assert_int_equal(history_n_states(s->project.history), 16);
    act_command_line(s, "w");
    kept_close(s);
    s = kept_open("large.mid");
    assert_said(s, "grown large");
    assert_int_equal(n_notes(s), 3);
    assert_int_equal(history_n_states(s->project.history), 1);
    assert_true(s->steering.density == 2); /* what is set still holds */
    draw(s, 1);
    settle(s);
    kept_close(s);
    s = kept_open("large.mid"); /* and it is kept as before */
    assert_null(strstr(s->message.text, "grown large"));
    assert_int_equal(n_notes(s), 4);
    kept_close(s);
}

static void assert_left_alone(const char *name, const char *why);

TEST(a_store_beyond_all_bounds_is_left_alone)
{
    kept_close(saved_piece("vast.mid", 2));
    assert_int_equal(truncate(in_folder("vast.mid.continuo"), STORE_MAX_BYTES + 1), 0);
    assert_left_alone("vast.mid", "too large");
}

static void count_line(void *n, int prompt, const char *text)
{
    (void)prompt;
    *(int *)n += !strcmp(text, "remembered");
}

/* As by a shell of SQLite's that writes to it. */
TEST(a_state_store_in_use_is_read_all_the_same)
{
    sqlite3 *db;
    struct recent recent;
    int n_lines = 0;
    kept_close(saved_piece("used.mid", 2));
    recent_add(NULL, in_folder("used.mid"));
    struct session *s = kept_session();
    line_remember(s->project.autosave.writer, 1, "remembered");
    kept_close(s);
    assert_int_equal(sqlite3_open(in_folder("continuo/continuo.db"), &db), SQLITE_OK);
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

TEST(a_second_program_never_writes)
{
    size_t n_before, n_after;
    kept_close(saved_piece("two.mid", 2));
    struct session *a = kept_open("two.mid"), *b = kept_open("two.mid");
    assert_said(b, "read only"); /* before any edit of either */
    uint8_t *before = get_bytes("two.mid", &n_before);
    draw(b, 3);
    act_command_line(b, "density 2");
    session_tick(b);
    refused(b, "w", "");
    answered(b, "w!", "another continuo");
    kept_close(b);
    b = saved_piece("three.mid", 1); /* nor where it would be another's */
    char line[300];
    snprintf(line, sizeof line, "w! %s", in_folder("two.mid"));
    answered(b, line, "another continuo");
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

TEST(private_music_has_a_private_store)
{
    const struct op *list;
    bool was_made = false;
    kept_close(saved_piece("mine.mid", 2));
    unlink(in_folder("mine.mid.continuo"));
    assert_int_equal(chmod(in_folder("mine.mid"), 0600), 0);
    mode_t usual = umask(0);
    struct session *s = kept_open("mine.mid");
    draw(s, 1);
    settle(s);
    assert_int_equal(mode_of("mine.mid.continuo"), 0600);
    assert_int_equal(mode_of("mine.mid.continuo-wal"), 0600);
    assert_int_equal(mode_of("continuo/continuo.db"), 0600);
    op_record(folder);
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

TEST(write_protected_music_is_kept)
{
    kept_close(saved_piece("read.mid", 2));
    unlink(in_folder("read.mid.continuo"));
    assert_int_equal(chmod(in_folder("read.mid"), 0444), 0);
    struct session *s = kept_open("read.mid");
    draw(s, 1);
    settle(s);
    assert_int_equal(mode_of("read.mid.continuo") & 0600, 0600);
    kept_leaves(s, "read.mid", 3);
}

/* Edits of a piece are kept in the state folder, and what is in the place of its store is
 * as it was. */
static void assert_left_alone(const char *name, const char *why)
{
    struct stat before, after;
    char store[100];
    snprintf(store, sizeof store, "%s.continuo", name);
    assert_int_equal(lstat(in_folder(store), &before), 0);
    struct session *s = kept_open(name);
    assert_said(s, why);
    size_t n = n_notes(s);
    draw(s, 1);
    settle(s);
    assert_true(autosave_is_elsewhere(&s->project.autosave));
    act_command_line(s, "q!");
    kept_close(s);
    s = kept_open(name);
    draw(s, 1);
    settle(s);
    kept_leaves(s, name, n + 1);
    assert_int_equal(lstat(in_folder(store), &after), 0);
    assert_true(before.st_ino == after.st_ino && before.st_size == after.st_size &&
                before.st_nlink == after.st_nlink);
}

/* Nor where neither can lock the store beside it. */
TEST(a_second_program_in_such_a_folder_is_told)
{
    assert_int_equal(mkfifo(in_folder("both.mid.continuo"), 0600), 0);
    struct session *a = kept_open("both.mid"), *b = kept_open("both.mid");
    assert_true(a->project.found.kind == RECOVERY_FOREIGN);
    assert_said(b, "read only");
    draw(a, 2);
    settle(a);
    kept_close(b);
    b = kept_open("both.mid");
    assert_said(b, "read only");
    kept_close(b);
    kept_close(a);
}

TEST(foreign_files_are_left_alone)
{
    kept_close(saved_piece("pipe.mid", 2));
    unlink(in_folder("pipe.mid.continuo"));
    assert_int_equal(mkfifo(in_folder("pipe.mid.continuo"), 0600), 0);
    assert_left_alone("pipe.mid", "no regular file");
    kept_close(saved_piece("link.mid", 2));
    copy_file("elsewhere", "link.mid.continuo");
    unlink(in_folder("link.mid.continuo"));
    assert_int_equal(symlink(in_folder("elsewhere"), in_folder("link.mid.continuo")),
                     0);
    assert_left_alone("link.mid", "symbolic link");
    kept_close(saved_piece("hard.mid", 2));
    assert_int_equal(link(in_folder("hard.mid.continuo"), in_folder("hard")), 0);
    assert_left_alone("hard.mid", "hard link");
}

/* As root alone one can plant it. */
TEST(a_planted_store_is_not_believed)
{
    if (geteuid())
        skip();
    leave_behind("planted.mid", 2, 5);
    assert_int_equal(chown(in_folder("planted.mid.continuo"), 65534, 65534), 0);
    assert_left_alone("planted.mid", "another user");
    struct session *s = saved_piece("log.mid", 2);
    draw(s, 5);
    leave_as_killed(s, "log.mid", "logged.mid"); /* or its log alone */
    kept_close(s);
    assert_int_equal(chown(in_folder("logged.mid.continuo-wal"), 65534, 65534), 0);
    assert_left_alone("logged.mid", "another user");
}

TEST(a_hard_link_is_not_cut_without_a_word)
{
    struct stat st;
    struct session *s = saved_piece("one.mid", 2);
    assert_int_equal(link(in_folder("one.mid"), in_folder("other.mid")), 0);
    draw(s, 1);
    answered(s, "w", "another name");
    assert_int_equal(stat(in_folder("one.mid"), &st), 0);
    assert_int_equal(st.st_nlink, 2);
    obeyed(s, "w!");
    kept_close(s);
}

static int prepare(void **state)
{
    fault_vfs_install();
    return make_own_folder(state);
}

GROUP(prepare, remove_own_folder)
