#include "tui/paint/list.h"

#include "tui/base/text.h"
#include "tui/paint/paint.h"

#include <stdio.h>

enum { LINES = 2 }; /* of the frame, as many rows as columns */

static const struct {
    enum { AT_LEFT, AT_RIGHT, AT_FOOT, AT_MIDDLE, BESIDE } place;
    int columns;      /* with the frame, at most */
    int above, below; /* rows in the frame that are not lines: headings, help */
    int most_lines;   /* 0: as many as fit */
} SHAPES[LIST_HELP] = {
    [LIST_TAKES] = {BESIDE, CELLS_MAX, .above = 1},
    [LIST_MAP] = {AT_RIGHT, 48, .above = 1},
    /* New notes are most often at the right. */
    [LIST_STEER] = {AT_LEFT, 64, .below = 1},
    [LIST_TRACKS] = {AT_LEFT, 104, .above = 1},
    [LIST_INSTRUMENTS] = {AT_FOOT, 36, .most_lines = 14},
    [LIST_HISTORY] = {.place = AT_RIGHT, .columns = 50},
    [LIST_PALETTE] = {AT_MIDDLE, 76, .above = 1, .most_lines = 16},
};

struct list_box list_box(const struct layout *l, enum list_id id,
                         const struct list_view *list)
{
    struct list_box b = {.n = list->n, .point = list->point};
    if (id == LIST_HELP || l->too_small || (id == LIST_TAKES && !l->takes.columns))
        return b;
    int others = LINES + SHAPES[id].above + SHAPES[id].below;
    int room = (id == LIST_TAKES ? l->takes.rows : l->roll.rows) - others;
    if (SHAPES[id].most_lines)
        room = MIN(room, SHAPES[id].most_lines);
    if (room < 1)
        return b;
    int rows = MAX(1, MIN(b.n, room));
    /* At the roll's top left or right, its right foot, the screen's middle, or the room beside
     * the roll. */
    const int at = SHAPES[id].place;
    struct region *r = &b.frame;
    *r = at == BESIDE ? l->takes : l->roll;
    if (at == AT_MIDDLE) {
        r->column = LINES / 2;
        r->columns = l->columns - LINES;
    }
    const int spare = MAX(r->columns - SHAPES[id].columns, 0);
    r->columns -= spare;
    r->column += at == AT_MIDDLE                   ? spare / 2
                 : at == AT_RIGHT || at == AT_FOOT ? spare
                                                   : 0;
    r->row += at == AT_FOOT ? r->rows - rows - others : 0;
    r->rows = rows + others;
    b.items = (struct region){b.frame.column + 1, b.frame.row + 1 + SHAPES[id].above,
                              b.frame.columns - LINES, rows};
    b.n_shown = MIN(b.n, rows);
    b.first = list->top;
    if (b.point >= 0)
        b.first = MAX(MIN(b.first, b.point), b.point - b.n_shown + 1);
    b.first = MAX(0, MIN(b.first, b.n - b.n_shown));
    return b;
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

/* Paints the ground of a chosen row, too. */
static struct list_row begin_row(const struct paint *p, const struct list_box *b,
                                 int row, bool is_chosen)
{
    struct list_row r = {
        .box = b,
        .row = row,
        .column = b->frame.column + LIST_MARGIN,
        .end = b->frame.column + b->frame.columns - LIST_MARGIN,
        .ink = p->t->text,
        .quiet = p->t->quiet,
        .faint = p->t->faint,
        .accent = p->t->accent,
        .is_chosen = is_chosen,
    };
    if (!is_chosen)
        return r;
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

void list_paint(const struct paint *p, enum list_id id, const struct list_painter *how)
{
    const struct list_view *list = &p->v->lists[id];
    const struct list_box here = list_box(&p->l, id, list), *b = &here;
    const struct region *f = &b->frame;
    if (!list->is_open || !f->rows)
        return;
    int room = f->columns - 3 * LIST_MARGIN, bottom = f->row + f->rows - 1;
    box_paint(p, f, how->title);
    paint_more(p, b, f->row, UP, b->first, room - text_columns(how->title));
    paint_more(p, b, bottom, DOWN, b->n - b->first - b->n_shown, room);
    if (b->n <= 0) {
        const struct list_row r = begin_row(p, b, b->items.row, false);
        list_write(p, &r, r.column, b->items.columns, how->nothing, r.quiet, 0);
    }
    for (int i = b->first; i < b->first + b->n_shown; i++) {
        int row = b->items.row + i - b->first;
        const struct list_row r = begin_row(p, b, row, i == b->point);
        how->line(p, &r, i);
    }
    if (how->other) {
        const struct list_row r =
            begin_row(p, b, SHAPES[id].above ? f->row + 1 : bottom - 1, false);
        how->other(p, &r);
    }
}
