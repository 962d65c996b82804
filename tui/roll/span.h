/* The place of a note on the roll in half columns; filling and naming it. Internal to
 * tui/. */
#ifndef TUI_SPAN_H
#define TUI_SPAN_H

#include "tui/paint/paint.h"

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

#endif
