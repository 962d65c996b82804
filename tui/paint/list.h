/* Where a list in a frame is: over the roll, as high as it needs and the roll allows, with
 * as many of its items as there is room for. Every list and panel is one, so that they
 * look alike and the mouse finds in all of them what is drawn. Pure functions;
 * tui/paint/list.h draws it. */
#ifndef TUI_LIST_H
#define TUI_LIST_H

#include "tui/view/layout.h"

struct paint; /* tui/paint/paint.h */

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

/* -- drawing -- */

/* Rows and columns with the frame, 2 of each at the least. title NULL: none. */
void box_paint(const struct paint *p, const struct region *r, const char *title);
/* A few words in its first or last line, at the right end. */
void box_paint_end(const struct paint *p, const struct region *r, int row,
                   const char *text, uint32_t ink);

/* A row that is being written, and its inks. The chosen one stands on the accent, or is
 * reversed where there are no colours: there all inks are the one that is read on it. */
struct list_row {
    int row, column, end; /* the text's columns: [column, end) */
    uint32_t ink, quiet, faint, accent;
    bool is_chosen;
    int attr; /* of what is chosen */
};

void list_paint_frame(const struct paint *p, const struct list_box *b,
                      const char *title);
/* Fills the row of item i, which is one of those seen. */
struct list_row list_paint_item(const struct paint *p, const struct list_box *b, int i,
                                bool is_chosen);
/* A row of the screen in the frame that is no item. */
struct list_row list_plain_row(const struct paint *p, const struct list_box *b,
                               int row);
/* What an empty list says in its first row. */
void list_paint_nothing(const struct paint *p, const struct list_box *b,
                        const char *text);
/* Text from `column` on, cut to `columns` and where the row ends; `attr` where it is not
 * the chosen one. Returns the columns used; in column 0, left of every frame, none. */
int list_write(const struct paint *p, const struct list_row *r, int column, int columns,
               const char *text, uint32_t ink, int attr);

#endif
