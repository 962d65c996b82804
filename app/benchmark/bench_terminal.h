/* A terminal that nobody looks at: a pseudo-terminal, and a thread that reads what is
 * drawn, as a terminal would, and types. While it is open it is this process's standard
 * input, and TERM and what else chooses colours is set for it.
 *
 * One at a time, opened and closed by the main thread. */
#ifndef APP_BENCH_TERMINAL_H
#define APP_BENCH_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

struct bench_terminal;

/* NULL: the system has no more of them, or no memory; errno may say. */
struct bench_terminal *bench_terminal_open(int columns, int rows);
void bench_terminal_close(struct bench_terminal *t); /* NULL is fine */

/* The end that is drawn to; the terminal's. */
int bench_terminal_fd(const struct bench_terminal *t);
size_t bench_terminal_n_bytes(const struct bench_terminal *t); /* drawn so far */

/* From now on, or no more: a key every 20 ms, l and h in turn, but none before the last
 * one was seen. */
void bench_terminal_type(struct bench_terminal *t, bool types);
/* One key. Not while it types by itself. */
void bench_terminal_press(struct bench_terminal *t, char key);
/* Monotonic seconds when the key was pressed that has not been seen; 0: there is none.
 * With this it has been. */
double bench_terminal_see_key(struct bench_terminal *t);

#endif
