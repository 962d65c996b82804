/* Where the list of what changes along the piece is: over the roll, at its top right.
 * Pure. */
#ifndef TUI_MAP_LIST_H
#define TUI_MAP_LIST_H

#include "midi/edit/signs.h"
#include "tui/paint/list_box.h"

struct list_box map_list_box(const struct layout *l, const struct signs *all,
                             int chosen);

#endif
