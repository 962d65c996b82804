/* Draws what tui/paint/list_box.h has placed: the frame, its title, marks where there is more,
 * and the ground of a row. What stands in a row is the list's own. Internal to tui/. */
#ifndef TUI_LIST_PAINT_H
#define TUI_LIST_PAINT_H

#include "tui/paint/list_box.h"
#include "tui/paint/paint.h"

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
