/* Framed lists over the roll: where they are, and how they are drawn. Every list and panel
 * uses these, so that all look the same and the mouse finds their rows. A list is as high
 * as its items need and the roll allows. The functions that place it are pure. */
#ifndef TUI_LIST_H
#define TUI_LIST_H

#include "tui/view/layout.h"

struct paint; /* tui/paint/paint.h */

enum {
    LIST_MARGIN = 2
}; /* columns from the frame's edge to the text, border included */

enum list_place {
    LIST_AT_LEFT, /* of the roll, at its top */
    LIST_AT_RIGHT,
    LIST_AT_MIDDLE, /* of the screen, at the roll's top */
    LIST_AT_FOOT,   /* of the roll, at its right */
};

struct list_shape {
    enum list_place place;
    int columns;      /* with the frame, at most */
    int above, below; /* rows in the frame that are not items: headings, help */
    int most_items;   /* 0: as many as fit */
};

struct list_box {
    struct region frame;   /* with its borders; rows 0: there is no room */
    struct region items;   /* the rows between `above` and `below`, at least one */
    int n, first, n_shown; /* items: all, the first shown, and how many are shown */
};

/* Clamps to int, in which lists count. */
int list_count(size_t n);
/* Places the list so that the chosen item is near the middle, without blank rows. */
struct list_box list_box_for(const struct layout *l, const struct list_shape *shape,
                             int n, int chosen);
/* Places the list from the item `first`, or the nearest one without blank rows. */
struct list_box list_box_from(const struct layout *l, const struct list_shape *shape,
                              int n, int first);
/* The item in this cell; -1: none. */
int list_box_at(const struct list_box *b, int column, int row);

/* -- drawing -- */

/* Draws a frame with an empty inside on the panel's ground. At least 2 rows and
 * columns; title NULL: none. */
void box_paint(const struct paint *p, const struct region *r, const char *title);
/* Writes text at the right end of a row, as in the frame's first or last line. */
void box_paint_end(const struct paint *p, const struct region *r, int row,
                   const char *text, uint32_t ink);

/* A row being written, and its colours. The chosen row has the accent as its ground, or is
 * reversed without colours; then all four colours are the one legible there. */
struct list_row {
    int row, column, end; /* text goes into columns [column, end) */
    uint32_t ink, quiet, faint, accent;
    bool is_chosen;
    int attr; /* of a chosen row */
};

/* Paints the ground of the row of item i, which must be shown. */
struct list_row list_paint_item(const struct paint *p, const struct list_box *b, int i,
                                bool is_chosen);
/* A screen row inside the frame that is not an item. */
struct list_row list_plain_row(const struct paint *p, const struct list_box *b,
                               int row);
/* Draws the frame and each shown item; without items the text `nothing`. */
void list_paint(const struct paint *p, const struct list_box *b, const char *title,
                const char *nothing,
                void (*paint_item)(const struct paint *p, const struct list_box *b,
                                   int i));
/* Writes text from `column` on, cut to `columns` and the row's end. `attr` holds unless
 * the row is chosen. Returns the columns used; column 0 means no room, and writes
 * nothing. */
int list_write(const struct paint *p, const struct list_row *r, int column, int columns,
               const char *text, uint32_t ink, int attr);

#endif
