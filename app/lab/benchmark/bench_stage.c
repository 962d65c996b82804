#include "app/lab/benchmark/bench_stage.h"

#include "midi/base/clock.h"
#include "app/base/paths.h"
#include "app/base/say.h"
#include "app/base/values.h"
#include "midi/base/file.h"
#include "midi/score/notes.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { COLUMNS = 200, ROWS = 50, TIMEOUT_SECONDS = 30 };

/* -- the invisible terminal: a pseudo-terminal, and a thread that reads the output, as a
 * terminal would, and types. While it is open it is this process's standard input; TERM and
 * the other variables that choose colours are set for it -- */

enum { KEY_MS = 20 };

struct bench_terminal {
    int outer, inner, input_before; /* descriptors; constant while the thread runs */
    pthread_t thread;

    atomic_bool quit, types;   /* the main thread's */
    _Atomic double pressed_at; /* who presses sets it, who sees clears it */
};

void bench_terminal_press(struct bench_terminal *t, char key)
{
    atomic_store(&t->pressed_at, clock_now_seconds());
    if (write(t->outer, &key, 1) != 1)
        atomic_store(&t->pressed_at, 0);
}

static void *attend(void *arg)
{
    struct bench_terminal *t = arg;
    char drawing[65536];
    double next = 0;
    for (bool right = true; !atomic_load(&t->quit);) {
        const bool types = atomic_load(&t->types);
        const double now = clock_now_seconds();
        if (types && now >= next && atomic_load(&t->pressed_at) == 0) {
            bench_terminal_press(t, right ? 'l' : 'h');
            right = !right;
            next = now + 1e-3 * KEY_MS;
        }
        struct pollfd drawn = {t->outer, POLLIN, 0};
        if (poll(&drawn, 1, types ? KEY_MS / 4 : 50) > 0)
            (void)!read(t->outer, drawing, sizeof drawing);
    }
    return NULL;
}

static bool open_ends(struct bench_terminal *t, int columns, int rows)
{
    const char *name;
    struct winsize size = {.ws_col = (unsigned short)columns,
                           .ws_row = (unsigned short)rows};
    t->outer = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (t->outer < 0 || grantpt(t->outer) || unlockpt(t->outer) ||
        !(name = ptsname(t->outer)))
        return false;
    t->inner = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
    return t->inner >= 0 && !ioctl(t->inner, TIOCSWINSZ, &size);
}

static void release_terminal(struct bench_terminal *t)
{
    if (t->input_before >= 0) {
        dup2(t->input_before, STDIN_FILENO);
        close(t->input_before);
    }
    if (t->inner >= 0)
        close(t->inner);
    if (t->outer >= 0)
        close(t->outer);
    free(t);
}

static struct bench_terminal *bench_terminal_open(int columns, int rows)
{
    struct bench_terminal *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    t->outer = t->inner = t->input_before = -1;
    bool ok = open_ends(t, columns, rows);
    if (ok) {
        t->input_before = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 10); /* if it is open */
        ok = dup2(t->inner, STDIN_FILENO) == STDIN_FILENO;
    }
    if (!ok || pthread_create(&t->thread, NULL, attend, t)) {
        release_terminal(t);
        return NULL;
    }
    setenv("TERM", "xterm-256color", 1);
    setenv("COLORTERM", "truecolor", 1);
    setenv("CONTINUO_THEME", "dark", 1); /* it cannot answer a query */
    unsetenv("NO_COLOR");
    return t;
}

static void bench_terminal_close(struct bench_terminal *t)
{
    if (!t)
        return;
    atomic_store(&t->quit, true);
    pthread_join(t->thread, NULL);
    release_terminal(t);
}

void bench_terminal_type(struct bench_terminal *t, bool types)
{
    atomic_store(&t->types, types);
}

/* -- the stage -- */

static int open_session(struct stage *g, const struct bench *b)
{
    struct session_options o = {.model = b->model,
                                .driver = "none", /* this must be silent */
                                .seed = 1,
                                .n_threads = pool_n_threads(b->pool),
                                .precision = PRECISION_DEFAULT,
                                .wake_fd = g->wake[1]};
    enum midi_status st = session_init(&g->loop.session, &o);
    return st ? say_error("bench frames", midi_strerror(st)) : 0;
}

static int open_screen(struct stage *g)
{
    if (!file_pipe(g->wake, O_NONBLOCK))
        return say_error("bench frames", strerror(errno));
    g->terminal = bench_terminal_open(COLUMNS, ROWS);
    g->began = clock_now_seconds();
    g->loop.screen = g->terminal ? screen_open(g->terminal->inner) : NULL;
    g->loop.wake_fd = g->wake[0];
    return g->loop.screen ? 0 : say_error("bench frames", "no terminal is available");
}

static void release(struct stage *g)
{
    screen_close(g->loop.screen);
    bench_terminal_close(g->terminal);
    for (int i = 0; i < 2; i++)
        if (g->wake[i] >= 0)
            close(g->wake[i]);
    delays_fini(&g->frames);
    delays_fini(&g->keys);
}

int stage_open(struct stage *g, const struct bench *b)
{
    *g = (struct stage){.wake = {-1, -1}};
    if (open_screen(g) || open_session(g, b)) {
        release(g);
        return 1;
    }
    ui_loop_show(&g->loop);
    return 0;
}

void stage_close(struct stage *g)
{
    session_fini(&g->loop.session);
    release(g);
}

/* The terminal may be behind. */
static bool is_drawn(const struct stage *g)
{
    return !screen_is_behind(g->loop.screen);
}

void stage_turn(struct stage *g, int most_ms)
{
    const int news = ui_loop_wait(&g->loop, most_ms);
    const double woken = clock_now_seconds();
    ui_loop_execute(&g->loop, news);
    ui_loop_show(&g->loop);
    const double shown = clock_now_seconds();
    if (news & SCREEN_KEYS && g->pressed == 0)
        g->pressed = atomic_exchange(&g->terminal->pressed_at, 0); /* now it is seen */
    if (!is_drawn(g))
        return;
    delays_add(&g->frames, shown - woken);
    if (g->pressed > 0)
        delays_add(&g->keys, shown - g->pressed);
    g->pressed = 0;
}

void stage_run(struct stage *g, double seconds)
{
    const double end = clock_now_seconds() + seconds;
    double left = seconds;
    while (left > 0) {
        stage_turn(g, left < 1 ? 1 + (int)(1e3 * left) : 1000);
        left = end - clock_now_seconds();
    }
}

bool stage_is_ready(struct stage *g)
{
    struct generator_progress p;
    generator_progress(g->loop.session.generator, &p);
    return p.loaded || p.failed;
}

bool stage_run_until(struct stage *g, bool (*is_so)(struct stage *g))
{
    const double end = clock_now_seconds() + TIMEOUT_SECONDS;
    while (!(is_so(g) && is_drawn(g)) && clock_now_seconds() < end)
        stage_turn(g, 1000);
    return is_so(g);
}

double stage_answer(struct stage *g, char key, bool (*is_so)(struct stage *g))
{
    const double pressed = clock_now_seconds();
    bench_terminal_press(g->terminal, key);
    stage_turn(g, 1000);
    return stage_run_until(g, is_so) ? clock_now_seconds() - pressed : -1;
}

/* All notes again, after the last bar. */
static bool repeat(struct score *s)
{
    const struct bar last = timeline_bar_at(&s->timeline, score_end_tick(s) - 1);
    bool ok = true;
    for (int t = 0; t < (int)s->n_tracks; t++)
        for (size_t i = 0, n = s->tracks[t].n_notes; ok && i < n; i++) {
            struct note copy = s->tracks[t].notes[i]; /* which move as some are added */
            copy.id = 0;
            copy.start += last.start + last.length;
            note_lose_order(&copy);
            ok = score_add_note(s, t, copy);
        }
    return ok;
}

/* As a file, since that is how music comes into a session. */
static bool open_by_file(struct session *s, const struct score *music, double *began)
{
    const char *folder = getenv("TMPDIR");
    char path[4096];
    int n = snprintf(path, sizeof path, "%s/continuo-bench-XXXXXX",
                     folder ? folder : "/tmp");
    int fd = n > 0 && (size_t)n < sizeof path ? mkstemp(path) : -1;
    if (fd < 0)
        return false;
    close(fd);
    bool ok = smf_save(music, path) == MIDI_OK;
    *began = clock_now_seconds();
    if (ok)
        session_open(s, path);
    unlink(path);
    return ok && score_n_notes(s->project.score) > 0;
}

bool stage_open_score(struct stage *g, const struct score *music, double *ms)
{
    double began;
    if (!open_by_file(&g->loop.session, music, &began))
        return false;
    ui_loop_show(&g->loop);
    *ms = 1e3 * (clock_now_seconds() - began);
    return true;
}

bool stage_open_example(struct stage *g)
{
    char path[4096];
    double began;
    struct score *music = NULL;
    bool ok = paths_find(path, sizeof path, PATHS_EXAMPLE) &&
              smf_load(&music, path, NULL) == MIDI_OK && repeat(music) &&
              open_by_file(&g->loop.session, music, &began);
    score_destroy(music);
    return ok;
}
