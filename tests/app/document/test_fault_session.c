/* Whole sessions in failing surroundings: a piece with unsaved edits of a killed run, or a
 * new one, or music without a name is opened, edited, continued by the machine, saved and
 * edited again, and then the program is killed or left. In a run each, one call of the
 * system's fails, or that and all after it; what has to hold then is in faulty_run.h.
 * CONTINUO_FAULTS=all: every call; else a few. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/app/document/faulty_run.h"

#include <errno.h>
#include <sys/mman.h>

static bool is_thorough(void)
{
    const char *wish = getenv("CONTINUO_FAULTS");
    return wish && !strcmp(wish, "all");
}

static void fail_at(struct fault f, bool is_killed)
{
    snprintf(doing, sizeof doing, "%s %ld (%#tx)%s, %s, %s", FAULT_NAMES[f.kind], f.at,
             f.caller ? (char *)f.caller - &__executable_start : 0,
             f.goes_on ? " and all after" : "",
             f.error ? strerror(f.error) : "half of it", is_killed ? "killed" : "left");
    run_with(&f, is_killed);
}

/* How each kind fails; without an error, a write does half. */
static const struct fault WAYS[] = {
    {.kind = FAULT_WRITE, .error = ENOSPC, .goes_on = true},
    {.kind = FAULT_WRITE, .error = EIO},
    {.kind = FAULT_WRITE, .error = EINTR},
    {.kind = FAULT_WRITE, .error = 0, .goes_on = true},
    {.kind = FAULT_SYNC, .error = EIO},
    {.kind = FAULT_SYNC, .error = EINTR},
    {.kind = FAULT_RENAME, .error = ENOSPC},
    {.kind = FAULT_RENAME, .error = EIO, .goes_on = true},
    {.kind = FAULT_OPEN, .error = EMFILE},
    {.kind = FAULT_OPEN, .error = EACCES, .goes_on = true},
    {.kind = FAULT_OPEN, .error = EINTR},
    {.kind = FAULT_MAP, .error = ENOMEM},
    {.kind = FAULT_TRUNCATE, .error = EIO},
    {.kind = FAULT_TRUNCATE, .error = EINTR},
    {.kind = FAULT_CLOSE, .error = EIO},
};

static long usual_counts[FAULT_KINDS];
static struct fault_caller usual_callers[MOST_CALLERS];
static size_t n_usual;

/* A run without a fault tells how many calls there are. */
static void count_calls(void)
{
    snprintf(doing, sizeof doing, "nothing");
    run_with(NULL, false);
    assert_false(w->was_told);
    run_with(NULL, true);
    assert_true(w->is_saved && w->is_kept && !w->was_told);
    assert_true(w->is_back == (from == FROM_SONG));
    assert_int_equal(w->n_shown, 4);
    memcpy(usual_counts, w->counts, sizeof usual_counts);
    memcpy(usual_callers, w->callers, w->n_callers * sizeof *usual_callers);
    n_usual = w->n_callers;
}

static long fail_the_disk(void)
{
    long n_runs = 0;
    for (size_t i = 0; i < sizeof WAYS / sizeof WAYS[0]; i++) {
        struct fault f = WAYS[i];
        long n = usual_counts[f.kind], step = is_thorough() ? 1 : n / 2 + 1;
        for (f.at = is_thorough() ? 0 : (long)i % step; f.at < n; f.at += step)
            fail_at(f, n_runs++ % 2 == 0);
    }
    return n_runs;
}

/* The first time a place asks for memory, the last, and one between; or always. */
static long fail_place(const struct fault_caller *c)
{
    struct fault f = {.kind = FAULT_MEMORY, .caller = c->caller, .error = ENOMEM};
    const long at[] = {0, c->n / 2, c->n - 1};
    long n_runs = 0;
    for (int i = 0; i < 3; i++)
        if (i == 0 || at[i] > at[i - 1]) {
            f.at = at[i];
            fail_at(f, n_runs++ % 2 == 0);
        }
    f.at = 0;
    f.goes_on = true;
    fail_at(f, false);
    return n_runs + 1;
}

/* Each place in turn; then every time in turn, whatever the place. */
static long fail_memory(void)
{
    const size_t step = is_thorough() ? 1 : n_usual / 6 + 1;
    struct fault any = {.kind = FAULT_MEMORY, .error = ENOMEM};
    long n_runs = 0, n = usual_counts[FAULT_MEMORY];
    for (size_t i = from % step; i < n_usual; i += step)
        n_runs += fail_place(&usual_callers[i]);
    for (any.at = 0; any.at < n; any.at += is_thorough() ? n / 500 + 1 : n / 2 + 1) {
        fail_at(any, n_runs++ % 2 == 0);
        any.goes_on = !any.goes_on;
    }
    return n_runs;
}

static void fail_all(void)
{
    count_calls();
    long disk = fail_the_disk(), memory = fail_memory();
    print_message("%zu places ask for memory; %ld sessions where the disk failed, %ld "
                  "where memory did\n",
                  n_usual, disk, memory);
}

static void a_piece_with_unsaved_edits(void **state)
{
    (void)state;
    from = FROM_SONG;
    fail_all();
    for (int k = 0; k < FAULT_KINDS; k++)
        assert_true(usual_counts[k] > 0 || k == FAULT_TRUNCATE);
}

static void a_new_piece(void **state)
{
    (void)state;
    from = FROM_NAME;
    fail_all();
}

static void music_without_a_name(void **state)
{
    (void)state;
    from = FROM_NOTHING;
    fail_all();
}

/* -- the piece -- */

static int prepare(void **state)
{
    if (make_model(state) || make_kept_folder(state))
        return -1;
    fault_vfs_install();
    w = mmap(NULL, sizeof *w, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
             0);
    if (w == MAP_FAILED)
        return -1;
    struct session *s = kept_open("song.mid");
    draw(s, 4);
    act_command_line(s, "w");
    song = get_bytes("song.mid", &n_song);
    draw(s, 2);
    settle(s);
    bool ok = fingerprint_score(s->project.score, &unsaved);
    kept_close(s);
    store = get_bytes("song.mid.continuo", &n_store);
    return ok && song && store ? 0 : -1;
}

static int clear_away(void **state)
{
    free(song);
    free(store);
    munmap(w, sizeof *w);
    return remove_kept_folder(state) | remove_model(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_piece_with_unsaved_edits),
        cmocka_unit_test(a_new_piece),
        cmocka_unit_test(music_without_a_name),
    };
    return cmocka_run_group_tests(tests, prepare, clear_away);
}
