#include "tui/palette.h"

#include "tui/box.h"
#include "tui/text.h"

#include <stdio.h>

enum {
    MOST_COLUMNS = 76,
    MOST_LINES = 16,
    MARGIN = 2,  /* from the frame to the text, the border among it */
    BORDERS = 3, /* rows that are no lines: the frame's, and what is typed */
};

static int least(int a, int b)
{
    return a < b ? a : b;
}

int palette_room(const struct layout *l)
{
    int room = least(l->roll.rows - BORDERS, MOST_LINES);
    return room > 1 ? room : 1;
}

struct region palette_region(const struct layout *l, int n_lines)
{
    int columns = least(l->columns - 2, MOST_COLUMNS), rows = n_lines > 0 ? n_lines : 1;
    return (struct region){(l->columns - columns) / 2, l->roll.row, columns,
                           least(rows, palette_room(l)) + BORDERS};
}

int palette_line_at(const struct layout *l, int n_lines, int column, int row)
{
    struct region r = palette_region(l, n_lines);
    struct region lines = {r.column + 1, r.row + 2, r.columns - 2,
                           least(n_lines, palette_room(l))};
    return region_has(&lines, column, row) ? row - lines.row : -1;
}

static void mark(const struct paint *p, int column, int row)
{
    struct cell *cell = cells_at(p->c, column, row);
    if (!cell)
        return;
    cell->fg = p->t->accent;
    cell->attr |= ATTR_BOLD;
}

/* What was typed of it stands out. */
static void paint_text(const struct paint *p, int column, int row, int columns,
                       const struct palette_line *line)
{
    const char *text = line->text;
    int end = column +
              cells_text(p->c, column, row, columns, text, p->t->text, COLOUR_KEEP, 0);
    bool is_cut = text_columns(text) > columns;
    for (int at = 0; at < 64 && *text && column < end - is_cut;) {
        const char *before = text;
        uint32_t code = text_next(&text);
        if (line->marks >> at & 1)
            mark(p, column, row);
        column += text_width(code);
        at += (int)(text - before);
    }
}

static void paint_line(const struct paint *p, const struct region *r, int row,
                       const struct palette_line *line)
{
    char about[80];
    snprintf(about, sizeof about, "%s%s%s", line->kind,
             *line->kind && *line->keys ? " " : "", line->keys);
    int left = r->column + MARGIN, end = r->column + r->columns - MARGIN;
    int columns = text_columns(about), keys = text_columns(line->keys);
    columns = least(columns, r->columns / 2);
    paint_text(p, left, row, end - left - columns - 1, line);
    cells_text(p->c, end - columns, row, columns, about, p->t->quiet, COLOUR_KEEP, 0);
    if (keys && keys <= columns)
        cells_text(p->c, end - keys, row, keys, line->keys, p->t->accent, COLOUR_KEEP,
                   0);
}

/* The end of what is typed stays in sight, and the terminal's cursor is in it. */
static void paint_typed(const struct paint *p, const struct region *r)
{
    int left = r->column + MARGIN, room = r->columns - 2 * MARGIN - 3;
    cells_put(p->c, left, r->row + 1, '>', p->t->accent, COLOUR_KEEP, ATTR_BOLD);
    paint_input(p, left + 2, r->row + 1, room);
}

static void paint_how_many(const struct paint *p, const struct region *r)
{
    char text[32];
    snprintf(text, sizeof text, " %d ", p->v->palette->n_found);
    int columns = text_columns(text);
    cells_text(p->c, r->column + r->columns - columns - 2, r->row + r->rows - 1,
               columns, text, p->t->quiet, COLOUR_KEEP, 0);
}

void paint_palette(const struct paint *p)
{
    const struct palette_view *found = p->v->palette;
    if (!found || p->v->mode != MODE_PALETTE)
        return;
    struct region r = palette_region(&p->l, found->n_lines);
    box_paint(p, &r, "find");
    paint_typed(p, &r);
    int n = least(found->n_lines, palette_room(&p->l));
    for (int i = 0; i < n; i++) {
        paint_line(p, &r, r.row + 2 + i, &found->lines[i]);
        if (i == found->chosen)
            box_mark_line(p, &r, r.row + 2 + i);
    }
    if (n == 0)
        cells_text(p->c, r.column + MARGIN, r.row + 2, r.columns - 2 * MARGIN,
                   "nothing is called that", p->t->quiet, COLOUR_KEEP, 0);
    paint_how_many(p, &r);
}
