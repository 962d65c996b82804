/* Painting over one half of a wide character blanks the other half, so that no column
 * moves. */
#include "tui/cells/cells.h"

#include "tui/base/text.h"

#include <glib.h>
#include <stdlib.h>

bool cells_init(struct cells *c, int columns, int rows)
{
    *c = (struct cells){0};
    return cells_resize(c, columns, rows);
}

bool cells_resize(struct cells *c, int columns, int rows)
{
    columns = CLAMP(columns, 1, CELLS_MAX);
    rows = CLAMP(rows, 1, CELLS_MAX);
    struct cell *grown = realloc(c->at, (size_t)columns * (size_t)rows * sizeof *grown);
    if (!grown)
        return false;
    c->at = grown;
    c->columns = columns;
    c->rows = rows;
    c->cursor_column = c->cursor_row = -1;
    for (int i = 0; i < columns * rows; i++) /* cells_fill would read old cells */
        grown[i] =
            (struct cell){.glyph = ' ', .fg = COLOUR_DEFAULT, .bg = COLOUR_DEFAULT};
    return true;
}

void cells_fini(struct cells *c)
{
    free(c->at);
    *c = (struct cells){0};
}

struct cell *cells_at(struct cells *c, int column, int row)
{
    if (column < 0 || row < 0 || column >= c->columns || row >= c->rows)
        return NULL;
    return &c->at[(size_t)row * (size_t)c->columns + (size_t)column];
}

/* Blanks the other half of a wide glyph that this cell belongs to. */
static void break_wide(struct cells *c, const struct cell *here, int column, int row)
{
    struct cell *left = cells_at(c, column - 1, row);
    struct cell *right = cells_at(c, column + 1, row);
    if (here->glyph == 0 && left)
        left->glyph = ' ';
    if (right && right->glyph == 0)
        right->glyph = ' ';
}

static inline void set(struct cell *cell, uint32_t glyph, uint32_t fg, uint32_t bg,
                       int attr)
{
    cell->glyph = glyph;
    cell->mark = 0;
    if (fg != COLOUR_KEEP)
        cell->fg = fg;
    if (bg != COLOUR_KEEP)
        cell->bg = bg;
    cell->attr = (uint32_t)attr;
}

void cells_fill(struct cells *c, struct region r, uint32_t glyph, uint32_t fg,
                uint32_t bg)
{
    const int left = r.column > 0 ? r.column : 0;
    const int right =
        r.column + r.columns < c->columns ? r.column + r.columns : c->columns;
    const int end = r.row + r.rows < c->rows ? r.row + r.rows : c->rows;
    for (int row = r.row > 0 ? r.row : 0; row < end && left < right; row++) {
        struct cell *cells = cells_at(c, 0, row);
        break_wide(c, &cells[left], left, row);
        break_wide(c, &cells[right - 1], right - 1, row);
        for (int column = left; column < right; column++)
            set(&cells[column], glyph, fg, bg, 0);
    }
}

void cells_put(struct cells *c, int column, int row, uint32_t glyph, uint32_t fg,
               uint32_t bg, int attr)
{
    struct cell *cell = cells_at(c, column, row);
    if (!cell)
        return;
    break_wide(c, cell, column, row);
    set(cell, glyph, fg, bg, attr);
}

int cells_text(struct cells *c, int column, int row, int columns, const char *text,
               uint32_t fg, uint32_t bg, int attr)
{
    if (columns <= 0 || !text)
        return 0;
    int show = text_columns(text) <= columns ? columns : columns - 1, used = 0;
    for (uint32_t code; (code = text_next(&text)) != 0;) {
        const int width = text_width(code), at = column + used;
        if (width == 0) { /* a mark, on the character before it */
            struct cell *cell = used ? cells_at(c, at - 1, row) : NULL;
            if (cell && cell->glyph == 0)
                cell = cells_at(c, at - 2, row);
            if (cell && cell->mark == 0)
                cell->mark = code;
            continue;
        }
        if (used + width > show) {
            cells_put(c, at, row, 0x2026, fg, bg, attr);
            return used + 1;
        }
        /* A wide character that does not fit into the grid is left blank. */
        const bool fits = width == 1 || (at >= 0 && at + 1 < c->columns);
        cells_put(c, at, row, fits ? code : ' ', fg, bg, attr);
        if (width == 2)
            cells_put(c, at + 1, row, fits ? 0 : ' ', fg, bg, attr);
        used += width;
    }
    return used;
}

uint32_t cells_similar_glyph(uint32_t glyph)
{
    static const struct {
        uint32_t from;
        char to;
    } FOLDS[] = {
        {0x00B7, '.'}, {0x00D7, 'x'}, {0x201C, '"'}, {0x201D, '"'}, {0x2013, '-'},
        {0x2014, '-'}, {0x2026, '~'}, {0x2190, '<'}, {0x2191, '^'}, {0x2192, '>'},
        {0x2193, 'v'}, {0x2212, '-'}, {0x2500, '-'}, {0x2502, '|'}, {0x2503, '|'},
        {0x250A, '|'}, {0x254C, '-'}, {0x2580, '"'}, {0x2581, '_'}, {0x2582, '_'},
        {0x2583, '.'}, {0x2584, '-'}, {0x2585, '-'}, {0x2586, '='}, {0x2587, '#'},
        {0x2588, '#'}, {0x258E, '|'}, {0x258F, '|'}, {0x2591, ':'}, {0x2592, '%'},
        {0x2593, '#'}, {0x25AE, '#'}, {0x25AF, '.'}, {0x25A0, '#'}, {0x25B2, '^'},
        {0x25B6, '>'}, {0x25B8, '>'}, {0x25C2, '<'}, {0x25BC, 'v'}, {0x25CF, '*'},
        {0x25CB, 'o'}, {0x2669, 'q'}, {0x266D, 'b'}, {0x266F, '#'}, {0x2713, '+'},
        {0x25BE, 'v'}, {0x25C7, 'o'}, {0x2506, '|'}, {0x2550, '='},
    };
    for (size_t i = 0; i < sizeof FOLDS / sizeof FOLDS[0]; i++)
        if (FOLDS[i].from == glyph)
            return (uint32_t)FOLDS[i].to;
    return glyph >= 0x2500 && glyph < 0x2580 ? '+' : '?';
}

void cells_to_ascii(struct cells *c)
{
    size_t n = (size_t)c->columns * (size_t)c->rows;
    for (size_t i = 0; i < n; i++) {
        struct cell *cell = &c->at[i];
        cell->mark = 0;
        if (cell->glyph == 0)
            cell->glyph = ' ';
        else if (cell->glyph == 0x258C || cell->glyph == 0x2590) {
            /* A half block becomes a whole cell of its colour, or # without colour. */
            const bool has_colour = cell->fg != COLOUR_DEFAULT;
            cell->glyph = has_colour ? ' ' : '#';
            cell->bg = has_colour ? cell->fg : cell->bg;
        } else if (cell->glyph >= 0x7F)
            cell->glyph = cells_similar_glyph(cell->glyph);
    }
}
