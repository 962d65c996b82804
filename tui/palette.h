/* The palette on the screen: what was found for the words that are typed, best first.
 * app/palette.h finds it. */
#ifndef TUI_PALETTE_H
#define TUI_PALETTE_H

#include "tui/cells.h"
#include "tui/layout.h"

struct palette_line {
    const char *text; /* untrusted */
    const char *keys; /* at the right; may be "" */
    const char *kind; /* "track", "file", ...; before the keys, quiet */
    uint64_t marks;   /* bit i: byte i of the text was typed */
};

/* The lines that there is room for. */
struct palette_view {
    const struct palette_line *lines;
    int n_lines;
    int chosen;  /* of those; -1: none */
    int n_found; /* in all */
};

/* The box of so many lines at this size of screen, and how many it has room for. */
struct region palette_region(const struct layout *l, int n_lines);
int palette_room(const struct layout *l);
/* The line under a screen cell, or -1. */
int palette_line_at(const struct layout *l, int n_lines, int column, int row);

#endif
