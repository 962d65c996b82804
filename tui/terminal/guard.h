/* Restores the terminal when the program crashes.
 *
 * While armed, a fatal signal in any thread writes the leaving sequences and the old
 * terminal settings with async-signal-safe calls. Then the signal goes to its former
 * handler: a sanitizer's report or a core dump. One terminal at a time. */
#ifndef TUI_GUARD_H
#define TUI_GUARD_H

#include <termios.h>

/* `leave` is borrowed until guard_disarm. A second call replaces the first. */
void guard_arm(int input_fd, int output_fd, const struct termios *old,
               const char *leave);
void guard_disarm(void);

#endif
