/* The terminal: opened, sized, read, written, and always put back.
 *
 * One screen at a time, because signals and crashes must find it. Raw mode: every
 * key reaches the program, Ctrl-C, Ctrl-S, Ctrl-Q too; only Ctrl-Z suspends.
 * Crashes and what else ends a process (tui/terminal/guard.h) restore the terminal before
 * the process dies of them; SIGTERM, SIGHUP and SIGINT are app's to turn into
 * screen_close. UI thread only. */
#ifndef TUI_SCREEN_H
#define TUI_SCREEN_H

#include "tui/cells/cells.h"
#include "tui/keys/keys.h"
#include "tui/cells/theme.h"
#include "tui/view/view.h"

struct screen;

/* Reads descriptor 0 and writes output_fd, which stays the caller's: a copy of 1
 * when that goes to a log. NULL: one is no terminal, TERM is unknown or cannot
 * place the cursor, or memory is out. CONTINUO_THEME, a theme's name, decides the
 * colours; else the terminal is asked for its background. */
struct screen *screen_open(int output_fd);
void screen_close(struct screen *s); /* NULL is fine */

void screen_size(const struct screen *s, int *columns, int *rows);

/* Paints the view and sends what changed since the last frame; returns its bytes. While
 * the terminal is behind (tui/base/line.h) it paints nothing: screen_wait says SCREEN_FREE
 * when the view may be drawn. */
size_t screen_draw_view(struct screen *s, const struct view *v);
/* The newest view was not drawn, because the terminal is behind. */
bool screen_is_behind(const struct screen *s);
/* By name (tui/cells/theme.h); "auto": the terminal is asked. From the next frame on. */
void screen_set_theme(struct screen *s, const char *name);
void screen_redraw(struct screen *s); /* the next frame is sent whole */

enum {
    SCREEN_KEYS = 1,
    SCREEN_WOKEN = 2,
    SCREEN_RESIZED = 4,
    SCREEN_GONE = 8,
    SCREEN_FREE = 16, /* a frame that was left out can be drawn */
};
/* Waits until a key, a byte on wake_fd (-1: none; not read here), a new size, or
 * the time is up (-1: for ever). Returns flags; 0 on timeout. SCREEN_GONE: the
 * terminal has hung up. After a suspension it reports SCREEN_RESIZED. */
int screen_wait(struct screen *s, int wake_fd, int timeout_ms);
/* The next key that has arrived; false: none. Call until false after SCREEN_KEYS. */
bool screen_read(struct screen *s, struct key *out);

#endif
