/* The undo tree as a list over the roll, at its right: a line for each state, the newest
 * first, with the branches drawn at its left. Pure. */
#ifndef TUI_HISTORY_LIST_H
#define TUI_HISTORY_LIST_H

#include "tui/paint/list_box.h"

/* Of n states; the chosen one is a place in the list, as all in list_box. */
struct list_box history_list_box(const struct layout *l, size_t n, size_t chosen);

#endif
