/* The instruments that fit what is being typed, above the line it is typed in. */
#include "midi/general_midi.h"
#include "tui/paint.h"

#include <stdio.h>

enum { COLUMNS = 34, MARGIN = 1, MOST_ROWS = 16 };

static void fill_row(const struct paint *p, const struct region *r, int row,
                     uint32_t ink, uint32_t ground, int attr)
{
    for (int i = 0; i < r->columns; i++)
        cells_put(p->c, r->column + i, row, ' ', ink, ground, attr);
}

/* At the roll's bottom right. rows 0: no room. */
static struct region place(const struct paint *p)
{
    const struct region *roll = &p->l.roll;
    int n = p->v->n_instruments > 0 ? p->v->n_instruments : 1;
    int most = roll->rows < MOST_ROWS ? roll->rows : MOST_ROWS;
    int rows = n < most ? n : most;
    int columns = roll->columns < COLUMNS ? roll->columns : COLUMNS;
    return (struct region){roll->column + roll->columns - columns,
                           roll->row + roll->rows - rows, columns, rows};
}

static void paint_row(const struct paint *p, const struct region *r, int row, int i)
{
    char text[64];
    bool is_chosen = i == p->v->chosen_instrument;
    uint32_t ground = is_chosen ? p->t->accent : p->t->bar;
    uint32_t ink = is_chosen ? p->t->on_accent : p->t->text;
    int attr = is_chosen ? ATTR_BOLD : 0;
    if (is_chosen && p->t->depth == DEPTH_MONO)
        attr |= ATTR_REVERSE;
    int program = p->v->instruments[i],
        channel = p->v->instruments_are_kits ? GM_DRUM_CHANNEL : 0;
    const char *name = channel ? gm_kit_name(program) : gm_program_name(program);
    fill_row(p, r, row, ink, ground, attr);
    snprintf(text, sizeof text, "%4d  %s", program + 1, name);
    cells_text(p->c, r->column + MARGIN, row, r->columns - MARGIN, text, ink,
               COLOUR_KEEP, attr);
}

void paint_instruments(const struct paint *p)
{
    const struct view *v = p->v;
    if (!v->instruments)
        return;
    struct region r = place(p);
    int first = v->chosen_instrument - r.rows / 2;
    if (first > v->n_instruments - r.rows)
        first = v->n_instruments - r.rows;
    first = first > 0 ? first : 0;
    fill_row(p, &r, r.row, p->t->quiet, p->t->bar, 0);
    if (!v->n_instruments)
        cells_text(p->c, r.column + MARGIN, r.row, r.columns - MARGIN,
                   "no instrument is called so", p->t->quiet, COLOUR_KEEP, 0);
    for (int i = 0; i < r.rows && first + i < v->n_instruments; i++)
        paint_row(p, &r, r.row + i, first + i);
}
