/* When the terminal's input arrived, however late it is read: of two keys that a busy program
 * reads at once, each has its own time. A thread of its own notes it; it reads nothing. */
#ifndef TUI_ARRIVALS_H
#define TUI_ARRIVALS_H

#include <stddef.h>
#include <stdint.h>

struct arrivals;

/* Ui thread, all of it. NULL: the system gives no more; times are then those of reading. */
struct arrivals *arrivals_open(int input_fd);
void arrivals_close(struct arrivals *a); /* NULL is fine */

/* So many bytes more were read. */
void arrivals_read(struct arrivals *a, size_t n);
/* When the byte came that has `unused` bytes before the end of what was read, itself among
 * them; asked in their order. `read_ms` is when they were read (midi/base/clock.h). */
double arrivals_ms(struct arrivals *a, size_t unused, double read_ms);

#endif
