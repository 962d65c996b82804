/* What is beside the music outlives the program, whatever ends it: takes that wait, with
 * their notes, and what was set, also of music that was never saved; and what was not
 * meant to be kept is not.
 *
 * A child works on a piece as a killed program would have, and is gone without a word. */
#include "tests/check.h"
#include "tests/app/kept.h"
#include "tests/app/waiting_takes.h"

#include "app/editor/keep/keep.h"

#include <sys/mman.h>
#include <sys/wait.h>

static int kept_with_model(void **state)
{
    *state = session_with(
        (struct session_options){.model = model, .seed = 5, .journals = true});
    return 0;
}

/* Four bars in a file, with nothing beside it. */
WORD(piece)
{
    word_leave(s, -1, "");
    assert_true(add_music(s));
    rewrite(arguments, score_clone(s->project.score));
    keys(s, ":q!\r‹leave›");
}

/* As long as it takes until all is written that is to be. */
WORD(rest)
{
    session_tick(s);
    WAIT_FOR(s, session_autosave_timeout_ms(s) < 0);
    settle(s);
}

/* Four takes of at least one note, */
WORD(ask_four)
{
    keys(s, ":style any\r:takes 4\r");
    ask(s);
}

/* also of no music at all. */
WORD(continue)
{
    keys(s, ":style any\r:takes 4\r");
    for (int tries = 0; tries < 20 && !all_have_notes(s); tries++) {
        run(s, CMD_CONTINUE);
        wait_for_end(s);
    }
    assert_true(all_have_notes(s));
}

/* -- what children do -- */

static uint64_t *told; /* of takes, by the last word; shared with children */

/* Takes, with their notes, in few bytes. */
static uint64_t sum_of_takes(const struct session *s)
{
    uint64_t sum = (uint64_t)s->takes.n;
    for (int i = 0; i < s->takes.n; i++)
        for (size_t k = 0; k < s->takes.list[i].n_waiting; k++) {
            const struct ghost *g = &s->takes.list[i].ghosts[k];
            sum = sum * 31 + (uint64_t)g->note.start;
            sum = sum * 31 + (uint64_t)g->note.length;
            sum = sum * 31 + g->note.pitch;
            sum = sum * 31 + (uint64_t)s->takes.list[i].letter;
        }
    return sum;
}

DOES(tell, *told = sum_of_takes(s))

DOES(same, assert_true(*told == sum_of_takes(s)))

WORD(take_four)
{
    assert_true(add_music(s));
    keys(s, "‹ask_four›‹rest›‹tell›");
}

DOES(take_four_of_nothing, keys(s, "‹continue›‹rest›‹tell›"))

DOES(take_and_reject, keys(s, "‹take_four›X‹rest›"))

WORD(take_and_accept)
{
    play(s, "‹take_four›a", "no take", NULL);
    keys(s, "‹rest›");
}

DOES(set_only, keys(s, ":density 2\r‹rest›"))

/* Takes as they are put beside, and then the time in which they wait is elsewhere; what
 * is beside does not know of that yet. */
WORD(take_time_out)
{
    keys(s, "‹at 0›:insert 1\r‹take_four›");
    run_times(s, CMD_UNDO, 2);
    assert_false(s->has_take);
    settle(s);
}

/* Opens a piece of which a process of its own was killed after it did that word: "‹killed
 * a.mid take_four›". */
WORD(killed)
{
    int status;
    const char *word;
    const char *name = first_of(arguments, &word);
    session_fini(s); /* whose threads a child would not have */
    pid_t child = fork();
    assert_true(child >= 0);
    if (child) {
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    }
    session_begin(s, last_options);
    open_kept(s, name);
    session_tick(s);
    if (child)
        return;
    assert_true(do_any_word(s, word));
    raise(SIGKILL);
}

/* Pieces in the state folder. */
static int n_unnamed(void)
{
    sqlite3 *db;
    sqlite3_stmt *st;
    assert_ok(sqlite3_open(in_folder("continuo/continuo.db"), &db));
    assert_ok(sqlite3_prepare_v2(db, "SELECT count(*) FROM piece", -1, &st, NULL));
    assert_int_equal(sqlite3_step(st), SQLITE_ROW);
    int n = sqlite3_column_int(st, 0);
    sqlite3_finalize(st);
    sqlite3_close(db);
    return n;
}

DOES(ids, assert_ids(s))

DOES(flush, session_autosave_flush(s))

NUMBER_FACT(unnamed, n_unnamed())

/* -- tests -- */

SCRIPT(takes_outlive_a_kill, kept_with_model) = {
    {"‹piece killed.mid›‹killed killed.mid take_four›‹same›",
     "takes 4; n 32; says ~1 unsaved edit is restored", "~4 takes wait: T"},
    {"‹ids›"},
};

SCRIPT(takes_of_music_without_a_name_do, kept_with_model) = {
    {"‹killed unnamed take_four›‹same›", "takes 4; unnamed 1"},
    {":q\r", "no quit"},
    {"‹file w named.mid›‹sh test -e named.mid.continuo›", "unnamed 0"},
    {"‹open named.mid›‹same›"},
};

SCRIPT(takes_of_no_music_at_all_do, kept_with_model) = {
    {"‹killed unnamed take_four_of_nothing›‹same›", "takes 4"},
    {":q\r", "no quit", "~:q! quits without"},
    {":e other.mid\r", "", "~opens without"},
    {":q!\r", "quit"},
    {"‹leave›", "unnamed 0"},
    {"‹open unnamed›", "no take"},
};

SCRIPT(takes_of_a_file_to_be_do, kept_with_model) = {
    {"‹killed to-be.mid take_four_of_nothing›‹same›‹sh test -e to-be.mid.continuo›",
     "takes 4"},
    {":q\r", "no quit"},
    {":q!\r‹leave›‹sh test ! -e to-be.mid.continuo && test ! -e to-be.mid›"},
};

SCRIPT(ended_from_outside_they_wait_too, kept_with_model) = {
    {"‹open unnamed›‹take_four_of_nothing›‹flush›‹open unnamed›‹same›", "takes 4"},
    {":q!\r"},
};

SCRIPT(what_was_set_outlives_it, kept_with_model) = {
    {"‹piece set.mid›‹killed set.mid set_only›", "density 2; clean"},
};

SCRIPT(rejected_takes_do_not_come_back, kept_with_model) = {
    {"‹piece rejected.mid›‹killed rejected.mid take_and_reject›", "no take; no error"},
    {":q!\r"},
};

SCRIPT(accepted_ones_are_notes, kept_with_model) = {
    {"‹piece accepted.mid›‹killed accepted.mid take_and_accept›", "no take; unsaved 2"},
};

SCRIPT(what_does_not_fit_is_left_out, kept_with_model) = {
    {"‹piece moved.mid›‹killed moved.mid take_time_out›", "clean; no take",
     "~no longer fit"},
};

SCRIPT(leaving_without_gives_back_what_was_saved, kept_with_model) = {
    {"‹piece without.mid›‹open without.mid›:density 3\r:w\r‹ask_four›"},
    {":density 1\r‹rest›:q!\r", "quit"},
    {"‹open without.mid›", "density 3; no take"},
};

/* No key waits for it, and no quiet is waited for. */
TEST_WITH(settings_are_written_while_they_change, kept_with_model)
{
    keys(s, "‹piece restless.mid›‹open restless.mid›");
    for (int i = 0; i < 200; i++) {
        act_command_line(s, formatted("temperature %g", 0.5 + i / 1000.0));
        session_tick(s);
        nap();
    }
    settle(s);
    assert_in_range(writer_counts(s->project.autosave.writer).n_jobs, 3, 100);
}

SCRIPT(a_damaged_one_is_put_aside, kept_with_model) = {
    {"‹piece damaged.mid›‹sh printf '{\"mine' >damaged.mid.continuo›"},
    {"‹open damaged.mid›", "error", "~damaged.mid.continuo.1"},
    {"‹sh test '{\"mine' = \"$(cat damaged.mid.continuo.1)\"›"},
    {":density 2\r‹rest›‹open damaged.mid›", "density 2"},
};

SCRIPT(looking_makes_no_file, kept_with_model) = {
    {"‹piece looked.mid›‹open looked.mid›l‹rest›:q\r", "quit"},
    {"‹leave›‹sh test ! -e looked.mid.continuo›"},
    {"‹open unnamed›:density 2\r‹rest›‹leave›", "unnamed 0"}, /* of no music */
};

static int prepare(void **state)
{
    told = mmap(NULL, sizeof *told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                -1, 0);
    return told == MAP_FAILED || make_model(state) ? -1 : 0;
}

GROUP(prepare, remove_own_folder)
