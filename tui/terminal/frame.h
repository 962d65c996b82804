/* A whole frame: paints `struct view` into a grid of cells. */
#ifndef TUI_FRAME_H
#define TUI_FRAME_H

#include "tui/cells/cells.h"
#include "tui/view/layout.h"
#include "tui/cells/theme.h"
#include "tui/view/view.h"

/* Paints every cell. The layout is layout_for the cells' size. */
void frame_draw(struct cells *c, const struct view *v, const struct theme *t);

#endif
