/* Bars and ground shared by the lane, the map and the inspector's strip. Internal to
 * tui/. */
#ifndef TUI_LANE_PAINT_H
#define TUI_LANE_PAINT_H

#include "tui/view/lane.h"
#include "tui/paint/paint.h"

enum { LANE_EIGHTHS = 8 }; /* the unit of a bar's height: an eighth of a row */

/* Draws a bar from `lo` to `hi` eighths above the region's foot. is_held: no event is
 * in this column, an earlier one still holds; without RGB such a bar is shaded. */
void lane_bar(const struct paint *p, const struct region *r, int column, int lo, int hi,
              uint32_t colour, bool is_held);
/* Paints the ground, and the name in the margin at the left. */
void lane_paint_ground(const struct paint *p, const struct region *r, const char *name);

#endif
