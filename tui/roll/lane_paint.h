/* What the painters of the lanes share. Internal to tui/. */
#ifndef TUI_LANE_PAINT_H
#define TUI_LANE_PAINT_H

#include "tui/view/lane.h"
#include "tui/paint/paint.h"

enum { LANE_EIGHTHS = 8 }; /* of a row: what a bar's height is counted in */

/* A bar from `lo` to `hi` eighths above the region's foot. One that is held is what an
 * event before it said: without grounds of our own it is shaded. */
void lane_bar(const struct paint *p, const struct region *r, int column, int lo, int hi,
              uint32_t colour, bool is_held);
/* The ground of the lane or the map, and its name in the margin at the left. */
void lane_paint_ground(const struct paint *p, const struct region *r, const char *name);

#endif
