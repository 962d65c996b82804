/* Turns cells into terminal bytes: SGR sequences for what changed since the last frame,
 * in one buffer. Knows no terminal, so tests can read the bytes. */
#ifndef TUI_EMIT_H
#define TUI_EMIT_H

#include "tui/cells/cells.h"
#include "tui/cells/theme.h"

struct emit {
    enum depth depth;
    struct cells shown; /* the cells on the terminal */
    bool whole;         /* the terminal's content is unknown: send every cell */
    char *bytes;
    size_t n, capacity;
    bool failed; /* out of memory in this frame */

    uint32_t fg, bg;  /* the current colours */
    int attr;         /* -1: not known */
    int column, row;  /* -1: not known */
    bool in_sequence; /* an SGR sequence is open */
};

void emit_init(struct emit *e, enum depth depth);
void emit_fini(struct emit *e);
/* Fills e->bytes and returns their number. 0: nothing changed, or memory is out; then
 * the next frame is sent whole. */
size_t emit_frame(struct emit *e, const struct cells *c);

#endif
