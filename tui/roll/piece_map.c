/* What lies over the map of the piece (lanes.c paints its ground): what is chosen, the
 * loop, markers, and where it plays. */
#include "tui/paint/paint.h"

/* -1: past the music's end. */
static int map_column(const struct paint *p, int64_t tick)
{
    const struct region *r = &p->l.map;
    double share = (double)tick / ((double)survey_end_tick(p->survey) + 1);
    return share >= 0 && share < 1 ? r->column + (int)(share * r->columns) : -1;
}

/* Of [from, to); what goes on past the end goes up to it. */
static void mark_span(const struct paint *p, int64_t from, int64_t to, double share)
{
    const struct region *r = &p->l.map;
    int first = map_column(p, from), last = map_column(p, to > from ? to - 1 : from);
    if (first < 0)
        return;
    last = last < 0 ? r->column + r->columns - 1 : last;
    for (int column = first; column <= last; column++) {
        struct cell *cell = cells_at(p->c, column, r->row);
        if (theme_paints(p->t))
            cell->bg = theme_mix(cell->bg, p->t->accent, share);
        else
            cell->attr |= ATTR_UNDERLINE;
    }
}

static void put(const struct paint *p, int64_t tick, uint32_t glyph, uint32_t ink)
{
    int column = map_column(p, tick);
    if (column >= 0)
        cells_put(p->c, column, p->l.map.row, glyph, ink, COLOUR_KEEP, ATTR_BOLD);
}

static void mark_loop(const struct paint *p)
{
    const struct view *v = p->v;
    uint32_t ink = v->transport.loop_on ? p->t->accent : p->t->quiet;
    mark_span(p, v->transport.loop_from, v->transport.loop_to,
              v->transport.loop_on ? 0.3 : 0.1);
    put(p, v->transport.loop_from, '[', ink);
    put(p, v->transport.loop_to - 1, ']', ink);
}

void paint_piece_map(const struct paint *p)
{
    const struct view *v = p->v;
    const struct signs *signs = survey_signs(p->survey);
    if (!p->l.map.rows)
        return;
    if (v->selection.has_box)
        mark_span(p, v->selection.box.from, v->selection.box.to, 0.5);
    if (v->transport.has_loop)
        mark_loop(p);
    for (size_t i = 0; i < signs->n; i++)
        if (signs->list[i].kind == SIGN_MARKER)
            put(p, signs->list[i].tick, 0x25BC, p->t->text);
    put(p, v->cursor.tick, 0x2503, p->t->accent);
    if (v->transport.is_playing && v->transport.tick < 9e18)
        put(p, (int64_t)v->transport.tick, 0x2502, p->t->playhead);
}
