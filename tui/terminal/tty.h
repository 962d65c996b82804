/* Output to the terminal that never waits, and flow control.
 *
 * A slow terminal must not make the program wait, nor show old states. Bytes that it does
 * not take stay here, and until they are written no frame is made: frames are skipped,
 * not queued. The system's buffers hide a slow link, so each frame ends with a question
 * (ECMA-48 DSR, CSI 5 n), which the terminal answers when it has read so far. While two
 * frames are unanswered, no other is made: one is on its way while the terminal reads the
 * other. A terminal that never answers is not waited for.
 *
 * Times are monotonic milliseconds, so that a test can have its own clock. UI thread
 * only. */
#ifndef TUI_TTY_H
#define TUI_TTY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TTY_MOST_ASKED = 2 };

struct tty {
    int fd;
    bool is_own; /* fd was opened here */

    char *left; /* bytes sent but not yet written */
    size_t n_left, cap_left;

    bool answers; /* it answered the last question that it had time for */
    int n_asked;  /* unanswered questions */
    size_t asked[TTY_MOST_ASKED]; /* bytes before each of them, the oldest first */
    int64_t asked_ms;             /* when the terminal had the oldest one to read */
};

/* Writes through a descriptor of its own if possible: the flags of `fd`, which is
 * borrowed, are shared with the shell. */
void tty_open(struct tty *l, int fd);
/* Writes what is left for timeout_ms at most. */
void tty_close(struct tty *l, int timeout_ms);

/* Whether a frame may be made. */
bool tty_is_ready(const struct tty *l, int64_t now_ms);
/* Writes the bytes; those that the terminal does not take now wait in `left`. */
void tty_send(struct tty *l, const char *bytes, size_t n, int64_t now_ms);
/* Writes bytes that are left. */
void tty_flush(struct tty *l);
/* Call when the terminal has answered. */
void tty_answered(struct tty *l, int64_t now_ms);
/* Asks without a frame, as after opening. */
void tty_ask(struct tty *l, int64_t now_ms);

#endif
