/* The command palette: matches of the typed words, best first.
 * app/editor/shell/palette.h finds them. */
#ifndef TUI_PALETTE_H
#define TUI_PALETTE_H

#include "tui/cells/cells.h"
#include "tui/paint/list.h"

struct palette_line {
    const char *text; /* untrusted */
    const char *keys; /* at the right; may be "" */
    const char *kind; /* "track", "file", ...; before the keys, quiet */
    uint64_t marks;   /* bit i: byte i of the text matches */
};

/* The lines in view. */
struct palette_view {
    const struct palette_line *lines;
    int n_lines;
    int first, n_found; /* first: index of lines[0] among the matches */
    int chosen;         /* index among the matches */
};

enum { PALETTE_MOST_LINES = 16 };

struct list_box palette_box(const struct layout *l, size_t n_found, size_t chosen);

#endif
