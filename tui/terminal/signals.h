/* What the terminal and the shell tell by signals, as bytes of a pipe that can be polled:
 * a new size, Ctrl-Z from outside, and being continued. Crashes are tui/terminal/guard.h's. One
 * watcher at a time, because signals must find it. UI thread only. */
#ifndef TUI_SIGNALS_H
#define TUI_SIGNALS_H

#include <stdbool.h>

enum {
    SIGNALS_ANY = 1, /* after any of them the size may be another */
    SIGNALS_STOP = 2,
    SIGNALS_CONTINUED = 4,
};

bool signals_open(void);  /* false: no pipe could be had, and nothing is watched */
void signals_close(void); /* who had the signals before has them again */
int signals_fd(void);     /* to be polled */
/* What has come since the last call; 0: nothing. Never waits. */
int signals_read(void);
/* Stops as a shell job does; returns when continued, which signals_read does not tell. */
void signals_stop_here(void);

#endif
