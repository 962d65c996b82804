/* The grid of character cells. Views paint it and the screen shows it.
 *
 * A cell has one code point, at most one combining mark, two colours and attributes. A
 * wide code point takes two cells; the second has glyph 0. Painting outside the grid
 * does nothing, so views need not clip. Plain data with one owner. */
#ifndef TUI_CELLS_H
#define TUI_CELLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A colour is 0xRRGGBB, the terminal's default, or one of its 16 ANSI colours. KEEP
 * paints with the colour that the cell has already. */
#define COLOUR_DEFAULT 0x1000000u
#define COLOUR_KEEP    0x2000000u
#define COLOUR_ANSI    0x4000000u /* + 0..15 */

enum { ATTR_BOLD = 1, ATTR_UNDERLINE = 2, ATTR_REVERSE = 4 };

enum { CELLS_MAX = 2000 }; /* columns and rows of the largest grid */

struct cell {
    uint32_t glyph, mark; /* mark: a combining code point, or 0 */
    uint32_t fg, bg;
    uint32_t attr;
};

struct region {
    int column, row, columns, rows;
};

struct cells {
    int columns, rows;
    struct cell *at;               /* rows x columns */
    int cursor_column, cursor_row; /* the terminal's own cursor; -1: hidden */
};

/* Sizes are clamped to 1..CELLS_MAX. false: out of memory, and the grid is as it
 * was. */
bool cells_init(struct cells *c, int columns, int rows);
bool cells_resize(struct cells *c, int columns, int rows); /* contents are lost */
void cells_fini(struct cells *c);

struct cell *cells_at(struct cells *c, int column, int row); /* NULL: outside */
void cells_fill(struct cells *c, struct region r, uint32_t glyph, uint32_t fg,
                uint32_t bg);
void cells_put(struct cells *c, int column, int row, uint32_t glyph, uint32_t fg,
               uint32_t bg, int attr);
/* Paints untrusted UTF-8, made safe and cut to `columns` with an ellipsis. Returns the
 * columns used. */
int cells_text(struct cells *c, int column, int row, int columns, const char *text,
               uint32_t fg, uint32_t bg, int attr);

/* Replaces every glyph outside ASCII by a similar one in it. */
void cells_to_ascii(struct cells *c);
/* The similar ASCII character of one glyph that is outside ASCII; '?': there is
 * none. */
uint32_t cells_similar_glyph(uint32_t glyph);

#endif
