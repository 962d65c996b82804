/* What is beside the music outlives the program, whatever ends it: takes that wait, with
 * their notes, and what was set, also of music that was never saved; and what was not
 * meant to be kept is not.
 *
 * A child works on a piece as a killed program would have, and is gone without a word. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/app/waiting_takes.h"

#include "app/editor/keep/takes_pack.h"
#include "app/editor/keep/keep.h"

#include <dirent.h>
#include <sys/wait.h>
#include <unistd.h>

/* One that is kept, with that piece, or one without a name (NULL), or what such a one
 * left. */
static struct session *begin(const char *name)
{
    struct session *s = malloc(sizeof *s);
    struct session_options o = {.driver = "none",
                                .model = model,
                                .n_threads = 1,
                                .seed = 5,
                                .wake_fd = -1,
                                .journals = true};
    assert_non_null(s);
    assert_int_equal(session_init(s, &o), MIDI_OK);
    session_resize(s, 80, 24);
    if (name)
        session_open(s, in_folder(name));
    else
        session_open_unnamed(s);
    session_tick(s);
    return s;
}

static void end(struct session *s)
{
    session_fini(s);
    free(s);
}

/* As long as it takes until all is written that is to be. */
static void rest(struct session *s)
{
    for (int i = 0; i < 1500; i++) {
        session_tick(s);
        if (session_beside_timeout_ms(s) < 0)
            break;
        nap();
    }
    assert_true(writer_wait(s->project.keep.writer, 10000));
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
    s->cursor_tick = 0;
    act_command_line(s, "insert 1");
    take_four(s);
    run_times(s, CMD_UNDO, 2);
    assert_false(s->has_take);
    assert_true(writer_wait(s->project.keep.writer, 10000));
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
    char path[600];
    sqlite3 *db;
    sqlite3_stmt *st;
    snprintf(path, sizeof path, "%s", in_folder("continuo/continuo.db"));
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(
        sqlite3_prepare_v2(db, "SELECT count(*) FROM piece", -1, &st, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(st), SQLITE_ROW);
    int n = sqlite3_column_int(st, 0);
    sqlite3_finalize(st);
    sqlite3_close(db);
    return n;
}

/* -- tests -- */

static void takes_outlive_a_kill(void **state)
{
    (void)state;
    put_piece("killed.mid");
    uint64_t shown = in_child(take_four);
    struct session *s = begin("killed.mid");
    assert_int_equal(s->takes.n, 4);
    assert_true(sum_of_takes(s) == shown);
    assert_int_equal(score_n_notes(s->project.score), 32); /* and the edit is back */
    assert_non_null(strstr(s->message, "1 unsaved edit is back"));
    assert_non_null(strstr(s->message, "4 takes wait: T"));
    assert_ids(s);
    end(s);
}

static void takes_of_music_without_a_name_do(void **state)
{
    (void)state;
    piece = NULL;
    uint64_t shown = in_child(take_four);
    assert_int_equal(n_unnamed(), 1);
    struct session *s = begin(NULL);
    assert_int_equal(s->takes.n, 4);
    assert_true(sum_of_takes(s) == shown);
    act_command_line(s, "q");
    assert_false(s->quit);
    save_as(s, "named.mid");
    assert_true(exists("named.mid.continuo"));
    assert_int_equal(n_unnamed(), 0);
    end(s);
    s = begin("named.mid");
    assert_true(sum_of_takes(s) == shown);
    end(s);
}

static void takes_of_no_music_at_all_do(void **state)
{
    (void)state;
    piece = NULL;
    uint64_t shown = in_child(take_four_of_nothing);
    struct session *s = begin(NULL);
    assert_int_equal(s->takes.n, 4);
    assert_true(sum_of_takes(s) == shown);
    act_command_line(s, "q");
    assert_false(s->quit);
    assert_non_null(strstr(s->message, ":q! leaves without"));
    act_command_line(s, "e other.mid");
    assert_non_null(strstr(s->message, "opens without"));
    act_command_line(s, "q!");
    assert_true(s->quit);
    end(s);
    assert_int_equal(n_unnamed(), 0);
    s = begin(NULL);
    assert_false(s->has_take);
    end(s);
}

static void takes_of_a_file_to_be_do(void **state)
{
    (void)state;
    piece = "to-be.mid";
    uint64_t shown = in_child(take_four_of_nothing);
    assert_true(exists("to-be.mid.continuo"));
    struct session *s = begin(piece);
    assert_true(sum_of_takes(s) == shown);
    assert_int_equal(s->takes.n, 4);
    act_command_line(s, "q");
    assert_false(s->quit);
    act_command_line(s, "q!");
    end(s);
    assert_false(exists("to-be.mid.continuo"));
    assert_false(exists("to-be.mid.continuo"));
    assert_false(exists("to-be.mid"));
}

static void ended_from_outside_they_wait_too(void **state)
{
    (void)state;
    struct session *s = begin(NULL);
    take_four_of_nothing(s);
    uint64_t shown = sum_of_takes(s);
    session_flush_beside(s);
    end(s);
    s = begin(NULL);
    assert_true(sum_of_takes(s) == shown);
    act_command_line(s, "q!");
    end(s);
}

static void what_was_set_outlives_it(void **state)
{
    (void)state;
    put_piece("set.mid");
    in_child(set_only);
    struct session *s = begin(piece);
    assert_true(s->steering.density == 2);
    assert_false(project_modified(&s->project));
    end(s);
}

static void rejected_takes_do_not_come_back(void **state)
{
    (void)state;
    put_piece("rejected.mid");
    in_child(take_and_reject);
    struct session *s = begin(piece);
    assert_false(s->has_take);
    assert_false(s->message_is_error);
    act_command_line(s, "q!");
    end(s);
}

static void accepted_ones_are_notes(void **state)
{
    (void)state;
    put_piece("accepted.mid");
    in_child(take_and_accept);
    struct session *s = begin(piece);
    assert_false(s->has_take);
    assert_int_equal(s->project.found.n_unsaved, 2);
    end(s);
}

static void what_does_not_fit_is_left_out(void **state)
{
    (void)state;
    put_piece("moved.mid");
    in_child(take_time_out);
    struct session *s = begin(piece);
    assert_false(project_modified(&s->project));
    assert_false(s->has_take);
    assert_non_null(strstr(s->message, "no longer fit"));
    end(s);
}

static void leaving_without_gives_back_what_was_saved(void **state)
{
    (void)state;
    put_piece("without.mid");
    struct session *s = begin(piece);
    act_command_line(s, "density 3");
    act_command_line(s, "w");
    ask_for_four(s);
    act_command_line(s, "density 1");
    rest(s);
    act_command_line(s, "q!");
    assert_true(s->quit);
    end(s);
    s = begin(piece);
    assert_true(s->steering.density == 3);
    assert_false(s->has_take);
    end(s);
}

/* No key waits for it, and no quiet is waited for. */
static void settings_are_written_while_they_change(void **state)
{
    (void)state;
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
    assert_true(writer_wait(s->project.keep.writer, 10000));
    n = writer_counts(s->project.keep.writer).n_jobs;
    assert_in_range(n, 3, 100);
    end(s);
}

static void a_damaged_one_is_put_aside(void **state)
{
    (void)state;
    size_t n;
    put_piece("damaged.mid");
    put("damaged.mid.continuo", "{\"mine", 6);
    struct session *s = begin(piece);
    assert_true(s->message_is_error);
    assert_non_null(strstr(s->message, "damaged.mid.continuo.1"));
    char *bad = get("damaged.mid.continuo.1", &n);
    assert_string_equal(bad, "{\"mine");
    free(bad);
    act_command_line(s, "density 2");
    rest(s);
    end(s);
    s = begin(piece);
    assert_true(s->steering.density == 2);
    end(s);
}

static void looking_makes_no_file(void **state)
{
    (void)state;
    put_piece("looked.mid");
    struct session *s = begin(piece);
    run(s, CMD_RIGHT);
    rest(s);
    act_command_line(s, "q");
    assert_true(s->quit);
    end(s);
    assert_false(exists("looked.mid.continuo"));
    assert_false(exists("looked.mid.continuo"));
    s = begin(NULL);
    act_command_line(s, "density 2"); /* of music that is not there */
    rest(s);
    end(s);
    assert_int_equal(n_unnamed(), 0);
}

static int make_folder(void **state)
{
    return make_model(state) || setenv("XDG_STATE_HOME", folder, 1) ? -1 : 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_outlive_a_kill),
        cmocka_unit_test(takes_of_music_without_a_name_do),
        cmocka_unit_test(takes_of_no_music_at_all_do),
        cmocka_unit_test(takes_of_a_file_to_be_do),
        cmocka_unit_test(ended_from_outside_they_wait_too),
        cmocka_unit_test(what_was_set_outlives_it),
        cmocka_unit_test(rejected_takes_do_not_come_back),
        cmocka_unit_test(accepted_ones_are_notes),
        cmocka_unit_test(what_does_not_fit_is_left_out),
        cmocka_unit_test(leaving_without_gives_back_what_was_saved),
        cmocka_unit_test(a_damaged_one_is_put_aside),
        cmocka_unit_test(settings_are_written_while_they_change),
        cmocka_unit_test(looking_makes_no_file),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_model);
}
