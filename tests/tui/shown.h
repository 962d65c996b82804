/* What promises a grid of cells keeps whatever text is in it, and a small terminal that
 * is sent its bytes: it knows the few sequences we use, and takes any other for harm. */
#ifndef TESTS_TUI_SHOWN_H
#define TESTS_TUI_SHOWN_H

#include "tests/fuzz_replay.h"
#include "tui/cells/emit.h"
#include "tui/base/text.h"

#include <string.h>

/* -- cells -- */

/* It comes out of text_next as it went in, so it is no control, and nothing that
 * reorders or hides. */
static inline bool is_safe(uint32_t code)
{
    char text[5] = "";
    const char *at = text;
    text_encode(code, text);
    return code && text_next(&at) == code;
}

/* Most cells; safe and of one column, as fuzz_text sees. */
static inline bool is_ascii_cell(const struct cell *cell)
{
    return cell->glyph >= ' ' && cell->glyph < 0x7F && !cell->mark;
}

/* Each half of a wide character has its other half. */
static inline void check_cells(const struct cells *c)
{
    for (int i = 0; i < c->columns * c->rows; i++) {
        const struct cell *cell = &c->at[i];
        bool is_first = i % c->columns == 0, is_last = (i + 1) % c->columns == 0;
        if (is_ascii_cell(cell)) {
            require(is_last || cell[1].glyph);
            continue;
        }
        bool is_wide = cell->glyph && text_width(cell->glyph) == 2;
        require(!cell->mark || text_width(cell->mark) == 0);
        require(!cell->mark || is_safe(cell->mark));
        require(is_wide == (!is_last && cell[1].glyph == 0));
        require(cell->glyph ? is_safe(cell->glyph) && text_width(cell->glyph) > 0
                            : !is_first && text_width(cell[-1].glyph) == 2);
    }
}

/* -- the terminal -- */

struct terminal {
    struct cells *cells; /* wide glyphs as in cells.h */
    int column, row;
    struct cell pen;
};

static inline void terminal_set_pen(struct terminal *t, int n, const int *p)
{
    static const int ATTRIBUTES[] = {
        [1] = ATTR_BOLD, [4] = ATTR_UNDERLINE, [7] = ATTR_REVERSE};
    for (int i = 0; i < n; i++) {
        uint32_t *ground = p[i] >= 48 ? &t->pen.bg : &t->pen.fg;
        if (p[i] == 0)
            t->pen = (struct cell){.fg = COLOUR_DEFAULT, .bg = COLOUR_DEFAULT};
        else if (p[i] < 8 && ATTRIBUTES[p[i]])
            t->pen.attr |= (uint8_t)ATTRIBUTES[p[i]];
        else if (p[i] == 39 || p[i] == 49)
            *ground = COLOUR_DEFAULT;
        else {
            require((p[i] == 38 || p[i] == 48) && i + 4 < n && p[i + 1] == 2);
            *ground = (uint32_t)(p[i + 2] << 16 | p[i + 3] << 8 | p[i + 4]);
            i += 4;
        }
    }
}

static inline void terminal_print(struct terminal *t, uint32_t code)
{
    require(is_safe(code));
    int width = text_width(code);
    struct cell *cell = cells_at(t->cells, t->column - (width == 0), t->row);
    require(cell != NULL);
    if (width == 0 && cell->glyph == 0)
        cell--;
    if (width == 0) {
        cell->mark = code;
        return;
    }
    require(t->column + width <= t->cells->columns);
    *cell = t->pen;
    if (width == 2)
        cell[1] = t->pen;
    cell->glyph = code;
    t->column += width;
}

static inline void terminal_obey(struct terminal *t, char final, int n, const int *at)
{
    struct region all = {0, 0, t->cells->columns, t->cells->rows};
    switch (final) {
    case 'H':
        require(n == 2);
        t->row = at[0] - 1;
        t->column = at[1] - 1;
        break;
    case 'C':
        t->column += at[0] ? at[0] : 1;
        break;
    case 'J':
        cells_fill(t->cells, all, ' ', COLOUR_DEFAULT, COLOUR_DEFAULT);
        break;
    case 'm':
        terminal_set_pen(t, n, at);
        break;
    default: /* the cursor, a frame as a whole */
        require(final == 'h' || final == 'l');
    }
}

/* After ESC; where it ends. */
static inline const char *terminal_sequence(struct terminal *t, const char *at)
{
    int numbers[32] = {0}, n = 1;
    require(*at++ == '[');
    at += *at == '?';
    for (; (*at >= '0' && *at <= '9') || *at == ';'; at++) {
        n += *at == ';';
        require(n <= 32);
        if (*at != ';')
            numbers[n - 1] = 10 * numbers[n - 1] + (*at - '0');
    }
    terminal_obey(t, *at, n, numbers);
    return at + 1;
}

static inline void terminal_take(struct terminal *t, const char *bytes, size_t n)
{
    const char *end = bytes + n;
    while (bytes < end) {
        uint32_t code;
        size_t used =
            *bytes == '\033' ? 0 : text_decode(bytes, (size_t)(end - bytes), &code);
        require(*bytes == '\033' || (used && code != TEXT_REPLACEMENT) || used == 3);
        if (*bytes == '\033')
            bytes = terminal_sequence(t, bytes + 1);
        else
            terminal_print(t, code), bytes += used;
    }
}

/* Sends what changed of them; then it shows them, each in its place. */
static inline void check_shown(struct terminal *t, struct emit *e,
                               const struct cells *c)
{
    if (t->cells->columns != c->columns || t->cells->rows != c->rows)
        require(cells_resize(t->cells, c->columns, c->rows));
    size_t n = emit_frame(e, c);
    terminal_take(t, e->bytes, n);
    for (int i = 0; i < c->columns * c->rows; i++) {
        const struct cell *a = &t->cells->at[i], *b = &c->at[i];
        require(a->glyph == b->glyph && a->mark == b->mark && a->bg == b->bg);
        require(a->attr == b->attr && (a->glyph == ' ' || a->fg == b->fg));
    }
}

#endif
