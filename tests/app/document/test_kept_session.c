/* What is beside the music outlives the program, whatever ends it: takes that wait, with
 * their notes, and what was set, also of music that was never saved; and what was not
 * meant to be kept is not.
 *
 * A child works on a piece as a killed program would have, and is gone without a word. */
#include "tests/check.h"
#include "tests/app/waiting_takes.h"

#include "app/editor/keep/keep.h"

#include <dirent.h>
#include <sys/wait.h>
#include <unistd.h>

/* One that is kept, with that piece, or one without a name (NULL), or what such a one
 * left. */
static struct session *begin(const char *name)
{
    struct session *s = session_with(
        (struct session_options){.model = model, .seed = 5, .journals = true});
    assert_non_null(s);
    if (name)
        session_open(s, in_folder(name));
    else
        session_open_unnamed(s);
    session_tick(s);
    return s;
}

static void end(struct session *s)
{
    close_session((void **)&s);
}

/* As long as it takes until all is written that is to be. */
static void rest(struct session *s)
{
    for (int i = 0; i < 1500; i++) {
        session_tick(s);
        if (session_autosave_timeout_ms(s) < 0)
            break;
        nap();
    }
    assert_true(writer_wait(s->project.autosave.writer, 10000));
}

/* Four takes of at least one note. */
static void ask_for_four(struct session *s)
{
    act_command_line(s, "style any");
    act_command_line(s, "takes 4");
    ask(s);
}

/* -- what children do -- */

static const char *piece; /* NULL: without a name */
static int out;           /* the pipe on which a child tells what it shows */

/* Takes, with their notes, in few bytes: what the parent must find again. */
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

static void tell(const struct session *s)
{
    uint64_t sum = sum_of_takes(s);
    if (out) /* in a child */
        assert_int_equal(write(out, &sum, sizeof sum), sizeof sum);
}

static void take_four(struct session *s)
{
    assert_true(add_music(s));
    ask_for_four(s);
    rest(s);
    tell(s);
}

static void take_four_of_nothing(struct session *s)
{
    act_command_line(s, "style any");
    act_command_line(s, "takes 4");
    for (int tries = 0; tries < 20 && !all_have_notes(s); tries++) {
        run(s, CMD_CONTINUE);
        wait_for_end(s);
    }
    assert_true(all_have_notes(s));
    rest(s);
    tell(s);
}

static void take_and_reject(struct session *s)
{
    take_four(s);
    run(s, CMD_REJECT_ALL);
    rest(s);
}

static void take_and_accept(struct session *s)
{
    take_four(s);
    run(s, CMD_ACCEPT);
    assert_false(s->has_take);
    rest(s);
}

static void set_only(struct session *s)
{
    act_command_line(s, "density 2");
    rest(s);
    tell(s);
}

/* Takes as they are put beside, and then the time in which they wait is elsewhere; what
 * is beside does not know of that yet. */
static void take_time_out(struct session *s)
{
    s->cursor.tick = 0;
    act_command_line(s, "insert 1");
    take_four(s);
    run_times(s, CMD_UNDO, 2);
    assert_false(s->has_take);
    assert_true(writer_wait(s->project.autosave.writer, 10000));
}

/* A process of its own, which is killed after it has done that. What it told. */
static uint64_t in_child(void (*work)(struct session *))
{
    int ends[2], status;
    uint64_t told = 0;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (!child) {
        out = ends[1];
        struct session *s = begin(piece);
        work(s);
        raise(SIGKILL);
    }
    close(ends[1]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    assert_int_equal(read(ends[0], &told, sizeof told), sizeof told);
    close(ends[0]);
    return told;
}

/* Four bars in a file, with nothing beside it. */
static void put_piece(const char *name)
{
    struct session *s = headless_open();
    assert_non_null(s);
    assert_true(add_music(s));
    rewrite(name, score_clone(s->project.score));
    act_command_line(s, "q!");
    end(s);
    piece = name;
}

/* Pieces in the state folder. */
static int n_unnamed(void)
{
    sqlite3 *db;
    sqlite3_stmt *st;
    assert_int_equal(sqlite3_open(in_folder("continuo/continuo.db"), &db), SQLITE_OK);
    assert_int_equal(
        sqlite3_prepare_v2(db, "SELECT count(*) FROM piece", -1, &st, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(st), SQLITE_ROW);
    int n = sqlite3_column_int(st, 0);
    sqlite3_finalize(st);
    sqlite3_close(db);
    return n;
}

static struct session *opened_again(struct session *s, const char *name)
{
    end(s);
    return begin(name);
}

/* What opens of that piece after a child was killed in it; its four takes are those that the
 * child has shown. */
static struct session *after(void (*work)(struct session *))
{
    uint64_t shown = in_child(work);
    struct session *s = begin(piece);
    if (work == take_four || work == take_four_of_nothing) {
        assert_int_equal(s->takes.n, 4);
        assert_true(sum_of_takes(s) == shown);
    }
    return s;
}

/* -- tests -- */

TEST(takes_outlive_a_kill)
{
    put_piece("killed.mid");
    struct session *s = after(take_four);
    assert_int_equal(score_n_notes(s->project.score), 32); /* and the edit is back */
    assert_said(s, "1 unsaved edit is back");
    assert_said(s, "4 takes wait: T");
    assert_ids(s);
    end(s);
}

TEST(takes_of_music_without_a_name_do)
{
    piece = NULL;
    struct session *s = after(take_four);
    assert_int_equal(n_unnamed(), 1);
    act_command_line(s, "q");
    assert_false(s->quit);
    save_as(s, "named.mid");
    assert_true(is_there("named.mid.continuo"));
    assert_int_equal(n_unnamed(), 0);
    uint64_t shown = sum_of_takes(s);
    s = opened_again(s, "named.mid");
    assert_true(sum_of_takes(s) == shown);
    end(s);
}

TEST(takes_of_no_music_at_all_do)
{
    piece = NULL;
    struct session *s = after(take_four_of_nothing);
    act_command_line(s, "q");
    assert_false(s->quit);
    assert_said(s, ":q! leaves without");
    answered(s, "e other.mid", "opens without");
    act_command_line(s, "q!");
    assert_true(s->quit);
    end(s);
    assert_int_equal(n_unnamed(), 0);
    s = begin(NULL);
    assert_false(s->has_take);
    end(s);
}

TEST(takes_of_a_file_to_be_do)
{
    piece = "to-be.mid";
    struct session *s = after(take_four_of_nothing);
    assert_true(is_there("to-be.mid.continuo"));
    act_command_line(s, "q");
    assert_false(s->quit);
    act_command_line(s, "q!");
    end(s);
    assert_false(is_there("to-be.mid.continuo"));
    assert_false(is_there("to-be.mid"));
}

TEST(ended_from_outside_they_wait_too)
{
    struct session *s = begin(NULL);
    take_four_of_nothing(s);
    uint64_t shown = sum_of_takes(s);
    session_autosave_flush(s);
    s = opened_again(s, NULL);
    assert_true(sum_of_takes(s) == shown);
    act_command_line(s, "q!");
    end(s);
}

TEST(what_was_set_outlives_it)
{
    put_piece("set.mid");
    struct session *s = after(set_only);
    assert_true(s->steering.density == 2);
    assert_false(project_modified(&s->project));
    end(s);
}

TEST(rejected_takes_do_not_come_back)
{
    put_piece("rejected.mid");
    struct session *s = after(take_and_reject);
    assert_false(s->has_take);
    assert_false(s->message.is_error);
    act_command_line(s, "q!");
    end(s);
}

TEST(accepted_ones_are_notes)
{
    put_piece("accepted.mid");
    struct session *s = after(take_and_accept);
    assert_false(s->has_take);
    assert_int_equal(s->project.found.n_unsaved, 2);
    end(s);
}

TEST(what_does_not_fit_is_left_out)
{
    put_piece("moved.mid");
    struct session *s = after(take_time_out);
    assert_false(project_modified(&s->project));
    assert_false(s->has_take);
    assert_said(s, "no longer fit");
    end(s);
}

TEST(leaving_without_gives_back_what_was_saved)
{
    put_piece("without.mid");
    struct session *s = begin(piece);
    act_command_line(s, "density 3");
    act_command_line(s, "w");
    ask_for_four(s);
    act_command_line(s, "density 1");
    rest(s);
    act_command_line(s, "q!");
    assert_true(s->quit);
    s = opened_again(s, piece);
    assert_true(s->steering.density == 3);
    assert_false(s->has_take);
    end(s);
}

/* No key waits for it, and no quiet is waited for. */
TEST(settings_are_written_while_they_change)
{
    put_piece("restless.mid");
    struct session *s = begin(piece);
    uint64_t n = 0;
    for (int i = 0; i < 200; i++) {
        char line[32];
        snprintf(line, sizeof line, "temperature %g", 0.5 + i / 1000.0);
        act_command_line(s, line);
        session_tick(s);
        nap();
    }
    assert_true(writer_wait(s->project.autosave.writer, 10000));
    n = writer_counts(s->project.autosave.writer).n_jobs;
    assert_in_range(n, 3, 100);
    end(s);
}

TEST(a_damaged_one_is_put_aside)
{
    size_t n;
    put_piece("damaged.mid");
    put_bytes("damaged.mid.continuo", "{\"mine", 6);
    struct session *s = begin(piece);
    assert_true(s->message.is_error);
    assert_said(s, "damaged.mid.continuo.1");
    char *bad = get_bytes("damaged.mid.continuo.1", &n);
    assert_string_equal(bad, "{\"mine");
    free(bad);
    act_command_line(s, "density 2");
    rest(s);
    s = opened_again(s, piece);
    assert_true(s->steering.density == 2);
    end(s);
}

TEST(looking_makes_no_file)
{
    put_piece("looked.mid");
    struct session *s = begin(piece);
    run(s, CMD_RIGHT);
    rest(s);
    act_command_line(s, "q");
    assert_true(s->quit);
    end(s);
    assert_false(is_there("looked.mid.continuo"));
    s = begin(NULL);
    act_command_line(s, "density 2"); /* of music that is not there */
    rest(s);
    end(s);
    assert_int_equal(n_unnamed(), 0);
}

GROUP(make_model, remove_own_folder)
