/* Where the list of takes is: over the roll, at its top right. Pure functions. */
#ifndef TUI_TAKE_LIST_H
#define TUI_TAKE_LIST_H

#include "tui/layout.h"

/* Its heading and as many of n takes as there is room for; rows 0: none. */
struct region take_list_region(const struct layout *l, int n);
/* The first take in it; the one that is shown (-1: the original) is in sight. */
int take_list_first(const struct layout *l, int n, int shown);
/* The take in this cell; -1: none. */
int take_list_at(const struct layout *l, int n, int shown, int column, int row);

#endif
