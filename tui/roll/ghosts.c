/* Notes over those of the score: the ghosts of the shown take, and drafts that the mouse
 * holds. */
#include "tui/roll/roll.h"
#include "tui/base/text.h"

#define KEPT_MARK "*"

enum {
    DOT = 0xB7,
    DOUBLE_LINE = 0x2550,
    LIGHT_SHADE = 0x2591,
    MEDIUM_SHADE = 0x2592,
    DARK_SHADE = 0x2593,
};

struct note_style {
    uint32_t colour, fill;
};

/* Ghosts are hatched, but those of a motif that returns are lines. On request the hatching
 * is denser the surer the model was, in steps of dots and shades that need no colour. */
static struct note_style ghost_style(const struct paint *p, const struct ghost *g)
{
    static const uint32_t DENSITY[] = {DOT, LIGHT_SHADE, MEDIUM_SHADE, DARK_SHADE};
    struct note_style style = {theme_track(p->t, paint_colour_index(p, g->track)),
                               MEDIUM_SHADE};
    if (p->t->depth == DEPTH_MONO) /* other tracks have the medium shade */
        style.fill = LIGHT_SHADE;
    if (ghost_is_of_motif(g, &p->v->ghosts))
        style.fill = DOUBLE_LINE;
    if (!p->v->ghosts.by_probability || !(g->probability >= 0))
        return style;
    int step = g->probability >= 0.75f   ? 3
               : g->probability >= 0.5f  ? 2
               : g->probability >= 0.25f ? 1
                                         : 0;
    style.fill = DENSITY[step];
    if (!theme_paints(p->t))
        return style;
    double unsure = 1 - (double)g->probability;
    style.colour = theme_mix(style.colour, p->t->row_white, 0.6 * unsure);
    style.fill = step < 2 ? LIGHT_SHADE : style.fill;
    return style;
}

/* Fills all cells that the span touches. */
static void fill_cells(const struct paint *p, const struct span *s, uint32_t glyph,
                       uint32_t ink, uint32_t ground, int attr)
{
    for (int i = 0; i < p->port.rows_per_pitch; i++)
        for (int column = s->from / 2; column < (s->to + 1) / 2; column++)
            if (region_has(&p->l.roll, p->l.roll.column + column, s->row + i))
                cells_put(p->c, p->l.roll.column + column, s->row + i, glyph, ink,
                          ground, attr);
}

void paint_ghosts(const struct paint *p)
{
    for (size_t i = 0; i < p->v->ghosts.n; i++) {
        const struct ghost *g = &p->v->ghosts.notes[i];
        struct span s;
        if (!paint_has_rows_for(p, g->track) || !span_of(p, &g->note, &s))
            continue;
        struct note_style style = ghost_style(p, g);
        fill_cells(p, &s, style.fill, style.colour, COLOUR_KEEP, 0);
        s.from -= s.from % 2;
        /* A kept ghost has its name on a solid ground, or a mark if there is no room. */
        char name[PITCH_NAME_BYTES];
        pitch_name(g->note.pitch, p->sharps, name);
        int row = span_label_row(p, &s), room = s.to / 2 - s.from / 2;
        if (!g->is_kept && !p->v->kit.is_shown)
            span_label(p, &s, name, p->t->accent, ATTR_BOLD);
        else if (g->is_kept && row >= 0)
            cells_text(p->c, p->l.roll.column + s.from / 2, row, MAX(room, 1),
                       text_columns(name) <= room ? name : KEPT_MARK, p->t->on_accent,
                       p->t->accent, theme_badge_attr(p->t));
    }
}

void paint_drafts(const struct paint *p)
{
    const int attr = theme_badge_attr(p->t);
    for (size_t i = 0; i < p->v->drafts.n; i++) {
        const struct ghost *g = &p->v->drafts.notes[i];
        struct span s;
        char name[PITCH_NAME_BYTES];
        if (!paint_has_rows_for(p, g->track) || !span_of(p, &g->note, &s))
            continue;
        fill_cells(p, &s, ' ', p->t->on_accent, p->t->accent, attr);
        s.from -= s.from % 2;
        s.to += s.to % 2;
        pitch_name(g->note.pitch, p->sharps, name);
        span_label(p, &s, name, p->t->on_accent, attr);
    }
}
