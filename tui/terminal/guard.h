/* Puts the terminal back when the program crashes.
 *
 * While armed, signals that end it at once, in any thread, write the leaving sequences and the
 * old terminal settings with async-signal-safe calls, then the signal goes on to
 * whoever had it before: a sanitizer's report, a core dump. One terminal. */
#ifndef TUI_GUARD_H
#define TUI_GUARD_H

#include <termios.h>

/* `leave` is borrowed until guard_disarm. Armed already, it is armed with these instead. */
void guard_arm(int input_fd, int output_fd, const struct termios *old,
               const char *leave);
void guard_disarm(void);

#endif
