/* The real program at a terminal of the test's own, as a job of a shell's, in the tests' folder
 * (own_folder.h): what it writes is kept, and shown on a screen; the modes and settings that it
 * leaves the terminal in can be asked; it can be stopped, hung up on, or not listened to. Its
 * keyboard and its instrument are those of tests/midi/ports/stand_in_portmidi.c, which plays the
 * file `script` once there is a file `go`. Include tests/check.h before it. */
#ifndef TESTS_APP_TERMINAL_H
#define TESTS_APP_TERMINAL_H

#include "midi/base/clock.h"
#include "tests/app/own_folder.h"
#include "tui/base/text.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>

enum { PATIENCE_MS = 20000, SAID_BYTES = 1 << 22, MOST_SCREEN = 256 };

static struct {
    int outer, inner;      /* inner is held, so that settings outlive the program */
    struct termios before; /* the program was there */
    pid_t shell, program;
    char line[1024]; /* that was run */
    char *said;      /* [SAID_BYTES + 1] all that was written, NUL-terminated */
    size_t n;
    size_t n_shown; /* of these, on the screen: */
    uint32_t screen[MOST_SCREEN][MOST_SCREEN];
    int column, row;
} term = {.outer = -1, .inner = -1};

static inline void term_resize(int columns, int rows)
{
    struct winsize size = {.ws_col = (unsigned short)columns,
                           .ws_row = (unsigned short)rows};
    assert_ok(ioctl(term.outer, TIOCSWINSZ, &size));
}

/* -- beginning -- */

static inline void term_set_environment(void)
{
    static const char *const OURS[] = {"HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME",
                                       "XDG_DATA_HOME"};
    for (size_t i = 0; i < sizeof OURS / sizeof *OURS; i++)
        setenv(OURS[i], folder, 1);
    setenv("C", getenv("CONTINUO_BIN"), 1);
    setenv("LC_ALL", "C.UTF-8", 1);
    setenv("TERM", "xterm-256color", 1);
    unsetenv("COLORTERM");
    setenv("CONTINUO_KEYBOARD", in_folder("script"), 1);
    setenv("CONTINUO_KEYBOARD_GO", in_folder("go"), 1);
    setenv("CONTINUO_INSTRUMENT", in_folder("sent"), 1);
    setenv("CONTINUO_SOUNDFONT", getenv("CONTINUO_TEST_SOUNDFONT"), 1);
    setenv("LD_LIBRARY_PATH", getenv("CONTINUO_STANDIN"), 1);
}

/* The job itself: in front, with the terminal as its three descriptors. */
static inline void term_exec(const char *line, int inner)
{
    setpgid(0, 0);
    signal(SIGTTOU, SIG_IGN);
    tcsetpgrp(inner, getpid());
    signal(SIGTTOU, SIG_DFL);
    term_set_environment();
    if (chdir(folder))
        _exit(127);
    for (int fd = 0; fd < 3; fd++)
        dup2(inner, fd);
    execl("/bin/sh", "sh", "-c", line, NULL);
    _exit(127);
}

/* Leads the session, as a shell does, and ends as the job ended; a hang-up is the job's to
 * notice. */
static inline void term_shell(const char *line, int tell)
{
    int status;
    setsid();
    int inner = open(ptsname(term.outer), O_RDWR | O_CLOEXEC);
    close(term.outer); /* so that the test's closing hangs up */
    close(term.inner);
    pid_t program = fork();
    if (program == 0)
        term_exec(line, inner);
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

static inline void term_open(int columns, int rows)
{
    if (!getenv("CONTINUO_BIN") || !getenv("CONTINUO_STANDIN"))
        fail_msg("CONTINUO_BIN is not set: run through make test");
    free(term.said);
    memset(&term, 0, sizeof term);
    term.said = calloc(1, SAID_BYTES + 1);
    term.outer = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    assert_true(term.said && term.outer >= 0 && !grantpt(term.outer) &&
                !unlockpt(term.outer));
    term.inner = open(ptsname(term.outer), O_RDWR | O_NOCTTY | O_CLOEXEC);
    assert_true(term.inner >= 0 && !tcgetattr(term.inner, &term.before));
    term_resize(columns, rows);
}

/* A line of the shell, whose last is the program, $C: "exec $C song.mid". */
static inline void term_run(const char *line)
{
    int tell[2];
    snprintf(term.line, sizeof term.line, "%s", line);
    assert_ok(pipe(tell));
    term.shell = fork();
    assert_true(term.shell >= 0);
    if (term.shell == 0)
        term_shell(line, tell[1]);
    close(tell[1]);
    assert_int_equal(read(tell[0], &term.program, sizeof term.program),
                     sizeof term.program);
    close(tell[0]);
}

/* 'R', 'S', 'T' (stopped), 'Z' and so on, or 0 when it is gone. */
static inline char term_state(void)
{
    char line[256], state = 0;
    FILE *f = fopen(formatted("/proc/%d/stat", (int)term.program), "r");
    const char *end = f && fgets(line, sizeof line, f) ? strrchr(line, ')') : NULL;
    if (end)
        state = end[2];
    if (f)
        fclose(f);
    return state;
}

static inline bool term_has_ended(void)
{
    char state = term_state();
    return state == 0 || state == 'Z';
}

/* -- the terminal's end -- */

/* Obeys a sequence. Returns its bytes, of n that are there; 0: it is cut. */
static inline size_t term_obey(const char *at, size_t n)
{
    size_t i = 2;
    int a = 1, b = 1;
    const bool is_control = n > 1 && at[1] == '[';
    if (n > 1 && at[1] != '[' && at[1] != ']')
        return 2;
    while (i < n && (is_control ? at[i] < '@' : at[i] != '\007' && at[i] != '\\'))
        i++;
    if (i >= n)
        return 0;
    sscanf(at + 2, "%d;%d", &a, &b);
    if (is_control && at[i] == 'H') {
        term.row = a - 1;
        term.column = b - 1;
    }
    if (is_control && at[i] == 'C')
        term.column += a;
    if (is_control && at[i] == 'J')
        memset(term.screen, 0, sizeof term.screen);
    return i + 1;
}

static inline void term_show(void)
{
    for (size_t used; term.n_shown < term.n; term.n_shown += used) {
        const char *at = term.said + term.n_shown;
        uint32_t code = 0;
        used = *at == '\033' ? term_obey(at, term.n - term.n_shown)
                             : text_decode(at, term.n - term.n_shown, &code);
        if (!used)
            return;
        if (code >= ' ' && term.row < MOST_SCREEN && term.column < MOST_SCREEN - 2 &&
            text_width(code) > 0) {
            term.screen[term.row][term.column] = code;
            term.screen[term.row][term.column + 1] *= text_width(code) == 1;
            term.column += text_width(code);
        }
    }
}

/* Takes what has been written; false: nothing came in time. When there is no more room the
 * first part is forgotten. */
static inline bool term_listen(int ms)
{
    struct pollfd fd = {term.outer, POLLIN, 0};
    if (poll(&fd, 1, ms) <= 0)
        return false;
    if (term.n > SAID_BYTES / 2) {
        term.n -= SAID_BYTES / 4;
        term.n_shown -= SAID_BYTES / 4;
        memmove(term.said, term.said + SAID_BYTES / 4, term.n + 1);
    }
    ssize_t n = read(term.outer, term.said + term.n, SAID_BYTES - term.n);
    term.n += n > 0 ? (size_t)n : 0;
    term.said[term.n] = '\0';
    term_show();
    return n > 0;
}

/* Until then, listening as a terminal does. */
static inline void term_listen_until(double ms)
{
    for (double left; (left = ms - clock_now_ms()) > 0;)
        if (!term_listen((int)left + 1) && left > 1)
            sleep_ms(1);
}

/* Listens until it holds, or for so long; whether it holds. */
#define TERM_WAIT(condition, ms)                                                       \
    ({                                                                                 \
        bool holds;                                                                    \
        const double until = clock_now_ms() + (ms);                                    \
        while (!(holds = (condition)) && clock_now_ms() < until)                       \
            term_listen(10);                                                           \
        holds;                                                                         \
    })

static inline bool said_since(size_t from, const char *what)
{
    return memmem(term.said + from, term.n - from, what, strlen(what)) != NULL;
}

/* The last that was written; bytes that are no text are written as \x1b. */
static inline const char *last_said(void)
{
    enum { LAST = 150 };
    static char text[4 * LAST + 1];
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = term.n > LAST ? term.n - LAST : 0; i < term.n; i++) {
        const unsigned char c = (unsigned char)term.said[i];
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 c < ' ' || c == 0x7F ? "\\x%02x" : "%c", c);
    }
    return text;
}

/* Of what is written after `from` bytes. */
static inline void wait_to_hear(size_t from, const char *what)
{
    if (!TERM_WAIT(said_since(from, what), PATIENCE_MS))
        fail_msg("%s\nnever said %s after byte %zu of %zu; at last: %s", term.line,
                 what, from, term.n, last_said());
}

static inline const char *screen_text(void)
{
    static char text[4 * MOST_SCREEN * (MOST_SCREEN + 1)];
    size_t n = 0;
    for (int row = 0; row < MOST_SCREEN; row++, text[n++] = '\n')
        for (int column = 0; column < MOST_SCREEN - 1; column++) {
            const uint32_t code = term.screen[row][column];
            n += text_encode(code ? code : ' ', text + n);
            column += code && text_width(code) == 2;
        }
    text[n] = '\0';
    return text;
}

static inline bool is_on_screen(const char *text)
{
    return strstr(screen_text(), text) != NULL;
}

static inline void wait_to_see(const char *text)
{
    if (!TERM_WAIT(is_on_screen(text), PATIENCE_MS))
        fail_msg("never saw %s, but: %s", text, screen_text());
}

/* Until nothing has come for so long. */
static inline void term_settle(int ms)
{
    while (term_listen(ms))
        continue;
}

/* Types it, listening; once the program has ended, for nobody. */
static inline void type_bytes(const void *bytes, size_t n)
{
    const char *at = bytes;
    double until = clock_now_ms() + 6 * PATIENCE_MS;
    while (n && clock_now_ms() < until) {
        ssize_t here = write(term.outer, at, n < 512 ? n : 512);
        if (here > 0) {
            at += here;
            n -= (size_t)here;
        } else if (term_has_ended())
            return;
        else if (term_state() == 'T') /* by what was typed before */
            kill(term.program, SIGCONT);
        term_listen(here > 0 ? 0 : 5);
    }
    assert_int_equal(n, 0);
}

static inline void type(const char *keys)
{
    type_bytes(keys, strlen(keys));
}

/* -- how it was left -- */

/* Whether the last word about the mode, ESC [ ? NUMBER h or l, was h. */
static inline bool mode_is_set(const char *number, bool before)
{
    bool is_set = before;
    char introducer[16];
    size_t length = (size_t)snprintf(introducer, sizeof introducer, "\033[?%s", number);
    for (const char *at = term.said, *end = term.said + term.n;
         (at = memmem(at, (size_t)(end - at), introducer, length)); at += length)
        if (at[length] == 'h' || at[length] == 'l')
            is_set = at[length] == 'h';
    return is_set;
}

/* The other screen, the mouse, pasting in brackets; the cursor and the wrapping, which are on
 * elsewhere. So many of the five are as the program has them. */
static inline int n_taken(void)
{
    return mode_is_set("1049", false) +
           (mode_is_set("1002", false) && mode_is_set("1006", false)) +
           mode_is_set("2004", false) + !mode_is_set("25", true) +
           !mode_is_set("7", true);
}

static inline bool has_settings_of_before(void)
{
    struct termios now;
    assert_ok(tcgetattr(term.inner, &now));
    return now.c_iflag == term.before.c_iflag && now.c_oflag == term.before.c_oflag &&
           now.c_cflag == term.before.c_cflag && now.c_lflag == term.before.c_lflag &&
           !memcmp(now.c_cc, term.before.c_cc, sizeof now.c_cc);
}

static inline void assert_taken(void)
{
    assert_int_equal(n_taken(), 5);
    assert_false(has_settings_of_before());
}

/* What it wrote last may still be on its way through the kernel. */
static inline void assert_given_back(void)
{
    if (!TERM_WAIT(!n_taken() && !mode_is_set("1002", false) &&
                       !mode_is_set("1006", false) && !mode_is_set("2026", false),
                   PATIENCE_MS))
        fail_msg("a mode of the terminal was left set");
    if (!has_settings_of_before())
        fail_msg("the settings of the terminal were not put back");
}

/* -- the program -- */

static inline void term_wait_for_state(char state)
{
    assert_true(TERM_WAIT(term_state() == state, PATIENCE_MS));
}

/* Its exit status, or 128 and the signal it died of. It has so long. */
static inline int end_within(int ms)
{
    int status;
    if (!TERM_WAIT(waitpid(term.shell, &status, WNOHANG), ms)) {
        kill(term.program, SIGKILL);
        fail_msg("%s\nhas not ended after %d ms; at last: %s", term.line, ms,
                 last_said());
    }
    term.shell = 0;
    term_settle(0);
    return WEXITSTATUS(status);
}

static inline void assert_ends_with(int status)
{
    const int was = end_within(PATIENCE_MS);
    if (was != status)
        fail_msg("%s\nended with %d, not %d; at last: %s", term.line, was, status,
                 last_said());
}

static inline int term_close(__attribute__((unused)) void **state)
{
    if (term.shell > 0) {
        kill(term.program, SIGKILL);
        kill(term.shell, SIGKILL);
        waitpid(term.shell, NULL, 0);
    }
    if (term.outer >= 0)
        close(term.outer);
    if (term.inner >= 0)
        close(term.inner);
    free(term.said);
    memset(&term, 0, sizeof term);
    term.outer = term.inner = -1;
    return 0;
}

#endif
