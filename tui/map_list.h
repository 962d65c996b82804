/* The list of what changes along the piece, at the roll's right: a line of heads, then a
 * line a sign. Pure functions, shared with the mouse. */
#ifndef TUI_MAP_LIST_H
#define TUI_MAP_LIST_H

#include "midi/signs.h"
#include "tui/layout.h"

/* rows 0: there is no room. */
struct region map_list_region(const struct layout *l, const struct signs *all);
/* The sign at a cell of the list as it is drawn with that one chosen; -1: none. */
int map_list_at(const struct layout *l, const struct signs *all, int chosen, int column,
                int row);

#endif
