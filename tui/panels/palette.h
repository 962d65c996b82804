/* The palette on the screen: what was found for the words that are typed, best first.
 * app/editor/shell/palette.h finds it. */
#ifndef TUI_PALETTE_H
#define TUI_PALETTE_H

#include "tui/cells/cells.h"
#include "tui/paint/list_box.h"

struct palette_line {
    const char *text; /* untrusted */
    const char *keys; /* at the right; may be "" */
    const char *kind; /* "track", "file", ...; before the keys, quiet */
    uint64_t marks;   /* bit i: byte i of the text was typed */
};

/* The lines that are seen. */
struct palette_view {
    const struct palette_line *lines;
    int n_lines;
    int first, n_found; /* the first of them among all */
    int chosen;         /* of all */
};

enum { PALETTE_MOST_LINES = 16 };

struct list_box palette_box(const struct layout *l, size_t n_found, size_t chosen);

#endif
