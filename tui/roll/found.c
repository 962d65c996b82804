/* What was sought, where it is on the roll: notes tinted by the accent, or underlined
 * where colours are few. */
#include "tui/paint/paint.h"

static void mark_cell(const struct paint *p, int column, int row)
{
    struct cell *cell = cells_at(p->c, column, row);
    if (theme_paints(p->t)) {
        cell->bg = theme_mix(cell->bg, p->t->accent, 0.55);
        cell->fg = cell->glyph == ' ' ? cell->bg : cell->fg;
    }
    cell->attr |= ATTR_UNDERLINE | ATTR_BOLD;
}

static void mark_note(const struct paint *p, const struct box *b)
{
    const struct region *r = &p->l.roll;
    int64_t first = layout_column(&p->l, &p->port, b->from);
    int64_t last = layout_column(&p->l, &p->port, b->to - 1);
    int top = layout_row(&p->l, &p->port, b->pitch_hi);
    int end = r->column + r->columns;
    first = first > r->column ? first : r->column;
    for (int row = top; row < top + p->port.rows_per_pitch; row++)
        for (int64_t column = first; column <= last && column < end; column++)
            if (region_has(r, (int)column, row))
                mark_cell(p, (int)column, row);
}

void paint_found(const struct paint *p)
{
    for (size_t i = 0; i < p->v->found.n; i++)
        mark_note(p, &p->v->found.boxes[i]);
}
