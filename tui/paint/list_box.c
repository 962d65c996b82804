/* See list_box.h. */
#include "tui/paint/list_box.h"

#include <limits.h>

enum { LINES = 2 }; /* of the frame: as many rows as columns */

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int most(int a, int b)
{
    return a > b ? a : b;
}

static struct region place(const struct layout *l, const struct list_shape *shape,
                           int rows)
{
    const struct region *roll = &l->roll;
    bool is_middle = shape->place == LIST_AT_MIDDLE,
         is_left = shape->place == LIST_AT_LEFT;
    int columns = least(is_middle ? l->columns - LINES : roll->columns, shape->columns);
    int right = roll->column + roll->columns - columns;
    int foot = roll->row + roll->rows - rows;
    return (struct region){is_middle ? (l->columns - columns) / 2
                           : is_left ? roll->column
                                     : right,
                           shape->place == LIST_AT_FOOT ? foot : roll->row, columns,
                           rows};
}

int list_count(size_t n)
{
    return n < INT_MAX ? (int)n : INT_MAX;
}

struct list_box list_box_from(const struct layout *l, const struct list_shape *shape,
                              int n, int first)
{
    struct list_box b = {.n = n};
    int others = LINES + shape->above + shape->below, room = l->roll.rows - others;
    if (shape->most_items)
        room = least(room, shape->most_items);
    if (l->too_small || room < 1)
        return b;
    int rows = most(1, least(n, room));
    b.frame = place(l, shape, rows + others);
    b.items = (struct region){b.frame.column + 1, b.frame.row + 1 + shape->above,
                              b.frame.columns - LINES, rows};
    b.n_shown = least(n, rows);
    b.first = most(0, least(first, n - b.n_shown));
    return b;
}

struct list_box list_box_for(const struct layout *l, const struct list_shape *shape,
                             int n, int chosen)
{
    struct list_box b = list_box_from(l, shape, n, 0);
    return list_box_from(l, shape, n, chosen - b.n_shown / 2);
}

int list_box_at(const struct list_box *b, int column, int row)
{
    int i = row - b->items.row;
    return region_has(&b->items, column, row) && i < b->n_shown ? b->first + i : -1;
}
