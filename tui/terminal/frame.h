/* Paints `struct view` into a grid of cells. Pure, but for the caches in the view. */
#ifndef TUI_FRAME_H
#define TUI_FRAME_H

#include "tui/cells/cells.h"
#include "tui/cells/theme.h"
#include "tui/view/view.h"

/* Paints every cell, laid out by layout_of. false: out of memory, and the cells are as they
 * were. */
bool frame_draw(struct cells *c, const struct view *v, const struct theme *t);

#endif
