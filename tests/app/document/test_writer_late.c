/* The writer, while the disk does not respond: nothing waits for it, what is late can be told,
 * and what is written in the end is the newest. Edits come before a session, of
 * which only the parts that differ are written. */
#include "tests/check.h"
#include "app/document/project.h"
#include "app/document/store_history.h"
#include "midi/base/clock.h"
#include "tests/app/own_folder.h"

#include <semaphore.h>

/* -- jobs that tell when they run, and hang until they may go on -- */

enum { MOST = 64 };
static sem_t may_go_on, has_come;
static char order[MOST];
static int n_order;

static int run_named(struct store *s, const struct job *j)
{
    (void)s;
    if (j->of) {
        sem_post(&has_come);
        sem_wait(&may_go_on);
    }
    order[n_order++] = (char)j->as;
    return SQLITE_OK;
}

static void push(struct writer *w, char name, enum job_kind kind, bool is_latest,
                 bool hangs)
{
    writer_push(w, &(struct job){.kind = kind,
                                 .is_latest = is_latest,
                                 .run = run_named,
                                 .of = hangs ? &may_go_on : NULL,
                                 .as = name});
}

static struct store *new_store(const char *name, bool opens)
{
    char why[STORE_WHY_BYTES];
    struct store *s;
    assert_int_equal(store_lock(&s, in_folder(name), why), STORE_OK);
    assert_int_equal(opens ? store_open(s, true, why) : STORE_OK, STORE_OK);
    return s;
}

/* Begins a writer, whose first job hangs. */
static struct writer *begin(const char *name, char first, enum job_kind kind)
{
    struct writer *w = writer_create(-1);
    assert_non_null(w);
    sem_init(&may_go_on, 0, 0);
    sem_init(&has_come, 0, 0);
    memset(order, 0, sizeof order);
    n_order = 0;
    writer_begin(w, new_store(name, false));
    assert_true(writer_keeps_up(w));
    assert_int_equal(writer_status(w).late_ms, 0);
    push(w, first, kind, kind == JOB_SESSION, true);
    sem_wait(&has_come);
    return w;
}

/* All is written, in that order. */
static void end(struct writer *w, const char *wanted)
{
    sem_post(&may_go_on);
    assert_true(writer_wait(w, 10000));
    assert_int_equal(writer_status(w).late_ms, 0);
    assert_string_equal(order, wanted);
    writer_destroy(w);
}

TEST(what_is_late_is_told)
{
    struct writer *w = begin("late.continuo", 'a', JOB_EDIT);
    push(w, 'b', JOB_EDIT, false, false);
    push(w, 'c', JOB_SESSION, true, false);
    const struct writer_status late = writer_status(w);
    assert_false(writer_keeps_up(w)); /* and this returns at once */
    assert_int_equal(late.n_late[JOB_EDIT], 2);
    assert_int_equal(late.n_late[JOB_SESSION], 1);
    assert_int_equal(late.n_late[JOB_RECORDING], 0);
    assert_true(late.late_ms > 0);
    assert_false(writer_wait(w, 10));
    assert_true(writer_status(w).late_ms >= 10);
    end(w, "abc");
}

/* The MIDI file may be on another disk, which hangs: its comparison is not the writer's. */
TEST(the_music_is_looked_at_meanwhile)
{
    struct writer *w = begin("look.continuo", 'a', JOB_EDIT);
    struct file_seen seen = {.exists = true};
    enum file_news news = FILE_SAME;
    writer_watch(w, in_folder("gone.mid"), &seen);
    for (int ms = 0; ms < 10000 && news == FILE_SAME; ms += 5) {
        sleep_ms(5);
        news = writer_news(w, &seen);
    }
    assert_int_equal(news, FILE_GONE);
    end(w, "a");
}

/* Of sessions that pile up only the last; other jobs stay in order, before it. */
TEST(only_the_newest_session_waits)
{
    struct writer *w = begin("newest.continuo", 'a', JOB_EDIT);
    for (char name = '0'; name <= '9'; name++) {
        push(w, name, JOB_SESSION, true, false);
        push(w, (char)(name - '0' + 'b'), JOB_EDIT, false, false);
    }
    push(w, 'S', JOB_SESSION, false, false); /* the saved one is no later one's */
    assert_int_equal(writer_status(w).n_late[JOB_SESSION], 2);
    end(w, "abcdefghijk9S");
}

TEST(a_session_that_is_being_written_is_not_taken_back)
{
    struct writer *w = begin("twice.continuo", '0', JOB_SESSION);
    push(w, 'a', JOB_EDIT, false, false);
    push(w, '1', JOB_SESSION, true, false);
    push(w, '2', JOB_SESSION, true, false);
    assert_int_equal(writer_status(w).n_late[JOB_SESSION], 2);
    end(w, "0a2");
}

/* Registers and typed lines are no piece's. */
TEST(after_an_error_of_the_piece_the_state_folder_is_written)
{
    struct writer *w = begin("gone.continuo", 'a', JOB_EDIT);
    assert_ok(unlink(in_folder("gone.continuo")));
    push(w, 'b', JOB_EDIT, false, false);
    push(w, 's', JOB_STATE, false, false);
    end(w, "as");
}

/* -- the session: what differs is written -- */

FREES(kept_session, kept_session_destroy)
#define auto_session __attribute__((cleanup(free_kept_session))) struct kept_session

static struct kept_session *session_of(int n_takes, int n_ghosts)
{
    struct kept_session *b = calloc(1, sizeof *b);
    assert_non_null(b);
    kept_session_init(b);
    struct kept_takes *t = &b->takes;
    t->n = (size_t)n_takes;
    t->ticks_per_quarter = 480;
    t->n_letters = n_takes;
    t->asked = (struct generation){CONTINUATION_DEFAULT, 4};
    t->list = calloc(t->n + 1, sizeof *t->list);
    t->tracks = calloc(1, sizeof *t->tracks);
    t->n_tracks = 1;
    for (int i = 0; i < n_takes; i++) {
        struct proposal *p = &t->list[i];
        p->letter = (char)('A' + i);
        p->options = CONTINUATION_DEFAULT;
        p->n_ghosts = (size_t)n_ghosts;
        p->ghosts = calloc(p->n_ghosts + 1, sizeof *p->ghosts);
        for (int k = 0; k < n_ghosts; k++)
            p->ghosts[k].note = (struct note){.id = (uint64_t)(1 + k * n_takes + i),
                                              .start = 120 * k,
                                              .length = 120,
                                              .pitch = 60,
                                              .velocity = 80};
    }
    return b;
}

/* As a job does it; returns how many rows it changed. NULL: it goes. */
static int write_now(struct store *s, const struct kept_session *b, bool commits)
{
    assert_int_equal(store_exec(s, "BEGIN"), SQLITE_OK);
    const int before = sqlite3_total_changes(s->db);
    assert_int_equal(kept_session_write(s, KEPT_NOW, b), SQLITE_OK);
    const int n = sqlite3_total_changes(s->db) - before;
    assert_int_equal(store_exec(s, commits ? "COMMIT" : "ROLLBACK"), SQLITE_OK);
    return n;
}

static void assert_reads_as(struct store *s, const struct kept_session *b)
{
    struct kept_session r;
    assert_null(kept_session_read(&r, s));
    assert_int_equal(r.takes.n, b->takes.n);
    for (size_t i = 0; i < r.takes.n; i++) {
        const struct proposal *x = &r.takes.list[i], *y = &b->takes.list[i];
        assert_int_equal(x->letter, y->letter);
        assert_int_equal(x->n_ghosts, y->n_ghosts);
        for (size_t k = 0; k < x->n_ghosts; k++) {
            assert_int_equal(x->ghosts[k].note.id, y->ghosts[k].note.id);
            assert_int_equal(x->ghosts[k].note.start, y->ghosts[k].note.start);
            assert_int_equal(x->ghosts[k].is_kept, y->ghosts[k].is_kept);
        }
    }
    kept_session_fini(&r);
}

TEST(what_differs_is_written)
{
    struct store *s = new_store("few.continuo", true);
    auto_session *b = session_of(4, 1000), *more = session_of(4, 1001),
                 *fewer = session_of(3, 1001);
    assert_int_equal(write_now(s, b, true),
                     7); /* what is set, the request, and takes */
    assert_int_equal(write_now(s, b, true), 0);
    assert_int_equal(write_now(s, more, true), 4); /* a ghost in each take */
    assert_reads_as(s, more);
    auto_session *again = session_of(4, 1001);
    again->takes.list[2].ghosts[5].is_kept = true;
    assert_int_equal(write_now(s, again, true), 1);
    assert_reads_as(s, again);
    assert_in_range(write_now(s, fewer, true), 4, 5); /* other ids, and one goes */
    assert_reads_as(s, fewer);
    store_close(s, false);
}

/* What was rolled back is not there: the next is compared with what was before. */
TEST(what_was_rolled_back_is_written_again)
{
    struct store *s = new_store("rolled.continuo", true);
    auto_session *b = session_of(2, 50), *more = session_of(2, 60);
    write_now(s, b, false);
    write_now(s, b, true);
    assert_reads_as(s, b);
    assert_int_equal(write_now(s, more, false), 2);
    assert_int_equal(write_now(s, more, true), 2);
    assert_reads_as(s, more);
    write_now(s, NULL, true);
    write_now(s, b, true);
    assert_reads_as(s, b);
    store_close(s, false);
}

GROUP(make_own_folder, remove_own_folder)
