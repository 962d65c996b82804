/* What once was lost, believed or left open to others, and is so no longer: recordings that
 * are killed half-way, stores that vanish or fail while they are open, a second program, a
 * full folder, planted and foreign files, who may read what is kept. */
#include "app/editor/session/edit.h"
#include "tests/check.h"
#include "app/document/state.h"
#include "tests/app/document/fault_shim.h"
#include "tests/app/editor/perform/played.h"
#include "tests/app/kept.h"

#include <errno.h>

/* -- recordings -- */

/* What would be left of a.mid, which is another then: "‹as_killed a.mid b.mid›". */
WORD(as_killed)
{
    const char *to;
    const char *from = first_of(arguments, &to);
    settle(s);
    copy_piece(to, from);
}

#define RECORD                                                                                      \
    ":count-in 0\r9LR‹pass 100›‹on 60›‹pass 30›‹off 60›‹pass 10›‹control 64 " \
    "127›‹pass 10›"                                                                           \
    "‹on 64›‹pass 30›‹as_killed rec.mid killed.mid›R" /* one is held when it ends */
#define BACK "~interrupted recording is back, 2 notes"

SCRIPT(a_recording_is_kept_as_it_comes, empty_session) = {
    {"‹saved2 rec.mid›:record merge\r" RECORD, "n 4"},
    {":w\r‹open killed.mid›", "no clean; n 4", BACK},
    {"u", "n 2"},
    {"‹C-r›:w\r‹open killed.mid›", "clean; n 4"}, /* and no second time */
    {"‹open rec.mid›:record free\r" RECORD, "n 6"},
    {":w\r‹open killed.mid›", "no clean; n 6", BACK},
    {"u", "n 4"},
    {"‹C-r›:w\r‹open killed.mid›", "clean; n 6"},
};

/* A key goes down and up, and the next is held when it ends. */
#define FIRST_KEY "‹pass 100›‹on 60›‹pass 30›‹off 60›‹pass 30›"
#define NEXT_KEY  "‹pass 30›‹on 64›‹pass 30›"

SCRIPT(a_recording_is_kept_in_the_store_that_comes_after, empty_session) = {
    {"‹saved2 lost.mid›:count-in 0\r9LR" FIRST_KEY
     "‹settle›‹sh rm -f lost.mid.continuo lost.mid.continuo-wal›"
     "‹wait_for written again›" NEXT_KEY "‹as_killed lost.mid after.mid›R"},
    {"‹open after.mid›", "no clean; n 4", BACK},
};

/* Another program has the piece when it begins. */
TEST_WITH(a_recording_is_kept_from_when_the_piece_is_ours, empty_session)
{
    static const char *const WAYS[] = {
        "‹open ours.mid›:count-in 0\r9LR" FIRST_KEY,
        "‹open ours.mid›:count-in 0\r‹draw 1›9LR" FIRST_KEY,
    };
    for (int n_edits = 0; n_edits < 2; n_edits++) {
        struct session *other = saved_piece("ours.mid", 2);
        keys(s, WAYS[n_edits]);
        kept_close(other);
        play(s, "‹wait_for has closed it›", "records", NULL);
        keys(s, NEXT_KEY "‹as_killed ours.mid left.mid›R‹open left.mid›");
        assert_int_equal(n_notes(s), 4 + n_edits);
        keys(s, "‹leave›‹sh rm -f ours.mid* left.mid*›");
    }
}

SCRIPT(a_recording_with_a_gap_leaves_the_piece_as_it_is, empty_session) = {
    {"‹saved2 gap.mid›‹draw 1›‹settle›‹leave›‹spoil gap.mid.continuo INSERT INTO "
     "session VALUES(3, '000000000004', '{\"notes_before\":4}')›"},
    {"‹open gap.mid›", "no clean; n 3", "-interrupted"},
    {":count-in 0\r9LR" FIRST_KEY NEXT_KEY "‹as_killed gap.mid whole.mid›R"},
    {"‹open whole.mid›", "n 5"}, /* the next one */
    {"‹saved2 cut_off.mid›‹draw 1›‹settle›‹leave›‹spoil cut_off.mid.continuo INSERT "
     "INTO session VALUES"
     "(3, '000000000000', '{\"at\":500,\"notes\":[[0,0,0,100,100,60,80,64]]}'), "
     "(3, '000000000004', '{\"pass\":1,\"notes_before\":4}')›"},
    {"‹open cut_off.mid›", "no clean; n 4"}, /* with the note before the gap */
};

/* How many notes and events the recording has in that store. */
static int n_stored(const char *name, const char *list)
{
    return number_in(
        name, formatted("SELECT sum(json_array_length(data, '$.%s')) FROM session "
                        "WHERE as_saved = 3",
                        list));
}

/* The store has each note and event about once, also while a first note is held. */
TEST_WITH(a_held_note_repeats_no_more_than_the_events, empty_session)
{
    enum { N = 20 };
    keys(s, "‹saved2 held.mid›:count-in 0\r9LR‹pass 100›‹on 36›");
    for (int i = 0; i < N; i++)
        keys(s, formatted("‹play 60 5›‹control 64 %d›", i));
    keys(s, "‹pass 20›‹as_killed held.mid notes.mid›");
    for (int i = 0; i < 4 * N; i++)
        keys(s, formatted("‹control 64 %d›‹pass 5›", i));
    keys(s, "‹as_killed held.mid events.mid›R");
    assert_in_range(n_stored("notes.mid.continuo", "notes"), N + 1, 2 * N);
    assert_in_range(n_stored("notes.mid.continuo", "events"), N, N);
    assert_in_range(n_stored("events.mid.continuo", "notes"), N + 1, 7 * N);
    assert_in_range(n_stored("events.mid.continuo", "events"), 5 * N, 7 * N);
    keys(s, "‹open events.mid›");
    assert_int_equal(n_notes(s), 2 + N + 1);
    assert_said(s, "interrupted recording is back, 21 notes");
}

/* -- stores that vanish or fail -- */

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
    {"‹sh rm -f gone.mid.continuo gone.mid.continuo-wal›‹wait_for written "
     "again›"},
    {"‹sh test -e gone.mid.continuo›‹comes_back3 gone.mid›"},
    {"‹open gone.mid›", "density 2"},
};

SCRIPT(a_truncated_store_is_written_anew, empty_session) = {
    {"‹saved2 cut.mid›‹draw 1›‹settle›‹sh truncate -s 100 cut.mid.continuo-wal›"},
    {"‹draw 1›‹comes_back4 cut.mid›"}, /* and without a look between */
};

/* After a save that failed, the file is still the one that was saved before. */
TEST_WITH(a_store_that_is_written_anew_has_the_last_good_save, empty_session)
{
    const struct fault fails = {.kind = FAULT_RENAME, .error = EIO, .goes_on = true};
    keys(s, "‹saved2 failed.mid›‹draw 1›:w\r‹draw 1›");
    fault_arm(&fails);
    play(s, ":w\r", "no clean; error", NULL);
    fault_arm(NULL);
    keys(s, "‹sh rm -f failed.mid.continuo failed.mid.continuo-wal›"
            "‹wait_for written again›‹comes_back4 failed.mid›");
}

/* Linux reports a damaged disk as ENODATA, which is no sign that the store is empty. */
TEST_WITH(a_store_that_cannot_be_opened_now_stays, empty_session)
{
    struct fault fails = {.kind = FAULT_OPEN,
                          .error = ENODATA,
                          .goes_on = true,
                          .where = "now.mid.continuo"};
    keys(s, "‹saved2 now.mid›‹draw 1›‹settle›‹leave›");
    for (fails.at = 0; fails.at < 6; fails.at++) {
        fault_arm(&fails);
        keys(s, "‹open now.mid›‹leave›");
        fault_arm(NULL);
        play(s, "‹open now.mid›", "n 3", NULL);
        keys(s, "‹leave›");
    }
}

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
    keys(s, "‹sh test ! -e full.mid.continuo›"); /* all of it is elsewhere */
    play(s, "‹open full.mid›", "n 5; density 3", NULL);
    play(s, ":w\r", "no elsewhere", NULL); /* now there is room: it goes back */
    keys(s, "‹draw 1›‹comes_back6 full.mid›‹sh test ! -e full.mid.continuo.1›");
}

TEST_WITH(a_full_disk_takes_nothing_that_is_there, empty_session)
{
    const struct fault full = {.kind = FAULT_WRITE, .error = ENOSPC, .goes_on = true};
    keys(s, "‹saved2 disk.mid›‹draw 1›‹settle›");
    fault_arm(&full);
    draw(s, 1);
    writer_wait(s->project.autosave.writer, 10000);
    keys(s, "‹leave›");
    fault_arm(NULL);
    play(s, "‹open disk.mid›", "n 3", NULL);
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
    assert_true(edit_do(s, c));
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
 * as it was: "‹left_alone a.mid|why›". */
WORD(left_alone)
{
    struct stat before, after;
    char name[64], why[64];
    assert_int_equal(sscanf(arguments, "%63[^|]|%63[^|]", name, why), 2);
    const char *store = formatted("%s.continuo", name);
    assert_ok(lstat(in_folder(store), &before));
    word_open(s, -1, name);
    assert_said(s, why);
    const size_t n = n_notes(s);
    play(s, "‹draw 1›‹settle›:q!\r", "elsewhere", NULL);
    keys(s, formatted("‹open %s›‹draw 1›‹settle›‹open %s›", name, name));
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
    keys(s, "‹left_alone vast.mid|too large›");
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
    keys(s, "‹saved2 two.mid›‹open two.mid›‹sh cp two.mid before.mid›");
    struct session *b = kept_open("two.mid");
    assert_said(b, "read-only"); /* before any edit of either */
    keys(b, "‹draw 3›:density 2\r‹tick›");
    play(b, ":w\r", NULL, "!");
    play(b, ":w!\r", NULL, "~another continuo");
    kept_close(b);
    b = saved_piece("three.mid", 1); /* nor where it would be another's */
    play(b, "‹file w! two.mid›", NULL, "~another continuo");
    kept_close(b);
    play(s, "‹sh cmp two.mid before.mid›‹draw 1›‹comes_back3 two.mid›‹open two.mid›",
         "no density", NULL);
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

SCRIPT(write_protected_music_is_kept, empty_session) = {
    {"‹saved2 read.mid›‹leave›‹sh rm read.mid.continuo && chmod 444 read.mid›"},
    {"‹open read.mid›‹draw 1›‹settle›‹sh stat -c %a read.mid.continuo | grep ^6›"},
    {"‹open read.mid›", "n 3"},
};

/* Nor where neither can lock the store beside it. */
SCRIPT(a_second_program_in_such_a_folder_is_told, empty_session) = {
    {"‹sh mkfifo -m 600 both.mid.continuo›‹open both.mid›", "", "~not a regular file"},
    {"‹meanwhile both.mid says ~read-only›‹draw 2›‹settle›"
     "‹meanwhile both.mid says ~read-only›"},
};

SCRIPT(foreign_files_are_left_alone, empty_session) = {
    {"‹saved2 a.mid›‹leave›‹sh rm a.mid.continuo && mkfifo -m 600 a.mid.continuo›"
     "‹left_alone a.mid|not a regular file›"},
    {"‹saved2 b.mid›‹leave›‹sh rm b.mid.continuo && mkdir -m 700 b.mid.continuo›"
     "‹left_alone b.mid|not a regular file›"},
    {"‹saved2 c.mid›‹leave›‹sh mv c.mid.continuo c && ln -s c c.mid.continuo›"
     "‹left_alone c.mid|symbolic link›"},
    {"‹saved2 d.mid›‹leave›‹sh ln d.mid.continuo d›‹left_alone d.mid|hard link›"},
};

/* As root alone one can plant it, or its log alone. */
TEST_WITH(a_planted_store_is_not_believed, empty_session)
{
    if (geteuid())
        skip();
    keys(s, "‹saved2 planted.mid›‹draw 5›‹settle›‹leave›"
            "‹sh chown 65534:65534 planted.mid.continuo›"
            "‹left_alone planted.mid|another user›"
            "‹saved2 log.mid›‹draw 5›‹as_killed log.mid logged.mid›"
            "‹sh chown 65534:65534 logged.mid.continuo-wal›"
            "‹left_alone logged.mid|another user›");
}

SCRIPT(a_hard_link_is_not_cut_without_a_word, empty_session) = {
    {"‹saved2 one.mid›‹sh ln one.mid other.mid›‹draw 1›:w\r", "", "~second name"},
    {"‹sh test one.mid -ef other.mid›:w!\r", "no error"},
};

static int prepare(void **state)
{
    fault_vfs_install();
    return make_own_folder(state);
}

GROUP(prepare, remove_own_folder)
