/* The steering panel, at the roll's left: new notes are most often at the right. */
#include "tui/panels/panels.h"

#include "tui/paint/paint.h"

enum {
    MOST_COLUMNS = 64,
    NAME = 13,  /* columns, as below */
    VALUE = 20, /* fits the longest seed */
    LEAST = 8,  /* narrower sliders say nothing */
};

struct steer_panel steer_panel_for(const struct layout *l, int n_lines, int chosen)
{
    static const struct list_shape SHAPE = {
        .place = LIST_AT_LEFT, .columns = MOST_COLUMNS, .below = 1};
    /* The first page does not scroll, so that a second click hits the same line. */
    struct steer_panel p = {.box = list_box_from(l, &SHAPE, n_lines, 0)};
    if (chosen >= p.box.n_shown)
        p.box = list_box_from(l, &SHAPE, n_lines, n_lines);
    const struct region *f = &p.box.frame;
    int end = f->column + f->columns - LIST_MARGIN;
    p.less = f->column + LIST_MARGIN + NAME;
    p.value = p.less + 2;
    p.n_value = end - p.value - 2 < VALUE ? end - p.value - 2 : VALUE;
    p.more = p.value + p.n_value + 1;
    p.slider = p.more + 2;
    p.n_slider = end - p.slider >= LEAST ? end - p.slider : 0;
    return p;
}

static void paint_value(const struct paint *p, const struct list_box *b, int i)
{
    const struct steer_view *v = &p->v->steer;
    const struct steer_line *line = &v->lines[i];
    const struct steer_panel here = steer_panel_for(&p->l, v->n, v->chosen),
                             *panel = &here;
    struct list_row r = list_paint_item(p, b, i, i == v->chosen);
    uint32_t ink = line->is_set ? r.accent : r.quiet;
    list_write(p, &r, r.column, NAME, line->name, r.ink, 0);
    list_write(p, &r, panel->value, panel->n_value, line->value, ink,
               line->is_set ? ATTR_BOLD : 0);
    if (panel->n_slider && line->share >= 0) {
        double share = line->share < 1 ? line->share : 1;
        int knob = (int)(share * (panel->n_slider - 1) + 0.5);
        for (int k = 0; k < panel->n_slider; k++)
            list_write(p, &r, panel->slider + k, 1, "─", r.faint, 0);
        list_write(p, &r, panel->slider + knob, 1, "●", ink, 0);
    }
    if (r.is_chosen) {
        list_write(p, &r, panel->less, 1, "◂", r.accent, 0);
        list_write(p, &r, panel->more, 1, "▸", r.accent, 0);
    }
}

void paint_steer_panel(const struct paint *p)
{
    const struct steer_view *v = &p->v->steer;
    struct list_box b = steer_panel_for(&p->l, v->n, v->chosen).box;
    if (v->n <= 0 || !b.frame.rows)
        return;
    list_paint(p, &b, "settings of the machine", "", paint_value);
    struct list_row r = list_plain_row(p, &b, b.frame.row + b.frame.rows - 2);
    if (v->chosen >= 0 && v->chosen < v->n)
        list_write(p, &r, r.column, r.end - r.column, v->lines[v->chosen].help, r.quiet,
                   0);
}

void paint_steer_summary(const struct paint *p, int column, int end)
{
    enum { GAP = 3, LEAST_ROOM = 12 };
    const char *summary = p->v->steer.summary;
    if (summary && *summary && end - column - GAP >= LEAST_ROOM)
        paint_text(p, column + GAP, p->l.status.row, end - column - GAP, summary,
                   p->t->accent, 0);
}
