#include "tui/paint/box.h"

#include "tui/base/text.h"

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
        int used = 1 + cells_text(p->c, r->column + 3, r->row, r->columns - 6, title,
                                  p->t->accent, COLOUR_KEEP, ATTR_BOLD);
        cells_put(p->c, r->column + 2, r->row, ' ', p->t->text, p->t->panel, 0);
        cells_put(p->c, r->column + 2 + used, r->row, ' ', p->t->text, p->t->panel, 0);
    }
}

void box_paint_end(const struct paint *p, const struct region *r, int row,
                   const char *text, uint32_t ink)
{
    int columns = text_columns(text);
    cells_text(p->c, r->column + r->columns - columns - 1, row, columns, text, ink,
               COLOUR_KEEP, 0);
}
