/* The line to the terminal: writing that never waits, and how much may be on the way.
 *
 * A terminal that does not take its bytes, or is at the end of a slow link, must not make
 * the program wait, nor show what was true long ago. So what could not be written stays
 * here, and while it does no frame is made: frames are left out, not queued. The system's
 * own buffers, which hide a slow link, are seen through by asking: with what is sent goes
 * the question how the terminal is (ECMA-48 DSR, CSI 5 n), which it answers when it has
 * read so far. While more than a window is unanswered no frame is made either; the window
 * shrinks to what arrives in time when answers take longer than they once did, after
 * Brakmo and Peterson's TCP Vegas (1995). A terminal that never answers is not waited for.
 *
 * Times are monotonic milliseconds, so that a test can have a clock of its own. UI thread
 * only. */
#ifndef TUI_LINE_H
#define TUI_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct line {
    int fd;
    bool is_own; /* fd was opened here */

    char *left; /* of what was sent, not written yet */
    size_t n_left, cap_left;

    bool answers;  /* it has, to the last question */
    bool is_asked; /* a question is on the way */
    uint64_t sent,
        covered;       /* bytes in all; before the question that was answered last */
    uint64_t asked_at; /* bytes before the question on the way */
    int64_t asked_ms;
    int64_t best_ms; /* the quickest answer; negative: none yet */
    size_t window;
};

/* Writes through a descriptor of its own where it can have one, since whether writing
 * waits is shared with the shell's. `fd` is borrowed. */
void line_open(struct line *l, int fd);
/* Gives the terminal patience_ms to take what is left. */
void line_close(struct line *l, int patience_ms);

/* Whether a frame may be made. */
bool line_is_free(const struct line *l, int64_t now_ms);
/* Sends all of it, or keeps what the terminal does not take now. */
void line_send(struct line *l, const char *bytes, size_t n, int64_t now_ms);
/* Goes on with what is left. */
void line_flush(struct line *l);
/* The terminal has answered. */
void line_answered(struct line *l, int64_t now_ms);
/* To ask without a frame, as when the terminal was just opened. */
void line_ask(struct line *l, int64_t now_ms);

#endif
