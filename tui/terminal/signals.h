/* Signals of terminal and shell as bytes in a pipe that can be polled: a new size, a
 * stop from outside, and being continued; and crashes, which restore the terminal. One
 * watcher and one terminal at a time. UI thread only. */
#ifndef TUI_SIGNALS_H
#define TUI_SIGNALS_H

#include <stdbool.h>
#include <termios.h>

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

/* While armed, a fatal signal in any thread writes `leave` and the old terminal settings
 * with async-signal-safe calls. Then the signal goes to its former handler: a sanitizer's
 * report or a core dump. `leave` is borrowed until guard_disarm. A second call replaces
 * the first. */
void guard_arm(int input_fd, int output_fd, const struct termios *old,
               const char *leave);
void guard_disarm(void);

#endif
