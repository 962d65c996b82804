/* A whole frame: paints `struct view` into a grid of cells. */
#ifndef TUI_FRAME_H
#define TUI_FRAME_H

#include "tui/cells.h"
#include "tui/layout.h"
#include "tui/theme.h"
#include "tui/view.h"

/* Paints every cell. The layout is layout_for the cells' size. */
void frame_draw(struct cells *c, const struct view *v, const struct theme *t);

/* What the help tells: the keys in force (NULL: as built in) of one mode, or of all. */
struct help_page {
    const struct keymap *keymap;
    enum mode mode;
    bool all;
};
/* The largest help_scroll that shows something new, for app/ to clamp to. */
int help_max_scroll(const struct help_page *page, int columns, int rows);

#endif
