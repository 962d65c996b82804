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

/* -- recordings -- */

static void feed(struct session *s, uint8_t status, uint8_t pitch, int ms)
{
    live_feed(player_live(s->player), clock_now_ms(),
              (const uint8_t[]){status, pitch, 70});
    pass_ms(s, ms);
}

TEST_WITH(a_recording_is_kept_as_it_comes, empty_session)
{
    static const char *const MODES[] = {"record merge", "record free"};
    for (int i = 0; i < 2; i++) {
        keys(s, i ? "‹open rec.mid›" : "‹saved2 rec.mid›");
        size_t n = n_notes(s);
        act_command_line(s, MODES[i]);
        keys(s, ":count-in 0\r9LR");
        pass_ms(s, 100);
        feed(s, 0x90, 60, 30);
        feed(s, 0x80, 60, 10);
        feed(s, 0xb0, 64, 10);
        feed(s, 0x90, 64, 30); /* is held when it ends */
        settle(s);
        copy_piece("killed.mid", "rec.mid");
        keys(s, "R");
        assert_int_equal(n_notes(s), n + 2);
        play(s, ":w\r‹open killed.mid›", "no clean",
             "~interrupted recording is back, 2 notes");
        assert_int_equal(n_notes(s), n + 2);
        keys(s, "u");
        assert_int_equal(n_notes(s), n);
        play(s, "‹C-r›:w\r‹open killed.mid›", "clean", NULL); /* and no second time */
        assert_int_equal(n_notes(s), n + 2);
    }
}

/* -- stores that vanish or fail -- */

DOES(truncate, assert_ok(truncate(in_folder(arguments), 100)))

/* As when it is ended from outside: all so many notes come back, with what was done before. */
WORD(comes_back)
{
    project_settle(&s->project);
    check_facts(s, "kept");
    word_open(s, -1, arguments);
    check_facts(s, "no clean");
    assert_int_equal(n_notes(s), on);
    run_times(s, CMD_UNDO, 99);
    assert_int_equal(n_notes(s), 0);
}

SCRIPT(a_deleted_store_is_written_anew, empty_session) = {
    {"‹saved2 gone.mid›‹draw 1›:density 2\r‹settle›"},
    {"‹remove gone.mid.continuo›‹remove gone.mid.continuo-wal›‹wait_for written "
     "again›"},
    {"‹there gone.mid.continuo›‹comes_back3 gone.mid›"},
    {"‹open gone.mid›", "density 2"},
};

SCRIPT(a_truncated_store_is_written_anew, empty_session) = {
    {"‹saved2 cut.mid›‹draw 1›‹settle›‹truncate cut.mid.continuo-wal›"},
    {"‹draw 1›‹comes_back4 cut.mid›"}, /* and without a look between */
};

TEST_WITH(a_full_folder_is_left_for_the_state_folder, empty_session)
{
    const struct fault full = {.kind = FAULT_WRITE,
                               .error = ENOSPC,
                               .goes_on = true,
                               .where = "full.mid.continuo"};
    keys(s, "‹saved2 full.mid›‹settle›");
    fault_arm(&full);
    draw(s, 3);
    writer_wait(s->project.autosave.writer, 10000);
    session_tick(s);
    assert_said(s, "now kept in the state folder");
    act_command_line(s, "density 3");
    session_tick(s);
    project_settle(&s->project);
    play(s, "", "kept", NULL);
    keys(s, "‹leave›");
    fault_arm(NULL);
    keys(s, "‹not_there full.mid.continuo›"); /* all of it is elsewhere */
    play(s, "‹open full.mid›", "n 5; density 3", NULL);
    play(s, ":w\r", "no elsewhere", NULL); /* now there is room: it goes back */
    keys(s, "‹draw 1›‹comes_back6 full.mid›‹not_there full.mid.continuo.1›");
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
        assert_ok(change_add_note(c, 0, n));
    }
    assert_true(session_do(s, c));
    run_times(s, CMD_UNDO, 1);
}

WORD(fill_and_empty)
{
    for (int i = 0; i < atoi(arguments); i++)
        fill_and_empty(s);
}

SCRIPT(a_history_grown_large_begins_anew, empty_session) = {
    {"‹saved2 large.mid›:density 2\r:w\r"},
    {"‹fill_and_empty 12›‹draw 1›"},
    {"‹open large.mid›", "n 3; states 16"}, /* not while something is not saved */
    {":w\r‹open large.mid›", "n 3; states 1; density 2", "~too large"},
    {"‹draw 1›‹settle›‹open large.mid›", "n 4", "-grown large"}, /* kept as before */
};

/* Edits of a piece are kept in the state folder, and what is in the place of its store is
 * as it was. */
static void assert_left_alone(struct session *s, const char *name, const char *why)
{
    struct stat before, after;
    const char *store = formatted("%s.continuo", name);
    assert_ok(lstat(in_folder(store), &before));
    word_open(s, -1, name);
    assert_said(s, why);
    size_t n = n_notes(s);
    play(s, "‹draw 1›‹settle›", "elsewhere", NULL);
    act_command_line(s, "q!");
    word_open(s, -1, name);
    keys(s, "‹draw 1›‹settle›");
    word_open(s, -1, name);
    assert_int_equal(n_notes(s), n + 1);
    word_leave(s, -1, "");
    assert_ok(lstat(in_folder(store), &after));
    assert_true(before.st_ino == after.st_ino && before.st_size == after.st_size &&
                before.st_nlink == after.st_nlink);
}

TEST_WITH(a_store_beyond_all_bounds_is_left_alone, empty_session)
{
    keys(s, "‹saved2 vast.mid›‹leave›");
    assert_ok(truncate(in_folder("vast.mid.continuo"), STORE_MAX_BYTES + 1));
    assert_left_alone(s, "vast.mid", "too large");
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
    assert_ok(sqlite3_open(in_folder("continuo/continuo.db"), &db));
    assert_ok(sqlite3_exec(db,
                           "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; "
                           "DELETE FROM line; DELETE FROM recent",
                           NULL, NULL, NULL));
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

TEST_WITH(a_second_program_never_writes, empty_session)
{
    size_t n_before, n_after;
    keys(s, "‹saved2 two.mid›‹open two.mid›");
    struct session *b = kept_open("two.mid");
    assert_said(b, "read-only"); /* before any edit of either */
    auto_free uint8_t *before = get_bytes("two.mid", &n_before);
    draw(b, 3);
    act_command_line(b, "density 2");
    session_tick(b);
    refused(b, "w", "");
    answered(b, "w!", "another continuo");
    kept_close(b);
    b = saved_piece("three.mid", 1); /* nor where it would be another's */
    line_with_file(b, "w!", "two.mid");
    assert_said(b, "another continuo");
    kept_close(b);
    auto_free uint8_t *after = get_bytes("two.mid", &n_after);
    assert_true(n_before == n_after && !memcmp(before, after, n_after));
    play(s, "‹draw 1›‹comes_back3 two.mid›‹open two.mid›", "no density", NULL);
}

/* -- whose files, and for whom -- */

/* While it is written, too; tests/app/document/test_private.c has the rest. */
TEST_WITH(private_music_is_saved_in_private, empty_session)
{
    const struct op *list;
    bool was_made = false;
    keys(s, "‹saved2 mine.mid›‹settle›");
    assert_ok(chmod(in_folder("mine.mid"), 0600));
    mode_t usual = umask(0);
    keys(s, "‹draw 1›‹settle›");
    op_record(folder);
    act_command_line(s, "w");
    size_t n = op_stop(&list);
    umask(usual);
    for (size_t i = 0; i < n; i++) {
        assert_true(list[i].kind != OP_CREATE || list[i].at == 0600);
        was_made |= list[i].kind == OP_CREATE;
    }
    assert_true(was_made);
}

TEST_WITH(write_protected_music_is_kept, empty_session)
{
    keys(s, "‹saved2 read.mid›‹leave›‹remove read.mid.continuo›");
    assert_ok(chmod(in_folder("read.mid"), 0444));
    keys(s, "‹open read.mid›‹draw 1›‹settle›");
    assert_int_equal(mode_of("read.mid.continuo") & 0600, 0600);
    play(s, "‹open read.mid›", "n 3", NULL);
}

/* Nor where neither can lock the store beside it. */
TEST_WITH(a_second_program_in_such_a_folder_is_told, empty_session)
{
    assert_ok(mkfifo(in_folder("both.mid.continuo"), 0600));
    keys(s, "‹open both.mid›");
    assert_true(s->project.found.kind == RECOVERY_FOREIGN);
    keys(s, "‹meanwhile both.mid says ~read-only›‹draw 2›‹settle›"
            "‹meanwhile both.mid says ~read-only›");
}

TEST_WITH(foreign_files_are_left_alone, empty_session)
{
    keys(s, "‹saved2 pipe.mid›‹leave›‹remove pipe.mid.continuo›");
    assert_ok(mkfifo(in_folder("pipe.mid.continuo"), 0600));
    assert_left_alone(s, "pipe.mid", "not a regular file");
    keys(s, "‹saved2 way.mid›‹leave›‹remove way.mid.continuo›");
    assert_ok(mkdir(in_folder("way.mid.continuo"), 0700));
    assert_left_alone(s, "way.mid", "not a regular file");
    keys(s, "‹saved2 link.mid›‹leave›‹copy link.mid.continuo elsewhere›"
            "‹remove link.mid.continuo›");
    assert_ok(symlink(in_folder("elsewhere"), in_folder("link.mid.continuo")));
    assert_left_alone(s, "link.mid", "symbolic link");
    keys(s, "‹saved2 hard.mid›‹leave›");
    assert_ok(link(in_folder("hard.mid.continuo"), in_folder("hard")));
    assert_left_alone(s, "hard.mid", "hard link");
}

/* As root alone one can plant it. */
TEST_WITH(a_planted_store_is_not_believed, empty_session)
{
    if (geteuid())
        skip();
    keys(s, "‹saved2 planted.mid›‹draw 5›‹settle›‹leave›");
    assert_ok(chown(in_folder("planted.mid.continuo"), 65534, 65534));
    assert_left_alone(s, "planted.mid", "another user");
    keys(s, "‹saved2 log.mid›‹draw 5›");
    settle(s);
    copy_piece("logged.mid", "log.mid"); /* or its log alone */
    assert_ok(chown(in_folder("logged.mid.continuo-wal"), 65534, 65534));
    assert_left_alone(s, "logged.mid", "another user");
}

TEST_WITH(a_hard_link_is_not_cut_without_a_word, empty_session)
{
    struct stat st;
    keys(s, "‹saved2 one.mid›");
    assert_ok(link(in_folder("one.mid"), in_folder("other.mid")));
    draw(s, 1);
    answered(s, "w", "second name");
    assert_ok(stat(in_folder("one.mid"), &st));
    assert_int_equal(st.st_nlink, 2);
    obeyed(s, "w!");
}

static int prepare(void **state)
{
    fault_vfs_install();
    return make_own_folder(state);
}

GROUP(prepare, remove_own_folder)
