#include "tui/panels/panels.h"

#include "tui/paint/paint.h"
#include "tui/base/text.h"

#include <stdio.h>

struct list_box palette_box(const struct layout *l, size_t n_found, size_t chosen)
{
    static const struct list_shape SHAPE = {.place = LIST_AT_MIDDLE,
                                            .columns = 76,
                                            .above = 1,
                                            .most_items = PALETTE_MOST_LINES};
    return list_box_for(l, &SHAPE, list_count(n_found), list_count(chosen));
}

/* Marks the characters that match the typed text. */
static void paint_match(const struct paint *p, const struct list_row *r, int columns,
                        const struct palette_line *line)
{
    const char *text = line->text;
    int column = r->column,
        end = column + list_write(p, r, column, columns, text, r->ink, 0);
    bool is_cut = text_columns(text) > columns;
    for (int at = 0; at < 64 && *text && column < end - is_cut;) {
        const char *before = text;
        uint32_t code = text_next(&text);
        struct cell *cell = cells_at(p->c, column, r->row);
        if (cell && line->marks >> at & 1) {
            cell->fg = r->accent;
            cell->attr |= r->is_chosen ? ATTR_UNDERLINE : ATTR_BOLD;
        }
        column += text_width(code);
        at += (int)(text - before);
    }
}

static void paint_found_line(const struct paint *p, const struct list_box *b, int i)
{
    const struct palette_view *found = p->v->palette;
    struct list_row r = list_paint_item(p, b, i, i == found->chosen);
    if (i >= found->first && i < found->first + found->n_lines) {
        const struct palette_line *line = &found->lines[i - found->first];
        char about[80];
        snprintf(about, sizeof about, "%s%s%s", line->kind,
                 *line->kind && *line->keys ? " " : "", line->keys);
        int columns = text_columns(about), keys = text_columns(line->keys);
        int most = (r.end - r.column) / 2 + LIST_MARGIN;
        columns = columns < most ? columns : most;
        paint_match(p, &r, r.end - r.column - columns - 1, line);
        list_write(p, &r, r.end - columns, columns, about, r.quiet, 0);
        if (keys && keys <= columns)
            list_write(p, &r, r.end - keys, keys, line->keys, r.accent, 0);
    }
}

void paint_palette(const struct paint *p)
{
    const struct palette_view *found = p->v->palette;
    if (!found || p->v->mode != MODE_PALETTE)
        return;
    struct list_box b =
        palette_box(&p->l, (size_t)found->n_found, (size_t)found->chosen);
    list_paint(p, &b, "find", "nothing found", paint_found_line);
    struct list_row r = list_plain_row(p, &b, b.frame.row + 1);
    list_write(p, &r, r.column, 1, ">", r.accent, ATTR_BOLD);
    paint_input(p, r.column + 2, r.row, r.end - r.column - 3);
}
