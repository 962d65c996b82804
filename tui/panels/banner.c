/* The box of the tutor (app/editor/shell/shell.h) and of explanations: at the top of the roll, or at its bottom
 * if the cursor is at the top. */
#include "tui/keys/bindings.h"
#include "tui/paint/list.h"
#include "tui/paint/paint.h"

/* Modes that show the roll. */
#define ROLL                                                                           \
    (IN(MODE_NORMAL) | IN(MODE_DRAW) | IN(MODE_SELECT) | IN(MODE_LANE) |               \
     IN(MODE_TAKES) | IN(MODE_PROMPT) | IN(MODE_INSPECT))

enum { MARGIN = 2 };

/* Whether the box would cover the cursor or a framed hole, which leaves the foot free
 * (app/editor/takes/framing.h). */
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
        return; /* none, or a panel is in its place */
    int room = p->l.roll.columns + p->l.takes.columns, columns = room < 76 ? room : 76;
    struct region r = {p->l.roll.column, p->l.roll.row, columns,
                       v->banner.n + BANNER_BORDERS};
    if (is_under(p, &r))
        r.row = p->l.roll.row + p->l.roll.rows - r.rows;
    box_paint(p, &r, v->banner.title);
    for (int i = 0; i < v->banner.n; i++)
        paint_text(p, r.column + MARGIN, r.row + 1 + i, columns - 2 * MARGIN,
                   v->banner.lines[i], p->t->text, 0);
}
