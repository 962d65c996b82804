/* The list of takes: what each is worth, and how far it is while it is written. */
#include "tui/take_list.h"

#include "tui/paint.h"
#include "tui/text.h"

#include <inttypes.h>
#include <stdio.h>

enum { LIST_COLUMNS = 46, BAR_COLUMNS = 6, BAR_AT = LIST_COLUMNS - BAR_COLUMNS - 1 };

struct region take_list_region(const struct layout *l, int n)
{
    const struct region *roll = &l->roll;
    int columns = roll->columns < LIST_COLUMNS ? roll->columns : LIST_COLUMNS;
    int most = roll->rows - 2, rows = n + 1 < most ? n + 1 : most;
    if (l->too_small || n <= 0 || rows < 2)
        return (struct region){0};
    return (struct region){roll->column + roll->columns - columns, roll->row, columns,
                           rows};
}

int take_list_first(const struct layout *l, int n, int shown)
{
    int room = take_list_region(l, n).rows - 1;
    int first = shown - room + 1;
    return room <= 0 || first < 0 ? 0 : first;
}

int take_list_at(const struct layout *l, int n, int shown, int column, int row)
{
    struct region r = take_list_region(l, n);
    int i = take_list_first(l, n, shown) + row - r.row - 1;
    return region_has(&r, column, row) && row > r.row && i < n ? i : -1;
}

/* A long one by its last digits; the foot has it all. */
static void short_seed(uint64_t seed, char out[12])
{
    const uint64_t most = 100000000;
    if (seed < most)
        snprintf(out, 12, "%8" PRIu64, seed);
    else
        snprintf(out, 12, "~%07" PRIu64, seed % (most / 10));
}

static void fill_row(const struct paint *p, const struct region *r, int row,
                     uint32_t ink, uint32_t ground, int attr)
{
    for (int i = 0; i < r->columns; i++)
        cells_put(p->c, r->column + i, row, ' ', ink, ground, attr);
}

/* The take that is shown stands on the accent, whatever the colours. */
static void paint_row(const struct paint *p, const struct region *r, int row, int i)
{
    char text[96], seed[12];
    const struct take_row *t = &p->v->takes[i];
    bool is_shown = i == p->v->shown_take;
    uint32_t ground = is_shown ? p->t->accent : p->t->bar;
    uint32_t ink = is_shown ? p->t->on_accent : p->t->text;
    int attr = is_shown ? ATTR_BOLD : 0;
    if (is_shown && p->t->depth == DEPTH_MONO)
        attr |= ATTR_REVERSE;
    fill_row(p, r, row, ink, ground, attr);
    short_seed(t->seed, seed);
    snprintf(text, sizeof text, " %c%c%3d %6zu %6.2f %6.1f%% %s", t->letter,
             t->liking > 0   ? '+'
             : t->liking < 0 ? '-'
                             : ' ',
             t->rank, t->n_notes, t->nats, 100 * t->masked, seed);
    cells_text(p->c, r->column, row, r->columns, text, ink, COLOUR_KEEP, attr);
    double share = t->share >= 0 && t->share <= 1 ? t->share : 0;
    for (int k = 0; k < BAR_COLUMNS && BAR_AT + k < r->columns; k++)
        cells_put(p->c, r->column + BAR_AT + k, row,
                  k < (int)(share * BAR_COLUMNS + 0.5) ? 0x25AE : 0x25AF, ink,
                  COLOUR_KEEP, attr);
}

void paint_take_list(const struct paint *p)
{
    const struct view *v = p->v;
    struct region r = take_list_region(&p->l, v->n_takes);
    if (!v->list_takes || v->mode != MODE_TAKES || !r.rows)
        return;
    int attr = theme_paints(p->t) ? 0 : ATTR_UNDERLINE;
    fill_row(p, &r, r.row, p->t->quiet, p->t->panel, attr);
    cells_text(p->c, r.column, r.row, r.columns,
               "   rank  notes   nats  forced     seed", p->t->quiet, COLOUR_KEEP,
               attr);
    int first = take_list_first(&p->l, v->n_takes, v->shown_take);
    for (int row = 1; row < r.rows && first + row - 1 < v->n_takes; row++)
        paint_row(p, &r, r.row + row, first + row - 1);
}
