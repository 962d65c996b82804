/* See map_list.h. */
#include "tui/map_list.h"

#include "tui/paint.h"
#include "tui/sign_words.h"

#include <inttypes.h>
#include <stdio.h>

enum { LIST_COLUMNS = 46, WORDS_AT = 22 };

struct region map_list_region(const struct layout *l, const struct signs *all)
{
    const struct region *roll = &l->roll;
    int columns = roll->columns < LIST_COLUMNS ? roll->columns : LIST_COLUMNS;
    int most = roll->rows - 2, n = all->n < CELLS_MAX ? (int)all->n : CELLS_MAX;
    int rows = n ? n + 1 : 2; /* when it is empty it says so */
    rows = rows < most ? rows : most;
    if (l->too_small || rows < 2)
        return (struct region){0};
    return (struct region){roll->column + roll->columns - columns, roll->row, columns,
                           rows};
}

/* The first that is shown: the chosen one is about in the middle. */
static int first_shown(const struct region *r, const struct signs *all, int chosen)
{
    int room = r->rows - 1, first = chosen - room / 2, last = (int)all->n - room;
    first = first < last ? first : last;
    return first > 0 ? first : 0;
}

int map_list_at(const struct layout *l, const struct signs *all, int chosen, int column,
                int row)
{
    struct region r = map_list_region(l, all);
    int i = first_shown(&r, all, chosen) + row - r.row - 1;
    return region_has(&r, column, row) && row > r.row && i < (int)all->n ? i : -1;
}

/* -- drawing -- */

static void fill_row(const struct paint *p, const struct region *r, int row,
                     uint32_t ink, uint32_t ground, int attr)
{
    for (int i = 0; i < r->columns; i++)
        cells_put(p->c, r->column + i, row, ' ', ink, ground, attr);
}

static void paint_head(const struct paint *p, const struct region *r)
{
    int attr = theme_paints(p->t) ? 0 : ATTR_UNDERLINE;
    fill_row(p, r, r->row, p->t->quiet, p->t->panel, attr);
    cells_text(p->c, r->column, r->row, r->columns, "   bar beat   what changes here",
               p->t->quiet, COLOUR_KEEP, attr);
}

/* " 012.3.120  tempo   ♩=96": bar, beat, ticks past it. The chosen one stands on the
 * accent, whatever the colours. */
static void paint_row(const struct paint *p, const struct region *r, int row,
                      const struct sign *g, bool is_chosen)
{
    char text[80], words[SIGN_WORDS_BYTES];
    const struct timeline *t = &p->v->score->timeline;
    struct bar bar = timeline_bar_at(t, g->tick);
    int64_t beat = timeline_beat_ticks(t, g->tick), into = g->tick - bar.start;
    uint32_t ink = is_chosen ? p->t->on_accent : p->t->text;
    int attr = is_chosen ? ATTR_BOLD : 0;
    if (is_chosen && p->t->depth == DEPTH_MONO)
        attr |= ATTR_REVERSE;
    fill_row(p, r, row, ink, is_chosen ? p->t->accent : p->t->bar, attr);
    snprintf(text, sizeof text, " %03" PRId64 ".%" PRId64 ".%03" PRId64, bar.index + 1,
             into / beat + 1, into % beat);
    cells_text(p->c, r->column, row, WORDS_AT - 8, text, ink, COLOUR_KEEP, attr);
    cells_text(p->c, r->column + WORDS_AT - 8, row, 8, sign_kind_name(g->kind),
               is_chosen ? ink : p->t->quiet, COLOUR_KEEP, attr);
    cells_text(p->c, r->column + WORDS_AT, row, r->columns - WORDS_AT - 1,
               sign_words(p->v->score, g, words), ink, COLOUR_KEEP, attr);
}

void paint_map_list(const struct paint *p)
{
    const struct signs *all = p->v->map_list;
    struct region r = {0};
    if (all)
        r = map_list_region(&p->l, all);
    if (!r.rows)
        return;
    paint_head(p, &r);
    if (!all->n) {
        fill_row(p, &r, r.row + 1, p->t->text, p->t->bar, 0);
        cells_text(p->c, r.column + 1, r.row + 1, r.columns - 1, "nothing yet: a adds",
                   p->t->text, COLOUR_KEEP, 0);
    }
    int first = first_shown(&r, all, p->v->map_chosen);
    for (int row = 1; row < r.rows && first + row - 1 < (int)all->n; row++)
        paint_row(p, &r, r.row + row, &all->list[first + row - 1],
                  first + row - 1 == p->v->map_chosen);
}
