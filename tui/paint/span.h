/* Where a note lies on the roll, in half columns, and its name there. Pure functions,
 * but for what they paint. Internal to tui/. */
#ifndef TUI_SPAN_H
#define TUI_SPAN_H

#include "tui/paint/paint.h"

/* A stretch of half columns [from, to) of one pitch, clipped to the roll. */
struct span {
    int from, to;
    int row; /* of the pitch's first line; may be above the roll */
    bool cut_left;
};

/* false: it is not on the screen. */
bool span_of(const struct paint *p, const struct note *n, struct span *out);
/* Fills it with a colour; where there is none, its whole cells with a glyph. Of the roll
 * (tui/roll/roll.c). */
void span_fill(const struct paint *p, const struct span *s, uint32_t colour,
               uint32_t glyph);
/* The row that carries its name, or -1 when that is off the roll. */
int span_label_row(const struct paint *p, const struct span *s);
/* Writes a name on whole cells of the span; false when there is no room. */
bool span_label(const struct paint *p, const struct span *s, const char *name,
                uint32_t ink, int attr);

#endif
