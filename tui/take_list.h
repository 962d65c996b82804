/* Where the list of takes is: over the roll, at its top right. Pure. */
#ifndef TUI_TAKE_LIST_H
#define TUI_TAKE_LIST_H

#include "tui/list_box.h"

/* Of n takes; `shown` is the one that is (-1: the original). */
struct list_box take_list_box(const struct layout *l, int n, int shown);

#endif
