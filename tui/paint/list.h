/* Framed lists over the roll: their places and their painting. A list is as high as its
 * lines need and the roll allows. All lists are placed, scrolled, clicked and painted
 * here, so all behave alike; a list has only columns of its own (tui/panels/lists.c and
 * track_list.c). The functions that place are pure. */
#ifndef TUI_LIST_H
#define TUI_LIST_H

#include "tui/view/layout.h"

struct paint; /* tui/paint/paint.h */

/* Columns from the frame's edge to the text, border included. */
enum { LIST_MARGIN = 2 };

struct list_box {
    struct region frame; /* with its borders; rows 0: there is no room */
    struct region items; /* the rows of lines, at least one */
    int n, point;        /* lines, and the chosen one; -1: none */
    int first, n_shown;  /* the first shown, and how many are */
};

/* Places a list. Scrolls from `top` only as far as the chosen line needs, and leaves no blank
 * rows. */
struct list_box list_box(const struct layout *l, enum list_id id,
                         const struct list_view *list);
/* The line in this cell; -1: none. */
int list_box_at(const struct list_box *b, int column, int row);

/* -- drawing -- */

/* Draws a frame with an empty inside on the panel's ground. At least 2 rows and
 * columns; title NULL: none. */
void box_paint(const struct paint *p, const struct region *r, const char *title);
/* Writes text at the right end of a row, as in the frame's first or last line. */
void box_paint_end(const struct paint *p, const struct region *r, int row,
                   const char *text, uint32_t ink);

/* A row that is written, and its colours. The chosen row has the accent as its ground,
 * or is reversed without colours; then all four colours are the one that is legible
 * there. */
struct list_row {
    const struct list_box *box; /* the list's */
    int row, column, end;       /* text goes into columns [column, end) */
    uint32_t ink, quiet, faint, accent;
    bool is_chosen;
    int attr; /* of a chosen row */
};

/* What one list shows. */
struct list_painter {
    const char *title, *nothing; /* nothing: in place of lines, if there are none */
    void (*line)(const struct paint *p, const struct list_row *r, int i);
    /* Writes the row in the frame that is not a line, above or below the lines; NULL:
     * there is none. */
    void (*other)(const struct paint *p, const struct list_row *r);
};

/* Draws the frame and each shown line. */
void list_paint(const struct paint *p, enum list_id id, const struct list_painter *how);
/* Writes text from `column` on, cut to `columns` and the row's end. `attr` holds unless
 * the row is chosen. Returns the columns used; column 0 means no room, and writes
 * nothing. */
int list_write(const struct paint *p, const struct list_row *r, int column, int columns,
               const char *text, uint32_t ink, int attr);

#endif
