/* A terminal that nobody sees: a pseudo-terminal, and a thread that reads what is drawn, as a
 * terminal would, and types. While it is open it is this process's standard input; TERM and
 * the other variables that choose colours are set for it.
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

/* The descriptor to draw to; the terminal owns it. */
int bench_terminal_fd(const struct bench_terminal *t);
size_t bench_terminal_n_bytes(const struct bench_terminal *t); /* drawn so far */

/* Starts or stops typing: l and h in turn every 20 ms, but no key before the last was seen. */
void bench_terminal_type(struct bench_terminal *t, bool types);
/* Presses one key. Not while it types by itself. */
void bench_terminal_press(struct bench_terminal *t, char key);
/* When the key that is not seen yet was pressed, in monotonic seconds; 0: there is none. Marks
 * it as seen. */
double bench_terminal_see_key(struct bench_terminal *t);

#endif
