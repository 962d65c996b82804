/* Notes that the mouse holds, where they would lie if it let go. */
#include "tui/paint/span.h"

static void paint_draft(const struct paint *p, const struct ghost *g)
{
    struct span s;
    char name[PITCH_NAME_BYTES];
    int attr = ATTR_BOLD | (p->t->depth == DEPTH_MONO ? ATTR_REVERSE : 0);
    if (g->note.pitch > 127 || !span_of(p, &g->note, &s))
        return;
    for (int i = 0; i < p->port.rows_per_pitch; i++)
        for (int column = s.from / 2; column < (s.to + 1) / 2; column++)
            if (region_has(&p->l.roll, p->l.roll.column + column, s.row + i))
                cells_put(p->c, p->l.roll.column + column, s.row + i, ' ',
                          p->t->on_accent, p->t->accent, attr);
    s.from -= s.from % 2;
    s.to += s.to % 2;
    pitch_name(g->note.pitch, p->sharps, name);
    span_label(p, &s, name, p->t->on_accent, attr);
}

void paint_drafts(const struct paint *p)
{
    for (size_t i = 0; i < p->v->drafts.n; i++)
        paint_draft(p, &p->v->drafts.notes[i]);
}
