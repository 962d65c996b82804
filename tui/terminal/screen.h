/* The terminal: open it, read keys, draw views, and restore it in every case.
 *
 * One screen at a time, because signals and crashes must find it. In raw mode every key
 * reaches the program, Ctrl-C, Ctrl-S and Ctrl-Q, too; only Ctrl-Z suspends. Crashes
 * restore the terminal before the process dies (tui/terminal/signals.h). On SIGTERM,
 * SIGHUP and SIGINT app calls screen_close. UI thread only. */
#ifndef TUI_SCREEN_H
#define TUI_SCREEN_H

#include "tui/keys/keys.h"
#include "tui/view/view.h"

struct screen;

/* Reads descriptor 0 and writes output_fd, which stays the caller's: a copy of 1 if that
 * goes to a log. CONTINUO_THEME chooses the colours; else the terminal is queried for its
 * background. NULL: one of them is no terminal, TERM is unknown or cannot place the cursor,
 * or memory is out. */
struct screen *screen_open(int output_fd);
void screen_close(struct screen *s); /* NULL is fine */

void screen_size(const struct screen *s, int *columns, int *rows);

/* Paints the view and sends what changed since the last frame. Returns the bytes sent.
 * While the terminal is behind (tui/terminal/tty.h) it does nothing; screen_wait then
 * reports SCREEN_FREE when a view can be drawn. */
size_t screen_draw_view(struct screen *s, const struct view *v);
/* Whether the newest view is not painted yet because the terminal is behind. */
bool screen_is_behind(const struct screen *s);
/* Sets a theme by name (tui/cells/theme.h) from the next frame on; "auto" queries the
 * terminal. */
void screen_set_theme(struct screen *s, const char *name);

enum {
    SCREEN_KEYS = 1,
    SCREEN_WOKEN = 2,
    SCREEN_RESIZED = 4,
    SCREEN_GONE = 8,
    SCREEN_FREE = 16, /* a frame that was left out can be painted */
};
/* Waits for a key, a byte on wake_fd (-1: none; it is not read here), a new size or the
 * timeout (-1: none). Returns flags; 0: timeout. SCREEN_GONE: the terminal has hung up.
 * After a suspension it reports SCREEN_RESIZED. */
int screen_wait(struct screen *s, int wake_fd, int timeout_ms);
/* Takes the next key that has arrived. false: none. After SCREEN_KEYS call it until
 * false. */
bool screen_read(struct screen *s, struct key *out);

#endif
