/* The legend of the inspector: a bar of its colours between the values of the faintest and
 * the strongest, "0.0002 ▄▄▄▄▄▄▄▄▄▄ 0.17". */
#include "tui/base/text.h"
#include "tui/paint/inspect_paint.h"

#include <stdio.h>
#include <string.h>

enum { BAR_CELLS = 10, LEAST_ROOM = 60, END_BYTES = 24 };

/* Log shades reach three powers of ten down (tui/cells/shade.h). */
static void name_ends(const struct inspect_view *v, char low[END_BYTES],
                      char high[END_BYTES])
{
    const double most = (double)v->most;
    const char *unit = v->shows_surprise ? " nat" : "";
    bool is_log = v->scale == SHADE_LOG && !v->shows_surprise;
    snprintf(low, END_BYTES, "%.2g", is_log ? most / 1000 : 0.0);
    snprintf(high, END_BYTES, "%.2g%s", most, unit);
    if (v->scale == SHADE_RANK || v->page != INSPECT_ROLL) { /* maps have other ends */
        strcpy(low, "least");
        strcpy(high, "most");
    }
}

static void paint_bar(const struct paint *p, int column, int row)
{
    for (int i = 0; i < BAR_CELLS; i++) {
        const float shade = ((float)i + 0.5f) / BAR_CELLS;
        inspect_cell(p, column + i, row, shade, shade);
    }
}

int paint_inspect_legend(const struct paint *p, const struct region *r)
{
    const struct inspect_view *v = p->v->inspect;
    char low[END_BYTES], high[END_BYTES];
    if (v->busy || !(v->most > 0) || r->columns < LEAST_ROOM)
        return 0;
    name_ends(v, low, high);
    const int n_low = text_columns(low), n_high = text_columns(high);
    const int columns = n_low + BAR_CELLS + n_high + 4;
    const int at = r->column + r->columns - columns;
    const struct region ground = {at, r->row, columns, 1};
    cells_fill(p->c, ground, ' ', p->t->text, p->t->panel);
    paint_text(p, at + 1, r->row, n_low, low, p->t->quiet, 0);
    paint_bar(p, at + n_low + 2, r->row);
    paint_text(p, at + n_low + BAR_CELLS + 3, r->row, n_high, high, p->t->quiet, 0);
    return columns;
}
