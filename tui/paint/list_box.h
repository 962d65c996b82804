/* Where a list in a frame is: over the roll, as high as it needs and the roll allows, with
 * as many of its items as there is room for. Every list and panel is one, so that they
 * look alike and the mouse finds in all of them what is drawn. Pure functions;
 * tui/paint/list_paint.h draws it. */
#ifndef TUI_LIST_BOX_H
#define TUI_LIST_BOX_H

#include "tui/view/layout.h"

enum {
    LIST_MARGIN = 2
}; /* columns from the frame's edge to the text, its line among them */

enum list_place {
    LIST_AT_LEFT, /* of the roll, at its top */
    LIST_AT_RIGHT,
    LIST_AT_MIDDLE, /* of the screen, at the roll's top */
    LIST_AT_FOOT,   /* of the roll, at its right */
};

struct list_shape {
    enum list_place place;
    int columns; /* at the most, the frame among them */
    int above,
        below;      /* rows in the frame that are no items: headings, a line of help */
    int most_items; /* 0: as many as fit */
};

struct list_box {
    struct region frame;   /* its lines, too; rows 0: there is no room */
    struct region items;   /* the rows between `above` and `below`: one at the least */
    int n, first, n_shown; /* items: all, the first that is seen, and how many are */
};

/* As items are counted here. */
int list_count(size_t n);
/* The chosen item is about in the middle, as far as others fill the rows about it. */
struct list_box list_box_for(const struct layout *l, const struct list_shape *shape,
                             int n, int chosen);
/* From the item `first`, or the nearest to it with which no row is left empty. */
struct list_box list_box_from(const struct layout *l, const struct list_shape *shape,
                              int n, int first);
/* The item in this cell; -1: none. */
int list_box_at(const struct list_box *b, int column, int row);

#endif
