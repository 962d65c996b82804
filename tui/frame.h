/* A whole frame: paints `struct view` into a grid of cells. */
#ifndef TUI_FRAME_H
#define TUI_FRAME_H

#include "tui/cells.h"
#include "tui/layout.h"
#include "tui/theme.h"
#include "tui/view.h"

/* Paints every cell. The layout is layout_for the cells' size. */
void frame_draw(struct cells *c, const struct view *v, const struct theme *t);

#endif
