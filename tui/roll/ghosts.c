/* What the machine proposes, hatched over the notes. */
#include "tui/paint/span.h"
#include "tui/base/text.h"

#define KEPT_MARK "*"

enum { DOT = 0xB7, LIGHT_SHADE = 0x2591, MEDIUM_SHADE = 0x2592, DARK_SHADE = 0x2593 };

struct look {
    uint32_t colour, fill;
};

/* Hatched; on request the denser, the surer the model was, in steps that dots and
 * shades tell apart where colour cannot. */
static struct look ghost_look(const struct paint *p, const struct ghost *g)
{
    static const uint32_t DENSITY[] = {DOT, LIGHT_SHADE, MEDIUM_SHADE, DARK_SHADE};
    struct look look = {theme_track(p->t, paint_hue(p, g->track)), MEDIUM_SHADE};
    if (p->t->depth == DEPTH_MONO) /* other tracks have that shade */
        look.fill = LIGHT_SHADE;
    if (!p->v->ghosts.by_probability || !(g->probability >= 0))
        return look;
    int step = g->probability >= 0.75f   ? 3
               : g->probability >= 0.5f  ? 2
               : g->probability >= 0.25f ? 1
                                         : 0;
    look.fill = DENSITY[step];
    if (!theme_paints(p->t))
        return look;
    double unsure = 1 - (double)g->probability;
    look.colour = theme_mix(look.colour, p->t->row_white, 0.6 * unsure);
    look.fill = step < 2 ? LIGHT_SHADE : look.fill;
    return look;
}

/* One that is kept has its name in a box, or a mark where that has no room. */
static void name_ghost(const struct paint *p, const struct ghost *g,
                       const struct span *s)
{
    char name[PITCH_NAME_BYTES];
    pitch_name(g->note.pitch, p->sharps, name);
    if (!g->is_kept) {
        span_label(p, s, name, p->t->accent, ATTR_BOLD);
        return;
    }
    int row = span_label_row(p, s), room = s->to / 2 - s->from / 2;
    if (row >= 0)
        cells_text(p->c, p->l.roll.column + s->from / 2, row, room > 0 ? room : 1,
                   text_columns(name) <= room ? name : KEPT_MARK, p->t->on_accent,
                   p->t->accent,
                   ATTR_BOLD | (p->t->depth == DEPTH_MONO ? ATTR_REVERSE : 0));
}

static void paint_ghost(const struct paint *p, const struct ghost *g)
{
    struct span s;
    if (g->note.pitch > 127 || !span_of(p, &g->note, &s))
        return;
    struct look look = ghost_look(p, g);
    for (int i = 0; i < p->port.rows_per_pitch; i++)
        for (int column = s.from / 2; column < (s.to + 1) / 2; column++)
            if (region_has(&p->l.roll, p->l.roll.column + column, s.row + i))
                cells_put(p->c, p->l.roll.column + column, s.row + i, look.fill,
                          look.colour, COLOUR_KEEP, 0);
    s.from -= s.from % 2;
    name_ghost(p, g, &s);
}

void paint_ghosts(const struct paint *p)
{
    int64_t right = p->port.left_tick + p->port.ticks_per_column * p->l.roll.columns;
    for (size_t i = 0; i < p->v->ghosts.n; i++) {
        const struct note *n = &p->v->ghosts.notes[i].note;
        bool over =
            n->start < p->port.left_tick && n->length <= p->port.left_tick - n->start;
        if (n->start < right && !over)
            paint_ghost(p, &p->v->ghosts.notes[i]);
    }
}
