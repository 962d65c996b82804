/* Cells to terminal bytes: SGR sequences for what changed since the last frame,
 * gathered for one write. Knows no terminal, so tests can read what it says. */
#ifndef TUI_EMIT_H
#define TUI_EMIT_H

#include "tui/cells/cells.h"
#include "tui/cells/theme.h"

struct emit {
    enum depth depth;
    struct cells shown; /* what the terminal holds */
    bool whole;         /* nothing is known of it: send all */
    char *bytes;
    size_t n, capacity;
    bool failed; /* out of memory in this frame */

    uint32_t fg, bg;  /* the pen */
    int attr;         /* -1: not known */
    int column, row;  /* -1: not known */
    bool in_sequence; /* one that sets the pen is begun */
};

void emit_init(struct emit *e, enum depth depth);
void emit_fini(struct emit *e);
/* Fills e->bytes and returns how many; 0 when nothing changed or memory is out,
 * and then the next frame is sent whole. */
size_t emit_frame(struct emit *e, const struct cells *c);

#endif
