/* Where the list of takes is: beside the roll, in the room that layout_list_takes makes.
 * Pure. */
#ifndef TUI_TAKE_LIST_H
#define TUI_TAKE_LIST_H

#include "tui/paint/list_box.h"

/* Of n takes, in a layout with that room (else it has no rows); `shown` is the one that is (-1: the original). */
struct list_box take_list_box(const struct layout *l, int n, int shown);

#endif
