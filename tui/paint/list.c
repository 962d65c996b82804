#include "tui/paint/list.h"

#include "tui/base/text.h"
#include "tui/paint/paint.h"

#include <limits.h>
#include <stdio.h>

enum { LINES = 2 }; /* of the frame, as many rows as columns */

static struct region place(const struct layout *l, const struct list_shape *shape,
                           int rows)
{
    const struct region *roll = &l->roll;
    bool is_middle = shape->place == LIST_AT_MIDDLE,
         is_left = shape->place == LIST_AT_LEFT;
    int columns =
        int_least(is_middle ? l->columns - LINES : roll->columns, shape->columns);
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
        room = int_least(room, shape->most_items);
    if (l->too_small || room < 1)
        return b;
    int rows = int_most(1, int_least(n, room));
    b.frame = place(l, shape, rows + others);
    b.items = (struct region){b.frame.column + 1, b.frame.row + 1 + shape->above,
                              b.frame.columns - LINES, rows};
    b.n_shown = int_least(n, rows);
    b.first = int_most(0, int_least(first, n - b.n_shown));
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

static void paint_row(const struct paint *p, const struct region *r, int row,
                      uint32_t left, uint32_t between, uint32_t right)
{
    struct region inner = {r->column + 1, row, r->columns - 2, 1};
    cells_fill(p->c, inner, between, p->t->quiet, p->t->panel);
    cells_put(p->c, r->column, row, left, p->t->quiet, p->t->panel, 0);
    cells_put(p->c, r->column + r->columns - 1, row, right, p->t->quiet, p->t->panel,
              0);
}

void box_paint(const struct paint *p, const struct region *r, const char *title)
{
    int bottom = r->row + r->rows - 1;
    paint_row(p, r, r->row, 0x250C, 0x2500, 0x2510);
    for (int row = r->row + 1; row < bottom; row++)
        paint_row(p, r, row, 0x2502, ' ', 0x2502);
    paint_row(p, r, bottom, 0x2514, 0x2500, 0x2518);
    if (title && r->columns > 6) {
        int used = 1 + paint_text(p, r->column + 3, r->row, r->columns - 6, title,
                                  p->t->accent, ATTR_BOLD);
        cells_put(p->c, r->column + 2, r->row, ' ', p->t->text, p->t->panel, 0);
        cells_put(p->c, r->column + 2 + used, r->row, ' ', p->t->text, p->t->panel, 0);
    }
}

void box_paint_end(const struct paint *p, const struct region *r, int row,
                   const char *text, uint32_t ink)
{
    int columns = text_columns(text);
    paint_text(p, r->column + r->columns - columns - 1, row, columns, text, ink, 0);
}

enum { UP = 0x25B2, DOWN = 0x25BC };

/* " ▲ 12 more " in a line of the frame, or the arrow alone if `room` is too small. */
static void paint_more(const struct paint *p, const struct list_box *b, int row,
                       uint32_t arrow, int n, int room)
{
    char text[40];
    if (n <= 0)
        return;
    snprintf(text, sizeof text, " %s %d more ", arrow == UP ? "▲" : "▼", n);
    if (text_columns(text) > room)
        snprintf(text, sizeof text, "%s", arrow == UP ? "▲" : "▼");
    box_paint_end(p, &b->frame, row, text, p->t->accent);
}

struct list_row list_plain_row(const struct paint *p, const struct list_box *b, int row)
{
    return (struct list_row){
        .row = row,
        .column = b->frame.column + LIST_MARGIN,
        .end = b->frame.column + b->frame.columns - LIST_MARGIN,
        .ink = p->t->text,
        .quiet = p->t->quiet,
        .faint = p->t->faint,
        .accent = p->t->accent,
    };
}

struct list_row list_paint_item(const struct paint *p, const struct list_box *b, int i,
                                bool is_chosen)
{
    struct list_row r = list_plain_row(p, b, b->items.row + i - b->first);
    if (!is_chosen)
        return r;
    r.is_chosen = true;
    r.ink = r.quiet = r.faint = r.accent = p->t->on_accent;
    /* With 16 colours bold black is grey, which is not legible on the accent. */
    r.attr = p->t->depth == DEPTH_16 ? 0 : theme_badge_attr(p->t);
    for (int column = 0; column < b->items.columns; column++)
        cells_put(p->c, b->items.column + column, r.row, ' ', r.ink, p->t->accent,
                  r.attr);
    return r;
}

int list_write(const struct paint *p, const struct list_row *r, int column, int columns,
               const char *text, uint32_t ink, int attr)
{
    int room = r->end - column < columns ? r->end - column : columns;
    if (column <= 0 || room <= 0)
        return 0;
    return paint_text(p, column, r->row, room, text, ink,
                      r->is_chosen ? r->attr : attr);
}

void list_paint(const struct paint *p, const struct list_box *b, const char *title,
                const char *nothing,
                void (*paint_item)(const struct paint *p, const struct list_box *b,
                                   int i))
{
    struct list_row r = list_plain_row(p, b, b->items.row);
    const struct region *f = &b->frame;
    int room = f->columns - 3 * LIST_MARGIN, last = b->first + b->n_shown;
    box_paint(p, f, title);
    paint_more(p, b, f->row, UP, b->first, room - text_columns(title));
    paint_more(p, b, f->row + f->rows - 1, DOWN, b->n - last, room);
    if (b->n <= 0)
        list_write(p, &r, r.column, b->items.columns, nothing, r.quiet, 0);
    for (int i = b->first; i < b->first + b->n_shown; i++)
        paint_item(p, b, i);
}
