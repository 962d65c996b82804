/* The places of the lists that have no state of their own, for painters and the mouse.
 * Pure. */
#ifndef TUI_LISTS_H
#define TUI_LISTS_H

#include "midi/edit/timeline_events.h"
#include "tui/paint/list.h"

/* The undo tree at the roll's right: a line for each of n states, the newest first, and
 * the branches drawn at the left. chosen: index in the list. */
struct list_box history_list_box(const struct layout *l, size_t n, size_t chosen);
/* Tempos, meters, keys and markers at the roll's top right. */
struct list_box map_list_box(const struct layout *l, const struct timeline_events *all,
                             int chosen);
/* n takes in the room that layout_list_takes makes; without it there are no rows. shown:
 * index; -1: the original. */
struct list_box take_list_box(const struct layout *l, int n, int shown);

#endif
