/* See list_paint.h. */
#include "tui/paint/list_paint.h"

#include "tui/paint/box.h"
#include "tui/base/text.h"

#include <stdio.h>

enum { UP = 0x25B2, DOWN = 0x25BC };

/* " ▲ 12 more " in a line of the frame that has `room` for it, or the arrow alone. */
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

void list_paint_frame(const struct paint *p, const struct list_box *b,
                      const char *title)
{
    const struct region *f = &b->frame;
    int room = f->columns - 3 * LIST_MARGIN, last = b->first + b->n_shown;
    box_paint(p, f, title);
    paint_more(p, b, f->row, UP, b->first, room - text_columns(title));
    paint_more(p, b, f->row + f->rows - 1, DOWN, b->n - last, room);
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

/* With 16 colours a bold black would be a grey, which the accent hides. */
static int attr_of_chosen(const struct theme *t)
{
    int reverse = t->depth == DEPTH_MONO ? ATTR_REVERSE : 0;
    return t->depth == DEPTH_16 ? 0 : ATTR_BOLD | reverse;
}

struct list_row list_paint_item(const struct paint *p, const struct list_box *b, int i,
                                bool is_chosen)
{
    struct list_row r = list_plain_row(p, b, b->items.row + i - b->first);
    if (!is_chosen)
        return r;
    r.is_chosen = true;
    r.ink = r.quiet = r.faint = r.accent = p->t->on_accent;
    r.attr = attr_of_chosen(p->t);
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
    return cells_text(p->c, column, r->row, room, text, ink, COLOUR_KEEP,
                      r->is_chosen ? r->attr : attr);
}

void list_paint_nothing(const struct paint *p, const struct list_box *b,
                        const char *text)
{
    struct list_row r = list_plain_row(p, b, b->items.row);
    if (b->n <= 0)
        list_write(p, &r, r.column, b->items.columns, text, r.quiet, 0);
}
