/* Signals of terminal and shell as bytes in a pipe that can be polled: a new size, a
 * stop from outside, and being continued. For crashes see tui/terminal/guard.h. One
 * watcher at a time. UI thread only. */
#ifndef TUI_SIGNALS_H
#define TUI_SIGNALS_H

#include <stdbool.h>

enum {
    SIGNALS_ANY = 1, /* set for each of them: the size may have changed */
    SIGNALS_STOP = 2,
    SIGNALS_CONTINUED = 4,
};

bool signals_open(void);  /* false: no pipe; nothing is watched */
void signals_close(void); /* restores the former handlers */
int signals_fd(void);     /* for poll */
/* The signals since the last call; 0: none. Never waits. */
int signals_read(void);
/* Stops as a shell job does; returns when continued. signals_read does not report
 * it. */
void signals_stop_here(void);

#endif
