/* Sequences are those of ECMA-48; RGB colours follow ISO 8613-6 as terminals write it.
 * Each frame is a synchronised update, so a terminal that knows these never shows half
 * a frame; others ignore them. */
#include "tui/cells/emit.h"

#include "tui/base/text.h"

#include <stdlib.h>
#include <string.h>

enum { ROOM = 192 }; /* bytes; more than one cell can need */

void emit_init(struct emit *e, enum depth depth)
{
    *e = (struct emit){.depth = depth, .whole = true};
}

void emit_fini(struct emit *e)
{
    cells_fini(&e->shown);
    free(e->bytes);
    *e = (struct emit){0};
}

static bool make_room(struct emit *e)
{
    if (e->capacity - e->n >= ROOM)
        return true;
    size_t grown = e->capacity ? 2 * e->capacity : 16384;
    char *bytes = realloc(e->bytes, grown);
    if (!bytes) {
        e->failed = true;
        return false;
    }
    e->bytes = bytes;
    e->capacity = grown;
    return true;
}

/* No printf: a full frame contains twenty thousand numbers. */
static void append(struct emit *e, const char *text)
{
    if (!make_room(e))
        return;
    size_t n = strlen(text);
    memcpy(e->bytes + e->n, text, n);
    e->n += n;
}

static void append_char(struct emit *e, char c)
{
    if (make_room(e))
        e->bytes[e->n++] = c;
}

static void append_number(struct emit *e, int number)
{
    char digits[12];
    int n = 0;
    do
        digits[n++] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    while (n > 0)
        append_char(e, digits[--n]);
}

/* Within a row the relative sequence is shorter. */
static void move_to(struct emit *e, int column, int row)
{
    if (e->column == column && e->row == row)
        return;
    append(e, "\033[");
    if (e->row == row && e->column >= 0 && e->column < column) {
        if (column - e->column > 1)
            append_number(e, column - e->column);
        append_char(e, 'C');
    } else {
        append_number(e, row + 1);
        append_char(e, ';');
        append_number(e, column + 1);
        append_char(e, 'H');
    }
    e->column = column;
    e->row = row;
}

/* Adds a parameter to the SGR sequence; the first one opens the sequence. */
static void set(struct emit *e, int parameter)
{
    if (e->in_sequence)
        append_char(e, ';');
    else
        append(e, "\033[");
    e->in_sequence = true;
    append_number(e, parameter);
}

/* base: 30 for the foreground, 40 for the background. */
static void set_colour(struct emit *e, uint32_t colour, int base)
{
    if (colour & COLOUR_ANSI) {
        int i = (int)(colour & 15);
        set(e, i < 8 ? base + i : base + 60 + i - 8);
    } else if (colour > 0xFFFFFF || e->depth < DEPTH_256) {
        set(e, base + 9);
    } else if (e->depth == DEPTH_256) {
        set(e, base + 8);
        set(e, 5);
        set(e, theme_nearest_256(colour));
    } else {
        set(e, base + 8);
        set(e, 2);
        for (int shift = 16; shift >= 0; shift -= 8)
            set(e, (int)(colour >> shift & 255));
    }
}

static void set_pen(struct emit *e, const struct cell *cell)
{
    static const struct {
        int attr, parameter;
    } ATTRIBUTES[] = {{ATTR_BOLD, 1}, {ATTR_UNDERLINE, 4}, {ATTR_REVERSE, 7}};
    /* Terminals of 16 colours show bold black as grey. */
    int attr = cell->fg == COLOUR_ANSI ? cell->attr & ~ATTR_BOLD : cell->attr;
    e->in_sequence = false;
    if (e->attr != attr) {
        set(e, 0);
        for (int i = 0; i < 3; i++)
            if (attr & ATTRIBUTES[i].attr)
                set(e, ATTRIBUTES[i].parameter);
        e->attr = attr;
        e->fg = e->bg = COLOUR_DEFAULT;
    }
    if (e->depth != DEPTH_MONO) {
        /* A blank shows no foreground. */
        if (e->fg != cell->fg && (cell->glyph != ' ' || cell->attr))
            set_colour(e, e->fg = cell->fg, 30);
        if (e->bg != cell->bg)
            set_colour(e, e->bg = cell->bg, 40);
    }
    if (e->in_sequence)
        append_char(e, 'm');
}

/* Outside Latin and box drawing a terminal may use other widths than ours. After such a
 * character the cursor is positioned again. */
static bool is_surely_narrow(uint32_t glyph)
{
    return glyph < 0x300 || (glyph >= 0x2500 && glyph < 0x25FD) ||
           (glyph >= 0x2010 && glyph < 0x2030);
}

/* Whether both cells look the same. The foreground of a blank is invisible. */
static bool same(const struct cell *a, const struct cell *b)
{
    return a->glyph == b->glyph && a->mark == b->mark && a->bg == b->bg &&
           a->attr == b->attr &&
           (a->fg == b->fg || (a->glyph == ' ' && !a->mark && !a->attr));
}

/* Whether the old glyph leaves pixels in the next cell. Some xterm fonts draw block
 * elements one pixel too wide, and a glyph that the terminal takes for wide covers its
 * neighbour. The neighbours are then drawn again. */
static bool leaves_trail(const struct cell *now, const struct cell *shown)
{
    bool reaches = (shown->glyph >= 0x2580 && shown->glyph < 0x25A0) ||
                   !is_surely_narrow(shown->glyph);
    return reaches && shown->glyph != now->glyph;
}

static void emit_row(struct emit *e, const struct cells *c, int row)
{
    size_t start = (size_t)row * (size_t)c->columns;
    const struct cell *now = c->at + start;
    struct cell *shown = e->shown.at + start;
    bool trail_left = false; /* the cell at the left leaves a trail */
    if (!e->whole && !memcmp(now, shown, (size_t)c->columns * sizeof *now))
        return;
    for (int column = 0; column < c->columns && !e->failed; column++) {
        bool trail = trail_left || (column + 1 < c->columns &&
                                    leaves_trail(&now[column + 1], &shown[column + 1]));
        trail_left = leaves_trail(&now[column], &shown[column]);
        if (!e->whole && !trail && same(&now[column], &shown[column]))
            continue;
        shown[column] = now[column];
        if (now[column].glyph == 0 && column > 0)
            continue; /* the left half draws it */
        move_to(e, column, row);
        set_pen(e, &now[column]);
        if (!make_room(e))
            break;
        /* A wide character without room, and a control, is a blank. */
        const bool fits = text_width(now[column].glyph) < 2 || column + 1 < c->columns;
        const uint32_t glyph =
            fits && now[column].glyph >= ' ' ? now[column].glyph : ' ';
        e->n += text_encode(glyph, e->bytes + e->n);
        if (now[column].mark)
            e->n += text_encode(now[column].mark, e->bytes + e->n);
        e->column += text_width(glyph);
        if (now[column].mark || !is_surely_narrow(glyph))
            e->column = -1;
        trail_left |= !is_surely_narrow(now[column].glyph); /* it may reach over */
        if (e->column >= c->columns)
            e->column = -1;
    }
}

size_t emit_frame(struct emit *e, const struct cells *c)
{
    const bool fits = e->shown.columns == c->columns && e->shown.rows == c->rows;
    if (!fits && !cells_resize(&e->shown, c->columns, c->rows))
        return 0;
    e->whole |= !fits;
    e->n = 0;
    e->failed = false;
    e->column = e->row = e->attr = -1;
    append(e, "\033[?2026h");
    if (e->whole)
        append(e, "\033[0m\033[2J");
    size_t empty = e->n;
    for (int row = 0; row < c->rows; row++)
        emit_row(e, c, row);
    /* The terminal's cursor is shown only while a line is typed. */
    const bool was = e->shown.cursor_column >= 0, is = c->cursor_column >= 0;
    if (is) {
        e->column = -1;
        move_to(e, c->cursor_column, c->cursor_row);
    }
    if (is != was || e->whole)
        append(e, is ? "\033[?25h" : "\033[?25l");
    e->shown.cursor_column = c->cursor_column;
    e->shown.cursor_row = c->cursor_row;
    bool changed = e->n > empty;
    append(e, "\033[0m\033[?2026l");
    e->whole = e->failed;
    return changed && !e->failed ? e->n : 0;
}
