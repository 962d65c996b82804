/* A framed box over what is there, on the ground of panels. Internal to tui/. */
#ifndef TUI_BOX_H
#define TUI_BOX_H

#include "tui/paint/paint.h"

/* Rows and columns with the frame, 2 of each at the least. title NULL: none. */
void box_paint(const struct paint *p, const struct region *r, const char *title);
/* A few words in its first or last line, at the right end. */
void box_paint_end(const struct paint *p, const struct region *r, int row,
                   const char *text, uint32_t ink);

#endif
