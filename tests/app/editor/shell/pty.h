/* The real program at a pseudo-terminal of the test's own, as a job of a shell's: what it
 * writes is kept, what modes and settings it leaves the terminal in can be asked, and it can
 * be stopped, hung up on, or not listened to. It is in a folder of its own; song.mid is
 * edited there. Include cmocka.h before it. */
#ifndef TESTS_APP_PTY_H
#define TESTS_APP_PTY_H

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum { PTY_PATIENCE_MS = 20000, PTY_BYTES = 1 << 22 };

struct pty {
    int outer, inner;      /* inner is held, so that settings outlive the program */
    struct termios before; /* the program was there */
    pid_t shell, program;
    char *said; /* [PTY_BYTES + 1] all that was written, NUL-terminated */
    size_t n;
};

struct pty_start {
    const char *folder, *term; /* term NULL: TERM is not set */
    const char *locale;        /* NULL: C.UTF-8 */
    const char *words[8];      /* of the command line, after the program */
    int columns, rows;         /* 0: 80 and 24 */
    int closed_fd;             /* 0 to 2: closed for it; else -1 */
    bool is_deaf; /* no key of the terminal's own is a signal, or holds it */
};

static inline double pty_now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static inline void pty_sleep_ms(int ms)
{
    nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000L}, NULL);
}

static inline void pty_resize(const struct pty *p, int columns, int rows)
{
    struct winsize size = {.ws_col = (unsigned short)columns,
                           .ws_row = (unsigned short)rows};
    assert_int_equal(ioctl(p->outer, TIOCSWINSZ, &size), 0);
}

static inline void pty_set_environment(const struct pty_start *s)
{
    static const char *const OURS[] = {"HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME",
                                       "XDG_DATA_HOME"};
    for (size_t i = 0; i < sizeof OURS / sizeof *OURS; i++)
        setenv(OURS[i], s->folder, 1);
    setenv("LC_ALL", s->locale ? s->locale : "C.UTF-8", 1);
    unsetenv("COLORTERM");
    if (s->term)
        setenv("TERM", s->term, 1);
    else
        unsetenv("TERM");
}

/* The job itself: in front, with the terminal as its three descriptors. */
static inline void pty_exec(const struct pty_start *s, int inner)
{
    const char *words[10] = {getenv("CONTINUO_BIN")};
    for (int i = 0; i < 8 && s->words[i]; i++)
        words[i + 1] = s->words[i];
    setpgid(0, 0);
    signal(SIGTTOU, SIG_IGN);
    tcsetpgrp(inner, getpid());
    signal(SIGTTOU, SIG_DFL);
    pty_set_environment(s);
    if (chdir(s->folder))
        _exit(127);
    for (int fd = 0; fd < 3; fd++)
        if (fd == s->closed_fd)
            close(fd);
        else
            dup2(inner, fd);
    execv(words[0], (char *const *)(uintptr_t)words);
    _exit(127);
}

/* Leads the session, as a shell does, and ends as the job ended; a hang-up is the job's to
 * notice. */
static inline void pty_shell(const struct pty *p, const struct pty_start *s, int tell)
{
    int status;
    setsid();
    int inner = open(ptsname(p->outer), O_RDWR | O_CLOEXEC);
    close(p->outer); /* so that the test's closing hangs up */
    close(p->inner);
    pid_t program = fork();
    if (program == 0)
        pty_exec(s, inner);
    signal(SIGHUP, SIG_IGN);
    setpgid(program, program);
    if (write(tell, &program, sizeof program) < 0)
        _exit(126);
    while (waitpid(program, &status, 0) != program)
        continue;
    signal(SIGABRT, SIG_DFL);
    if (WIFSIGNALED(status))
        _exit(128 + WTERMSIG(status)); /* as shells say it */
    _exit(WEXITSTATUS(status));
}

static inline void pty_open(struct pty *p, const struct pty_start *s)
{
    int tell[2];
    *p = (struct pty){.said = calloc(1, PTY_BYTES + 1)};
    p->outer = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    assert_true(p->said && p->outer >= 0 && !grantpt(p->outer) && !unlockpt(p->outer));
    p->inner = open(ptsname(p->outer), O_RDWR | O_NOCTTY | O_CLOEXEC);
    assert_true(p->inner >= 0 && !tcgetattr(p->inner, &p->before));
    if (s->is_deaf) {
        p->before.c_lflag &= ~(tcflag_t)ISIG;
        p->before.c_iflag &= ~(tcflag_t)IXON;
        assert_int_equal(tcsetattr(p->inner, TCSANOW, &p->before), 0);
    }
    pty_resize(p, s->columns ? s->columns : 80, s->rows ? s->rows : 24);
    assert_int_equal(pipe(tell), 0);
    p->shell = fork();
    assert_true(p->shell >= 0);
    if (p->shell == 0)
        pty_shell(p, s, tell[1]);
    close(tell[1]);
    assert_int_equal(read(tell[0], &p->program, sizeof p->program), sizeof p->program);
    close(tell[0]);
}

/* 'R', 'S', 'T' (stopped), 'Z' and so on, or 0 when it is gone. */
static inline char pty_state(const struct pty *p)
{
    char path[64], line[256], state = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)p->program);
    FILE *f = fopen(path, "r");
    const char *end = f && fgets(line, sizeof line, f) ? strrchr(line, ')') : NULL;
    if (end)
        state = end[2];
    if (f)
        fclose(f);
    return state;
}

static inline bool pty_has_ended(const struct pty *p)
{
    char state = pty_state(p);
    return state == 0 || state == 'Z';
}

/* -- the terminal's end -- */

/* Takes what has been written; false: nothing came in time. When there is no more room the
 * first half is forgotten. */
static inline bool pty_listen(struct pty *p, int ms)
{
    struct pollfd fd = {p->outer, POLLIN, 0};
    if (poll(&fd, 1, ms) <= 0)
        return false;
    if (p->n > PTY_BYTES / 2) {
        p->n -= PTY_BYTES / 4;
        memmove(p->said, p->said + PTY_BYTES / 4, p->n + 1);
    }
    ssize_t n = read(p->outer, p->said + p->n, PTY_BYTES - p->n);
    p->n += n > 0 ? (size_t)n : 0;
    p->said[p->n] = '\0';
    return n > 0;
}

static inline bool pty_said_since(const struct pty *p, size_t from, const char *what)
{
    return memmem(p->said + from, p->n - from, what, strlen(what)) != NULL;
}

/* Of what is written after `from` bytes. */
static inline void pty_wait_for(struct pty *p, size_t from, const char *what)
{
    double until = pty_now_ms() + PTY_PATIENCE_MS;
    while (!pty_said_since(p, from, what) && pty_now_ms() < until)
        pty_listen(p, 50);
    if (!pty_said_since(p, from, what))
        fail_msg("never said %s, but %zu bytes: %s", what, p->n - from, p->said + from);
}

/* Until nothing has come for so long. */
static inline void pty_settle(struct pty *p, int ms)
{
    while (pty_listen(p, ms))
        continue;
}

/* Types it, listening as a terminal does; once the program has ended, for nobody. */
static inline void pty_type(struct pty *p, const void *bytes, size_t n)
{
    const char *at = bytes;
    double until = pty_now_ms() + 6 * PTY_PATIENCE_MS;
    while (n && pty_now_ms() < until) {
        ssize_t here = write(p->outer, at, n < 512 ? n : 512);
        if (here > 0) {
            at += here;
            n -= (size_t)here;
        } else if (pty_has_ended(p))
            return;
        else if (pty_state(p) == 'T') /* by what was typed before */
            kill(p->program, SIGCONT);
        pty_listen(p, here > 0 ? 0 : 5);
    }
    assert_int_equal(n, 0);
}

static inline void pty_keys(struct pty *p, const char *keys)
{
    pty_type(p, keys, strlen(keys));
}

/* -- how it was left -- */

/* Whether the last word about the mode, ESC [ ? NUMBER h or l, was h. */
static inline bool pty_mode_is_set(const struct pty *p, const char *number, bool before)
{
    bool is_set = before;
    char introducer[16];
    size_t length = (size_t)snprintf(introducer, sizeof introducer, "\033[?%s", number);
    for (const char *at = p->said, *end = p->said + p->n;
         (at = memmem(at, (size_t)(end - at), introducer, length)); at += length)
        if (at[length] == 'h' || at[length] == 'l')
            is_set = at[length] == 'h';
    return is_set;
}

/* The other screen, the mouse, pasting in brackets, frames held back; the cursor and the
 * wrapping, which are on elsewhere. */
static inline bool pty_is_taken(const struct pty *p)
{
    return pty_mode_is_set(p, "1049", false) && pty_mode_is_set(p, "1002", false) &&
           pty_mode_is_set(p, "1006", false) && pty_mode_is_set(p, "2004", false) &&
           !pty_mode_is_set(p, "25", true) && !pty_mode_is_set(p, "7", true);
}

static inline bool pty_is_given_back(const struct pty *p)
{
    return !pty_mode_is_set(p, "1049", false) && !pty_mode_is_set(p, "1002", false) &&
           !pty_mode_is_set(p, "1006", false) && !pty_mode_is_set(p, "2004", false) &&
           !pty_mode_is_set(p, "2026", false) && pty_mode_is_set(p, "25", true) &&
           pty_mode_is_set(p, "7", true);
}

static inline bool pty_has_settings_of_before(const struct pty *p)
{
    struct termios now;
    assert_int_equal(tcgetattr(p->inner, &now), 0);
    return now.c_iflag == p->before.c_iflag && now.c_oflag == p->before.c_oflag &&
           now.c_cflag == p->before.c_cflag && now.c_lflag == p->before.c_lflag &&
           !memcmp(now.c_cc, p->before.c_cc, sizeof now.c_cc);
}

/* What it wrote last may still be on its way through the kernel. */
static inline void pty_assert_given_back(struct pty *p)
{
    double until = pty_now_ms() + PTY_PATIENCE_MS;
    while (!pty_is_given_back(p) && pty_now_ms() < until)
        pty_listen(p, 10);
    if (!pty_is_given_back(p))
        fail_msg("a mode of the terminal was left set");
    if (!pty_has_settings_of_before(p))
        fail_msg("the settings of the terminal were not put back");
}

/* -- the program -- */

static inline void pty_wait_for_state(struct pty *p, char state)
{
    double until = pty_now_ms() + PTY_PATIENCE_MS;
    while (pty_state(p) != state && pty_now_ms() < until)
        pty_listen(p, 10);
    assert_int_equal(pty_state(p), state);
}

/* Of the program: its exit status, or 128 and the signal it died of. It has so long. */
static inline int pty_end_within(struct pty *p, int ms)
{
    int status;
    double until = pty_now_ms() + ms;
    while (waitpid(p->shell, &status, WNOHANG) == 0) {
        if (pty_now_ms() > until) {
            kill(p->program, SIGKILL);
            fail_msg("it has not ended after %d ms", ms);
        }
        pty_listen(p, 5);
    }
    p->shell = 0;
    pty_settle(p, 0);
    return WEXITSTATUS(status);
}

static inline int pty_end(struct pty *p)
{
    return pty_end_within(p, PTY_PATIENCE_MS);
}

static inline void pty_close(struct pty *p)
{
    if (p->shell > 0) {
        kill(p->program, SIGKILL);
        kill(p->shell, SIGKILL);
        waitpid(p->shell, NULL, 0);
    }
    if (p->outer >= 0)
        close(p->outer);
    if (p->inner >= 0)
        close(p->inner);
    free(p->said);
}

#endif
