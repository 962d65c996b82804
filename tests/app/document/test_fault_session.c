/* Whole sessions in failing surroundings: a piece with unsaved edits of a killed run, or a
 * new one, or music without a name is opened, edited, continued by the machine, saved and
 * edited again, and then the program is killed or left. In a run each, one call of the
 * system's fails, or that and all after it; whatever fails: no
 * crash, no hang; the file is the old one or a new one; what failed was said; and the next
 * start shows what was shown last, unless it was said that this would be lost. A run is a
 * process of its own, which tells through memory that it shares with the test.
 * CONTINUO_FAULTS=all: every call; else a few. */
#include "tests/check.h"
#include "tests/app/document/fault_shim.h"
#include "tests/app/kept.h"

#include <errno.h>
#include <glob.h>
#include <sys/mman.h>
#include <sys/wait.h>

enum { MOST_SHOWN = 16, MOST_CALLERS = 4096, HANGS_AFTER_S = 120 };

/* What a run tells. */
static struct witness {
    struct fingerprint shown[MOST_SHOWN]; /* what the user saw, in order */
    int n_shown;
    struct fingerprint saved; /* as "saved" was said of, last */
    bool is_saved, is_kept, was_told, is_back, is_done, has_happened;
    char told[240]; /* the last */
    long counts[FAULT_KINDS];
    struct fault_caller callers[MOST_CALLERS];
    size_t n_callers;
} * w;

/* How a run begins: with a file and a store, with the name of a file, or without. */
static enum { FROM_SONG, FROM_NAME, FROM_NOTHING } from;
/* The piece as it is at the start of each run. */
static uint8_t *song, *store;
static size_t n_song, n_store;
static struct fingerprint unsaved; /* as it comes back */

/* -- a run; no assertions here, which would go on with the tests -- */

static void hear(const struct session *s)
{
    if (!s->view.message.is_error || !*s->view.message.text)
        return;
    w->was_told = true;
    memcpy(w->told, s->view.message.text, sizeof w->told);
}

/* What is on the screen now, once what was done is written or cannot be. */
static void show(struct session *s)
{
    hear(s);
    struct writer *writer = s->project.autosave.writer;
    const bool is_late = writer && !writer_wait(writer, 10000);
    session_tick(s);
    hear(s);
    fault_spare(true);
    /* On a busy machine the mark of what is not written may still stand. */
    w->is_kept = project_is_kept(&s->project) && !is_late;
    if (is_late) {
        w->was_told = true;
        snprintf(w->told, sizeof w->told, "not all was written after ten seconds");
    }
    if (!fingerprint_score(s->project.score, &w->shown[w->n_shown++]))
        _exit(2);
    fault_spare(false);
}

/* What is said of each, before the next says something else. */
static void draw_and_hear(struct session *s, int n)
{
    for (int i = 0; i < n; i++) {
        s->view.cursor.tick = score_end_tick(s->project.score);
        run(s, CMD_TOGGLE_NOTE);
        hear(s);
    }
}

static void let_the_machine_write(struct session *s)
{
    run_times(s, CMD_CONTINUE, 1);
    hear(s);
    for (int ms = 0; s->request.is_running || ms < 4; ms += 2) {
        sleep_ms(2);
        session_tick(s);
        hear(s);
    }
    run(s, CMD_ACCEPT);
}

static void save(struct session *s)
{
    act_command_line(s, from == FROM_NOTHING ? formatted("w %s", in_folder("song.mid"))
                                             : "w");
    bool failed = project_modified(&s->project) || !is_there("song.mid");
    hear(s);
    if (failed && !s->view.message.is_error)
        _exit(3); /* not a word of it */
    w->is_saved = !failed;
    fault_spare(true);
    if (!failed && !fingerprint_score(s->project.score, &w->saved))
        _exit(2);
    fault_spare(false);
}

static void work(struct session *s)
{
    act_command_line(s, "style any");
    act_command_line(s, "takes 1");
    struct fingerprint is = {0};
    fault_spare(true);
    fingerprint_score(s->project.score, &is);
    fault_spare(false);
    w->is_back = fingerprint_equal(is, unsaved);
    show(s);
    draw_and_hear(s, 2);
    show(s);
    let_the_machine_write(s);
    show(s);
    save(s);
    draw_and_hear(s, 1);
    show(s);
}

/* The last, when there is no memory for a session. */
static void tell_nothing(void)
{
    w->was_told = true;
    snprintf(w->told, sizeof w->told, "the workstation %s",
             midi_strerror(MIDI_NO_MEMORY));
}

static void session(bool is_killed)
{
    static struct session at_work, *const s = &at_work;
    struct session_options o = {.driver = "none",
                                .model = model,
                                .n_threads = 1,
                                .seed = 5,
                                .wake_fd = -1,
                                .journals = true};
    if (session_init(s, &o)) {
        tell_nothing();
        return;
    }
    session_resize(s, 80, 24);
    bool is_open = from == FROM_NOTHING || session_open(s, in_folder("song.mid"));
    hear(s);
    if (is_open)
        work(s);
    if (is_killed)
        return;
    session_fini(s);
}

static void tell_counts(void)
{
    const struct fault_caller *list;
    w->has_happened = fault_happened();
    for (int k = 0; k < FAULT_KINDS; k++)
        w->counts[k] = fault_count(k);
    size_t n = fault_callers(&list);
    w->n_callers = n < MOST_CALLERS ? n : MOST_CALLERS;
    memcpy(w->callers, list, w->n_callers * sizeof *list);
}

/* Killed, the process ends without a word; else as a program does, so that LeakSanitizer
 * looks. */
static void run_in_child(const struct fault *f, bool is_killed)
{
    alarm(HANGS_AFTER_S);
    fault_arm(f);
    session(is_killed);
    tell_counts();
    fault_arm(NULL);
    w->is_done = true;
    fflush(NULL);
    if (is_killed)
        _exit(0);
    exit(0);
}

/* -- what is left of it -- */

extern char __executable_start; /* the linker's: addr2line -e counts from there */
static char doing[200];         /* what fails, for messages */

static void begin_with_the_song(void)
{
    empty_folder();
    nftw(in_folder("continuo"), remove_entry, 8,
         FTW_DEPTH | FTW_PHYS); /* the state's */
    if (from == FROM_SONG) {
        put_bytes("song.mid", song, n_song);
        put_bytes("song.mid.continuo", store, n_store);
    }
    memset(w, 0, sizeof *w);
}

static int shown_as(struct fingerprint is)
{
    return find_fingerprint(w->shown, w->n_shown, is);
}

static void check_file(void)
{
    size_t n;
    auto_free uint8_t *bytes = get_bytes("song.mid", &n);
    if (!bytes && from != FROM_SONG && !w->is_saved)
        return;
    if (!bytes)
        fail_msg("%s: the file is gone", doing);
    struct fingerprint is = fingerprint_of(bytes, n);
    bool is_old = n == n_song && !memcmp(bytes, song, n);
    if (w->is_saved && !fingerprint_equal(is, w->saved))
        fail_msg("%s: it said it had saved, and had not", doing);
    if (!w->is_saved && !is_old && shown_as(is) < 0)
        fail_msg("%s: the file is neither old nor new", doing);
}

static void check_nothing_lies_about(void)
{
    glob_t left;
    if (!glob(in_folder(".continuo-*"), 0, NULL, &left))
        fail_msg("%s: %s is left behind", doing, left.gl_pathv[0]);
}

/* The edits of before are what it holds, or the first of what it holds. */
static bool holds_edits(const char *name)
{
    struct score *score;
    struct fingerprint is = {0};
    auto_free uint8_t *music = NULL;
    size_t n = 0;
    if (!is_there(name) || store_music_take(in_folder(name), &music, &n))
        return false;
    bool holds = smf_read(&score, music, n, NULL) == MIDI_OK;
    if (holds) {
        holds = fingerprint_score(score, &is) &&
                (fingerprint_equal(is, unsaved) || shown_as(is) >= 0);
        score_destroy(score);
    }
    return holds;
}

/* Edits of the run before, if they did not come back, are there to be opened. */
static void check_unsaved(void)
{
    if (w->is_back || from != FROM_SONG)
        return;
    if (!w->was_told)
        fail_msg("%s: nothing was said of the edits before", doing);
    if (!holds_edits("song.mid.continuo") && !holds_edits("song.mid.continuo.1"))
        fail_msg("%s: the edits before are lost", doing);
}

/* What the next start shows: of the piece if it has come to be one, else of music without
 * a name. */
static struct fingerprint start_again(void)
{
    struct project p;
    struct fingerprint is = {0};
    assert_ok(project_init(&p));
    assert_true(project_keep(&p, -1));
    bool is_piece = from != FROM_NOTHING || is_there("song.mid");
    const char *opened = in_folder("song.mid");
    enum midi_status st = is_piece ? project_open(&p, opened, opened) : MIDI_OK;
    if (st && !(st == MIDI_NO_FILE && from == FROM_NAME))
        fail_msg("%s: it cannot be opened again", doing);
    if (!is_piece)
        project_open_unnamed(&p);
    assert_true(fingerprint_score(p.score, &is));
    project_fini(&p);
    return is;
}

static void check_next_start(void)
{
    struct fingerprint is = start_again();
    if (w->n_shown == 0)
        return;
    int state = shown_as(is);
    bool is_last = state == w->n_shown - 1 ||
                   (!w->is_back && fingerprint_equal(is, unsaved)); /* at last */
    if (!is_last && w->is_kept)
        fail_msg("%s: state %d is back, not %d, which was kept; %s", doing, state,
                 w->n_shown - 1, w->told);
    if (!is_last && !w->was_told)
        fail_msg("%s: state %d is back, not %d, without a word", doing, state,
                 w->n_shown - 1);
}

static void run_with(const struct fault *f, bool is_killed)
{
    int status;
    begin_with_the_song();
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        run_in_child(f, is_killed);
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFSIGNALED(status))
        fail_msg("%s: ended by signal %d", doing, WTERMSIG(status));
    if (WEXITSTATUS(status) != 0)
        fail_msg("%s: ended with %d", doing, WEXITSTATUS(status));
    assert_true(w->is_done);
    check_file();
    check_nothing_lies_about();
    check_unsaved();
    check_next_start();
}

/* -- what fails -- */

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

TEST(a_piece_with_unsaved_edits)
{
    from = FROM_SONG;
    fail_all();
    for (int k = 0; k < FAULT_KINDS; k++)
        assert_true(usual_counts[k] > 0 || k == FAULT_TRUNCATE);
}

TEST(a_new_piece)
{
    from = FROM_NAME;
    fail_all();
}

TEST(music_without_a_name)
{
    from = FROM_NOTHING;
    fail_all();
}

/* -- the piece -- */

static char *model_home; /* the folder of the model */

static int prepare(void **state)
{
    if (make_model(state))
        return -1;
    model_home = folder;
    if (make_own_folder(state))
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
    remove_own_folder(state);
    folder = model_home;
    return remove_own_folder(state);
}

GROUP(prepare, clear_away)
