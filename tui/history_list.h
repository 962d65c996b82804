/* The undo tree as a list over the roll, at its right: a line for each state, the newest
 * first, with the branches drawn at its left. Pure functions. */
#ifndef TUI_HISTORY_LIST_H
#define TUI_HISTORY_LIST_H

#include "tui/layout.h"

/* The panel's borders, for n states; rows 0: no room. */
struct region history_list_region(const struct layout *l, size_t n);
/* The first line in it; the chosen one is in sight, with some around it. */
size_t history_list_first(const struct layout *l, size_t n, size_t chosen);
/* The line in this cell; n: none. */
size_t history_list_at(const struct layout *l, size_t n, size_t chosen, int column,
                       int row);

#endif
