#include "app/benchmark/bench_stage.h"

#include "midi/base/clock.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

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

double bench_terminal_see_key(struct bench_terminal *t)
{
    return atomic_exchange(&t->pressed_at, 0);
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
    char name[128];
    struct winsize size = {.ws_col = (unsigned short)columns,
                           .ws_row = (unsigned short)rows};
    t->outer = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (t->outer < 0 || grantpt(t->outer) || unlockpt(t->outer) ||
        ptsname_r(t->outer, name, sizeof name))
        return false;
    t->inner = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
    return t->inner >= 0 && !ioctl(t->inner, TIOCSWINSZ, &size);
}

static void release(struct bench_terminal *t)
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

struct bench_terminal *bench_terminal_open(int columns, int rows)
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
        release(t);
        return NULL;
    }
    setenv("TERM", "xterm-256color", 1);
    setenv("COLORTERM", "truecolor", 1);
    setenv("CONTINUO_THEME", "dark", 1); /* it cannot answer a query */
    unsetenv("NO_COLOR");
    return t;
}

void bench_terminal_close(struct bench_terminal *t)
{
    if (!t)
        return;
    atomic_store(&t->quit, true);
    pthread_join(t->thread, NULL);
    release(t);
}

int bench_terminal_fd(const struct bench_terminal *t)
{
    return t->inner;
}

void bench_terminal_type(struct bench_terminal *t, bool types)
{
    atomic_store(&t->types, types);
}
