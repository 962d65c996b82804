/* The steering panel. At the roll's left: what the machine has written is most often at
 * the right. */
#include "tui/steer_panel.h"

#include "tui/paint.h"
#include "tui/text.h"

#include <string.h>

enum {
    MOST_COLUMNS = 64,
    MARGIN = 2,  /* from the frame to the text, the border among it */
    BORDERS = 3, /* rows that are no lines: two of the frame, one of help */
    NAME = 13,   /* columns */
    VALUE = 20,  /* the longest seed */
    LEAST = 8,   /* columns of a slider that says anything */
};

static int least(int a, int b)
{
    return a < b ? a : b;
}

static void place_lines(struct steer_panel *p, const struct layout *l, int n_lines,
                        int chosen)
{
    int room = l->roll.rows - BORDERS;
    p->n_shown = least(n_lines, room > 1 ? room : 1);
    p->first = chosen - p->n_shown / 2;
    p->first = least(p->first, n_lines - p->n_shown);
    p->first = p->first > 0 ? p->first : 0;
}

struct steer_panel steer_panel_for(const struct layout *l, int n_lines, int chosen)
{
    struct steer_panel p = {0};
    place_lines(&p, l, n_lines, chosen);
    p.frame =
        (struct region){l->roll.column, l->roll.row,
                        least(l->roll.columns, MOST_COLUMNS), p.n_shown + BORDERS};
    int end = p.frame.column + p.frame.columns - MARGIN;
    p.less = p.frame.column + MARGIN + NAME;
    p.value = p.less + 2;
    p.n_value = least(VALUE, end - p.value - 2);
    p.more = p.value + p.n_value + 1;
    p.slider = p.more + 2;
    p.n_slider = end - p.slider >= LEAST ? end - p.slider : 0;
    return p;
}

int steer_panel_line_at(const struct steer_panel *p, int column, int row)
{
    struct region lines = {p->frame.column + 1, p->frame.row + 1, p->frame.columns - 2,
                           p->n_shown};
    return region_has(&lines, column, row) ? p->first + row - lines.row : -1;
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

static void paint_frame(const struct paint *p, const struct region *f)
{
    int bottom = f->row + f->rows - 1;
    frame_row(p, f, f->row, 0x250C, 0x2500, 0x2510);
    for (int row = f->row + 1; row < bottom; row++)
        frame_row(p, f, row, 0x2502, ' ', 0x2502);
    frame_row(p, f, bottom, 0x2514, 0x2500, 0x2518);
    cells_text(p->c, f->column + MARGIN, f->row, f->columns - 2 * MARGIN,
               " what the machine is to do ", p->t->accent, COLOUR_KEEP, ATTR_BOLD);
}

/* Where there are lines out of sight. */
static void paint_more_lines(const struct paint *p, const struct steer_panel *panel)
{
    int column = panel->frame.column + panel->frame.columns - MARGIN - 1;
    if (panel->first > 0)
        cells_put(p->c, column, panel->frame.row, 0x2191, p->t->accent, COLOUR_KEEP, 0);
    if (panel->first + panel->n_shown < p->v->n_steer_lines)
        cells_put(p->c, column, panel->frame.row + panel->frame.rows - 1, 0x2193,
                  p->t->accent, COLOUR_KEEP, 0);
}

static void paint_slider(const struct paint *p, const struct steer_panel *panel,
                         int row, const struct steer_line *line, uint32_t ink)
{
    double share = line->share < 1 ? line->share : 1;
    int knob = (int)(share * (panel->n_slider - 1) + 0.5);
    for (int i = 0; i < panel->n_slider; i++)
        cells_put(p->c, panel->slider + i, row, 0x2500, p->t->faint, COLOUR_KEEP, 0);
    if (line->share >= 0)
        cells_put(p->c, panel->slider + knob, row, 0x25CF, ink, COLOUR_KEEP, 0);
}

static void paint_line(const struct paint *p, const struct steer_panel *panel, int row,
                       const struct steer_line *line)
{
    uint32_t ink = line->is_set ? p->t->accent : p->t->quiet;
    cells_text(p->c, panel->frame.column + MARGIN, row, NAME, line->name, p->t->text,
               COLOUR_KEEP, 0);
    cells_text(p->c, panel->value, row, panel->n_value, line->value, ink, COLOUR_KEEP,
               line->is_set ? ATTR_BOLD : 0);
    if (panel->n_slider && line->share >= 0)
        paint_slider(p, panel, row, line, ink);
}

/* Between the borders: a ground of its own, or the reverse of what is there. */
static void mark_chosen(const struct paint *p, const struct steer_panel *panel, int row)
{
    const struct region *f = &panel->frame;
    cells_put(p->c, panel->less, row, 0x25C2, p->t->accent, COLOUR_KEEP, ATTR_BOLD);
    cells_put(p->c, panel->more, row, 0x25B8, p->t->accent, COLOUR_KEEP, ATTR_BOLD);
    for (int column = f->column + 1; column < f->column + f->columns - 1; column++) {
        struct cell *cell = cells_at(p->c, column, row);
        if (theme_paints(p->t)) {
            cell->bg = theme_mix(p->t->panel, p->t->accent, 0.2);
        } else if (p->t->depth == DEPTH_16) { /* bold would be another yellow */
            cell->fg = p->t->accent;
            cell->attr = ATTR_REVERSE;
        } else {
            cell->attr |= ATTR_REVERSE;
        }
    }
}

void paint_steer_panel(const struct paint *p)
{
    const struct view *v = p->v;
    if (v->n_steer_lines <= 0)
        return;
    struct steer_panel panel =
        steer_panel_for(&p->l, v->n_steer_lines, v->steer_chosen);
    paint_frame(p, &panel.frame);
    paint_more_lines(p, &panel);
    for (int i = 0; i < panel.n_shown; i++) {
        int row = panel.frame.row + 1 + i, line = panel.first + i;
        paint_line(p, &panel, row, &v->steer_lines[line]);
        if (line == v->steer_chosen)
            mark_chosen(p, &panel, row);
    }
    if (v->steer_chosen >= 0 && v->steer_chosen < v->n_steer_lines)
        cells_text(p->c, panel.frame.column + MARGIN,
                   panel.frame.row + panel.n_shown + 1,
                   panel.frame.columns - 2 * MARGIN,
                   v->steer_lines[v->steer_chosen].help, p->t->quiet, COLOUR_KEEP, 0);
}

void paint_wishes(const struct paint *p, int column, int end)
{
    enum { GAP = 3, LEAST_ROOM = 12 };
    const char *summary = p->v->steer_summary;
    if (summary && *summary && end - column - GAP >= LEAST_ROOM)
        cells_text(p->c, column + GAP, p->l.status.row, end - column - GAP, summary,
                   p->t->accent, COLOUR_KEEP, 0);
}
