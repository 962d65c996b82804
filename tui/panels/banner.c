/* A few lines that tell what to do next (app/editor/shell/tutor.h), at the top of the roll, or at its
 * bottom when the cursor is up there. */
#include "tui/keys/bindings.h"
#include "tui/paint/box.h"
#include "tui/base/text.h"

/* Where the roll is seen. */
#define ROLL                                                                           \
    (IN(MODE_NORMAL) | IN(MODE_DRAW) | IN(MODE_SELECT) | IN(MODE_LANE) |               \
     IN(MODE_TAKES) | IN(MODE_PROMPT))

enum { MARGIN = 2 };

/* The cursor would be, or a hole that is framed (app/editor/takes/framing.h), which leaves the foot. */
static bool is_under(const struct paint *p, const struct region *r)
{
    if (p->v->hole.is_shown)
        return true;
    int row = layout_row(&p->l, &p->port, p->v->cursor.pitch);
    return row >= r->row - 1 && row <= r->row + r->rows;
}

void paint_banner(const struct paint *p)
{
    const struct view *v = p->v;
    if (v->banner.n <= 0 || !(ROLL & IN(v->mode)) || v->steer.n > 0)
        return; /* none, or a list or a panel is in its place */
    int room = p->l.roll.columns + p->l.takes.columns, columns = room < 76 ? room : 76;
    struct region r = {p->l.roll.column, p->l.roll.row, columns,
                       v->banner.n + BANNER_BORDERS};
    if (is_under(p, &r))
        r.row = p->l.roll.row + p->l.roll.rows - r.rows;
    box_paint(p, &r, v->banner.title);
    for (int i = 0; i < v->banner.n; i++)
        cells_text(p->c, r.column + MARGIN, r.row + 1 + i, columns - 2 * MARGIN,
                   v->banner.lines[i], p->t->text, COLOUR_KEEP, 0);
}
