/* See history_list.h. A branch is a column of the drawing: a state stands in the column
 * of the newest thing that was done after it, and other branches that began at it come in
 * from the right. */
#include "tui/history_list.h"

#include "tui/paint.h"

#include <inttypes.h>
#include <stdio.h>

enum {
    MOST_COLUMNS = 50,
    MARGIN = 2, /* from the frame to the text, the border among it */
    NUMBER = 5,
    WHEN = 9,
};

struct region history_list_region(const struct layout *l, size_t n)
{
    const struct region *roll = &l->roll;
    int columns = roll->columns < MOST_COLUMNS ? roll->columns : MOST_COLUMNS;
    int most = roll->rows - 1;
    int rows = n + 2 < (size_t)(most > 0 ? most : 0) ? (int)n + 2 : most;
    if (l->too_small || n == 0 || rows < 3)
        return (struct region){0};
    return (struct region){roll->column + roll->columns - columns, roll->row, columns,
                           rows};
}

size_t history_list_first(const struct layout *l, size_t n, size_t chosen)
{
    int rows = history_list_region(l, n).rows - 2;
    size_t room = rows > 0 ? (size_t)rows : 0;
    if (n <= room || chosen < room / 2)
        return 0;
    size_t first = chosen - room / 2;
    return first < n - room ? first : n - room;
}

size_t history_list_at(const struct layout *l, size_t n, size_t chosen, int column,
                       int row)
{
    struct region r = history_list_region(l, n);
    struct region lines = {r.column + 1, r.row + 1, r.columns - 2, r.rows - 2};
    if (!r.rows || !region_has(&lines, column, row))
        return n;
    size_t i = history_list_first(l, n, chosen) + (size_t)(row - lines.row);
    return i < n ? i : n;
}

/* -- drawing -- */

static void frame_row(const struct paint *p, const struct region *f, int row,
                      uint32_t left, uint32_t between, uint32_t right)
{
    int last = f->column + f->columns - 1;
    for (int column = f->column; column <= last; column++) {
        uint32_t glyph = column == f->column ? left : column == last ? right : between;
        cells_put(p->c, column, row, glyph, p->t->quiet, p->t->panel, 0);
    }
}

static void paint_frame(const struct paint *p, const struct region *f, bool more_above,
                        bool more_below)
{
    int bottom = f->row + f->rows - 1, mark = f->column + f->columns - MARGIN - 1;
    frame_row(p, f, f->row, 0x250C, 0x2500, 0x2510);
    for (int row = f->row + 1; row < bottom; row++)
        frame_row(p, f, row, 0x2502, ' ', 0x2502);
    frame_row(p, f, bottom, 0x2514, 0x2500, 0x2518);
    cells_text(p->c, f->column + MARGIN, f->row, f->columns - 2 * MARGIN,
               " what was done ", p->t->accent, COLOUR_KEEP, ATTR_BOLD);
    if (more_above)
        cells_put(p->c, mark, f->row, 0x2191, p->t->accent, COLOUR_KEEP, 0);
    if (more_below)
        cells_put(p->c, mark, bottom, 0x2193, p->t->accent, COLOUR_KEEP, 0);
}

/* The lane that comes into this one from furthest right; its own: none does. */
static int last_joining(const struct history_row *h)
{
    int last = h->lane;
    for (int lane = h->lane + 1; lane < HISTORY_LANES; lane++)
        if (h->joining >> lane & 1)
            last = lane;
    return last;
}

static uint32_t glyph_at(const struct history_row *h, int lane, int last)
{
    if (lane == h->lane)
        return h->is_present ? 0x25CF : 0x25CB;
    bool is_crossed = lane > h->lane && lane < last;
    if (h->joining >> lane & 1)
        return lane == last ? 0x2518 : 0x2534;
    if (h->passing >> lane & 1)
        return is_crossed ? 0x253C : 0x2502;
    return is_crossed ? 0x2500 : ' ';
}

/* Returns the columns used. */
static int paint_branches(const struct paint *p, int column, int row,
                          const struct history_row *h, int n_lanes, uint32_t ink,
                          int attr)
{
    int last = last_joining(h);
    for (int lane = 0; lane < n_lanes; lane++) {
        bool is_node = lane == h->lane;
        uint32_t colour = is_node ? ink : h->is_present ? ink : p->t->quiet;
        cells_put(p->c, column + lane, row, glyph_at(h, lane, last), colour,
                  COLOUR_KEEP, is_node ? attr | ATTR_BOLD : attr);
    }
    return n_lanes + 1;
}

/* The present state stands on the accent, whatever the colours. */
static void paint_row(const struct paint *p, const struct region *f, int row,
                      const struct history_row *h, int n_lanes)
{
    char text[160], number[16];
    uint32_t ground = h->is_present ? p->t->accent : p->t->panel;
    uint32_t ink = h->is_present  ? p->t->on_accent
                   : h->is_on_way ? p->t->text
                                  : p->t->quiet;
    int attr = h->is_present ? ATTR_BOLD : 0;
    if (h->is_present && p->t->depth == DEPTH_MONO)
        attr |= ATTR_REVERSE;
    for (int i = 1; i < f->columns - 1; i++)
        cells_put(p->c, f->column + i, row, ' ', ink, ground, attr);
    int end = f->column + f->columns - MARGIN, at = f->column + MARGIN;
    at += paint_branches(p, at, row, h, n_lanes, ink, attr);
    snprintf(number, sizeof number, "%4" PRIu64, h->state);
    cells_text(p->c, at, row, NUMBER, number, ink, COLOUR_KEEP, attr);
    at += NUMBER;
    snprintf(text, sizeof text, "%s%s", h->label, h->is_saved ? "  (saved)" : "");
    if (end - at > WHEN)
        cells_text(p->c, at, row, end - at - WHEN, text, ink, COLOUR_KEEP, attr);
    if (end - at > WHEN)
        cells_text(p->c, end - WHEN + 1, row, WHEN - 1, h->when, ink, COLOUR_KEEP,
                   attr);
}

static int lanes_used(const struct history_row *rows, size_t n)
{
    unsigned used = 1;
    for (size_t i = 0; i < n; i++)
        used |= rows[i].passing | rows[i].joining | 1u << rows[i].lane;
    int n_lanes = 0;
    while (used >> n_lanes)
        n_lanes++;
    return n_lanes;
}

void paint_history_list(const struct paint *p)
{
    const struct view *v = p->v;
    struct region f = history_list_region(&p->l, v->n_history);
    if (!f.rows)
        return;
    size_t first = history_list_first(&p->l, v->n_history, v->history_chosen);
    size_t room = (size_t)(f.rows - 2), n = v->n_history - first;
    n = n < room ? n : room;
    paint_frame(p, &f, first > 0, first + n < v->n_history);
    int n_lanes = lanes_used(v->history + first, n);
    for (size_t i = 0; i < n; i++)
        paint_row(p, &f, f.row + 1 + (int)i, &v->history[first + i], n_lanes);
}
