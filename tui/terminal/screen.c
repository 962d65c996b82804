/* The terminal. Input is raw bytes, parsed by tui/keys/key_reader.c. Output is made by
 * tui/cells/emit.c and sent by tui/terminal/tty.c, which never waits. Signals arrive
 * through tui/terminal/signals.c. */
#include "tui/terminal/screen.h"

#include "midi/base/clock.h"
#include "tui/cells/emit.h"
#include "tui/terminal/frame.h"
#include "tui/terminal/tty.h"
#include "tui/terminal/look.h"
#include "tui/terminal/signals.h"

#include <errno.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

enum {
    ESCAPE_MS = 25,
    LEAVE_MS = 500, /* for the terminal to take the last bytes and to answer */
    RETRY_MS = 40,  /* between checks whether a silent terminal is lost */
};

struct screen {
    int input_fd, output_fd;
    struct termios old, raw;
    struct look look;
    struct cells cells;
    struct emit emit;
    struct tty tty;
    bool due; /* a frame is missing: the terminal was behind, or colours changed */
    struct key_reader reader;
    double read_ms; /* when the last of the reader's bytes were read */
    bool idle;      /* they have waited long enough */
    bool hung_up;   /* the terminal is closed */
};

static void change_look(struct screen *s, const char *name, bool is_light)
{
    if (!look_set(&s->look, name, is_light))
        return;
    s->emit.depth = s->look.theme.depth;
    s->emit.whole = s->due = true; /* the next frame has other colours everywhere */
}

void screen_set_theme(struct screen *s, const char *name)
{
    change_look(s, name, s->look.is_light);
}

/* The alternate screen without a cursor and without wrapping at the right edge; SGR mouse
 * with dragging; bracketed paste. A terminal ignores the private modes that it lacks. */
static const char ENTER[] =
    "\033[?1049h\033[?25l\033[?7l\033[?1002h\033[?1006h\033[?2004h";
static const char LEAVE[] =
    "\033[?2026l\033[?2004l\033[?1006l\033[?1002l\033[0m\033[?7h"
    "\033[?25h\033[?1049l";
static const char ASK_BACKGROUND[] = "\033]11;?\033\\";

static void enter_screen(struct screen *s)
{
    const char *term = getenv("TERM");
    tcsetattr(s->input_fd, TCSAFLUSH, &s->raw);
    guard_arm(s->input_fd, s->output_fd, &s->old, LEAVE);
    tty_open(&s->tty, s->output_fd);
    tty_send(&s->tty, ENTER, sizeof ENTER - 1, clock_whole_ms());
    /* The Linux console would print this question. */
    if (term && strncmp(term, "linux", 5) != 0)
        tty_send(&s->tty, ASK_BACKGROUND, sizeof ASK_BACKGROUND - 1, clock_whole_ms());
    tty_ask(&s->tty, clock_whole_ms());
    s->emit.whole = true;
}

static void leave_screen(struct screen *s)
{
    struct key key;
    struct pollfd input = {s->input_fd, POLLIN, 0};
    struct key_reader *r = &s->reader;
    ssize_t n = 1;
    tty_send(&s->tty, LEAVE, sizeof LEAVE - 1, clock_whole_ms());
    /* Reads answers that are on their way, so that the shell does not get them. */
    while (n > 0 && s->tty.answers && s->tty.n_asked && poll(&input, 1, LEAVE_MS) > 0) {
        n = read(s->input_fd, r->bytes + r->n, sizeof r->bytes - r->n);
        r->n += n > 0 ? (size_t)n : 0;
        while (key_reader_next(r, false, &key))
            if (key.code == K_ANSWER)
                tty_answered(&s->tty, clock_whole_ms());
    }
    tty_close(&s->tty, LEAVE_MS);
    tcsetattr(s->input_fd, TCSAFLUSH, &s->old);
    guard_disarm();
}

struct screen *screen_open(int output_fd)
{
    int columns, rows;
    struct screen *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->input_fd = STDIN_FILENO;
    s->output_fd = output_fd;
    setlocale(LC_CTYPE, "");
    screen_size(s, &columns, &rows);
    if (tcgetattr(s->input_fd, &s->old) || !isatty(output_fd) ||
        !look_init(&s->look, output_fd) || !cells_init(&s->cells, columns, rows) ||
        !signals_open()) {
        cells_fini(&s->cells);
        free(s);
        return NULL;
    }
    emit_init(&s->emit, s->look.theme.depth);
    s->raw = s->old;
    cfmakeraw(&s->raw);
    s->raw.c_cc[VMIN] = 0; /* read after poll never waits */
    s->raw.c_cc[VTIME] = 0;
    enter_screen(s);
    return s;
}

void screen_close(struct screen *s)
{
    if (!s)
        return;
    leave_screen(s);
    signals_close();
    emit_fini(&s->emit);
    cells_fini(&s->cells);
    free(s);
}

void screen_size(const struct screen *s, int *columns, int *rows)
{
    struct winsize size = {0};
    bool known = !ioctl(s->output_fd, TIOCGWINSZ, &size) && size.ws_col && size.ws_row;
    *columns = known ? size.ws_col : 80;
    *rows = known ? size.ws_row : 24;
    *columns = *columns < CELLS_MAX ? *columns : CELLS_MAX;
    *rows = *rows < CELLS_MAX ? *rows : CELLS_MAX;
}

size_t screen_draw_view(struct screen *s, const struct view *v)
{
    int columns, rows;
    s->emit.whole |= v->is_sent_whole;
    screen_size(s, &columns, &rows);
    bool fits = columns == s->cells.columns && rows == s->cells.rows;
    if (!fits && !cells_resize(&s->cells, columns, rows))
        return 0;
    s->due = !tty_is_ready(&s->tty, clock_whole_ms());
    if (s->due)
        return 0;
    frame_draw(&s->cells, v, &s->look.theme);
    size_t n = emit_frame(&s->emit, &s->cells);
    if (n)
        tty_send(&s->tty, s->emit.bytes, n, clock_whole_ms());
    return n;
}

bool screen_is_behind(const struct screen *s)
{
    return s->due;
}

int screen_wait(struct screen *s, int wake_fd, int timeout_ms)
{
    struct pollfd fds[] = {{s->hung_up ? -1 : s->input_fd, POLLIN, 0},
                           {wake_fd, POLLIN, 0},
                           {signals_fd(), POLLIN, 0},
                           {s->tty.n_left ? s->tty.fd : -1, POLLOUT, 0}};
    const int again_ms = tty_is_ready(&s->tty, clock_whole_ms()) ? 0 : RETRY_MS;
    if (s->due && (timeout_ms < 0 || timeout_ms > again_ms))
        timeout_ms = again_ms;
    /* Half a key is waited for only as long as a terminal needs to send the rest. */
    if (s->reader.n > 0 && (timeout_ms < 0 || timeout_ms > ESCAPE_MS))
        timeout_ms = ESCAPE_MS;
    const int ready = poll(fds, 4, timeout_ms);
    if (ready > 0 && fds[3].revents)
        tty_flush(&s->tty);
    int flags = s->due && tty_is_ready(&s->tty, clock_whole_ms()) ? SCREEN_FREE : 0;
    if (ready == 0 && s->reader.n > 0) {
        s->idle = true;
        return SCREEN_KEYS;
    }
    if (ready <= 0)
        return flags;
    const int came = fds[2].revents ? signals_read() : 0;
    if (came & SIGNALS_STOP) { /* as a shell job; goes on when continued */
        leave_screen(s);
        signals_stop_here();
        enter_screen(s);
    } else if (came & SIGNALS_CONTINUED) { /* after a SIGSTOP the shell has used it */
        tty_close(&s->tty, 0);
        enter_screen(s);
    }
    flags |= (came ? SCREEN_RESIZED : 0) | (fds[1].revents ? SCREEN_WOKEN : 0);
    if (!fds[0].revents)
        return flags;
    struct key_reader *r = &s->reader;
    const ssize_t n = read(s->input_fd, r->bytes + r->n, sizeof r->bytes - r->n);
    s->idle = false;
    if (n > 0) {
        r->n += (size_t)n;
        s->read_ms = clock_now_ms();
        return flags | SCREEN_KEYS;
    }
    const bool has_failed = n < 0 && errno != EAGAIN && errno != EINTR;
    s->hung_up = has_failed || (fds[0].revents & (POLLHUP | POLLERR | POLLNVAL));
    return s->hung_up ? flags | SCREEN_GONE : flags;
}

bool screen_read(struct screen *s, struct key *out)
{
    while (key_reader_next(&s->reader, s->idle, out)) {
        out->ms = s->read_ms;
        if (out->code == K_BACKGROUND)
            change_look(s, s->look.name, out->column > 127);
        else if (out->code == K_ANSWER)
            tty_answered(&s->tty, clock_whole_ms());
        else if (out->code == KEY_CTRL('Z') && !out->pasted) {
            raise(SIGTSTP); /* as from outside; keys behind it wait */
            return false;
        } else
            return true;
    }
    return false;
}
