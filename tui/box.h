/* A framed box over what is there, on the ground of panels. Internal to tui/. */
#ifndef TUI_BOX_H
#define TUI_BOX_H

#include "tui/paint.h"

/* Rows and columns with the frame, 2 of each at the least. title NULL: none. */
void box_paint(const struct paint *p, const struct region *r, const char *title);
/* Marks a line of one: a ground of its own, or the reverse of what is there. */
void box_mark_line(const struct paint *p, const struct region *r, int row);

#endif
