/* What the painters of the roll, the lane, the map and the inspector's strip share.
 * Internal to tui/. */
#ifndef TUI_ROLL_H
#define TUI_ROLL_H

#include "tui/paint/paint.h"

/* -- the place of a note on the roll; filling and naming it (span.c) -- */

/* Half columns [from, to) of one pitch, clipped to the roll. */
struct span {
    int from, to;
    int row; /* the pitch's first row; may be above the roll */
    bool cut_left;
};

/* false: the note is not in view. */
bool span_of(const struct paint *p, const struct note *n, struct span *out);
/* Fills the span with a colour. Without colour `fill` is the glyph of its cells; 0:
 * solid halves. */
void span_fill(const struct paint *p, const struct span *s, uint32_t colour,
               uint32_t glyph);
/* The row for the note's name; -1: it is off the roll. */
int span_label_row(const struct paint *p, const struct span *s);
/* Writes a name on whole cells of the span. false: no room. */
bool span_label(const struct paint *p, const struct span *s, const char *name,
                uint32_t ink, int attr);

/* -- bars and ground of the lane, the map and the strip (lane.c) -- */

enum { LANE_EIGHTHS = 8 }; /* the unit of a bar's height: an eighth of a row */

/* Draws a bar from `lo` to `hi` eighths above the region's foot. is_held: no event is
 * in this column, an earlier one still holds; without RGB such a bar is shaded. */
void lane_bar(const struct paint *p, const struct region *r, int column, int lo, int hi,
              uint32_t colour, bool is_held);
/* Paints the ground, and the name in the margin at the left. */
void lane_paint_ground(const struct paint *p, const struct region *r, const char *name);

#endif
