#ifndef TESTS_TUI_CELLS_TEXT_H
#define TESTS_TUI_CELLS_TEXT_H

#include "tests/check.h"
#include "tui/base/text.h"
#include "tui/cells/cells.h"

#define auto_cells __attribute__((cleanup(cells_fini))) struct cells

static inline size_t row_to_text(const struct cell *row, int columns, char *out)
{
    size_t n = 0, end = 0;
    for (int i = 0; i < columns; i++) {
        if (row[i].glyph == 0)
            continue;
        n += text_encode(row[i].glyph, out + n);
        if (row[i].mark)
            n += text_encode(row[i].mark, out + n);
        if (row[i].glyph != ' ')
            end = n;
    }
    out[end] = '\n';
    return end + 1;
}

/* The grid as UTF-8 lines without trailing spaces. The caller frees it. */
static inline char *cells_to_text(const struct cells *c)
{
    size_t columns = (size_t)c->columns, rows = (size_t)c->rows;
    char *out = malloc(rows * (8 * columns + 1) + 1);
    assert_non_null(out);
    size_t n = 0;
    for (size_t row = 0; row < rows; row++)
        n += row_to_text(c->at + row * columns, c->columns, out + n);
    out[n] = '\0';
    return out;
}

#endif
