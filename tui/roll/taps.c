/* Bar lines that were tapped: a flag on the ruler, and a dashed line through the roll, under
 * the notes. Where free playing begins there is a sign on the ruler alone. */
#include "tui/paint/paint.h"

enum { FLAG = 0x25BE, BEGIN = 0x25C7, DASHES = 0x2506 };

/* Calls `paint` for those that are in sight, with their columns. */
static void each_in_sight(const struct paint *p,
                          void (*paint)(const struct paint *p, enum tap_kind kind,
                                        int column))
{
    const struct taps *t = &p->v->score->taps;
    const struct region *r = &p->l.ruler;
    for (size_t i = taps_first_at(t, p->port.left_tick); i < t->n; i++) {
        int64_t column = layout_column(&p->l, &p->port, t->list[i].tick);
        if (column >= r->column + r->columns)
            break;
        if (column >= r->column)
            paint(p, t->list[i].kind, (int)column);
    }
}

static void paint_line(const struct paint *p, enum tap_kind kind, int column)
{
    const struct region *r = &p->l.roll;
    for (int row = r->row; kind == TAP_BAR && row < r->row + r->rows; row++)
        cells_put(p->c, column, row, DASHES, p->t->accent, COLOUR_KEEP, 0);
}

static void paint_flag(const struct paint *p, enum tap_kind kind, int column)
{
    cells_put(p->c, column, p->l.ruler.row, kind == TAP_BAR ? FLAG : BEGIN,
              p->t->accent, COLOUR_KEEP, ATTR_BOLD);
}

void paint_tap_lines(const struct paint *p)
{
    each_in_sight(p, paint_line);
}

void paint_taps(const struct paint *p)
{
    each_in_sight(p, paint_flag);
}
