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
/* The value in eighths of these rows. */
int lane_height(const struct region *r, struct control k, int value);
/* What is being drawn by the mouse in this column; -1: nothing. */
int lane_stroke(const struct paint *p, int column);

void paint_control_lane(const struct paint *p);

#endif
