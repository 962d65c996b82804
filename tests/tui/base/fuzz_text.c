/* Whatever bytes are text: what is taken of them is safe and as wide as is said, painted
 * anywhere it stays in its columns and leaves no half of a character, and a terminal that
 * is sent it shows just that, each character in its place. */
#include "tests/tui/shown.h"

enum { COLUMNS = 24, ROWS = 3, MOST_BYTES = 1024 };

static void check_decoded(const char *bytes, size_t n)
{
    for (size_t at = 0; at < n;) {
        char again[4];
        uint32_t code;
        size_t used = text_decode(bytes + at, n - at, &code);
        if (!used)
            break;
        require(used <= 4 && at + used <= n && code <= 0x10FFFF);
        require(code == TEXT_REPLACEMENT ||
                (text_encode(code, again) == used && !memcmp(again, bytes + at, used)));
        at += used;
    }
}

static void check_columns(const char *text)
{
    const char *at = text, *before = at;
    int columns = 0;
    for (uint32_t code; (code = text_next(&at)) != 0; before = at) {
        require(is_safe(code) && at > before && at <= before + 4);
        columns += text_width(code);
    }
    require(!*at && columns == text_columns(text));
}

/* Over what the last one left, so that it cuts wide characters in two. */
static void paint(struct cells *c, const char *text, int column, int columns)
{
    static const struct cell UNTOUCHED = {.glyph = '.'};
    for (int i = 0; i < COLUMNS; i++)
        *cells_at(c, i, 0) = *cells_at(c, i, 2) = UNTOUCHED;
    int used = cells_text(c, column, 1, columns, text, 1, 2, 0);
    require(used >= 0 && used <= (columns > 0 ? columns : 0));
    for (int i = 0; i < COLUMNS; i++)
        require(cells_at(c, i, 0)->glyph == '.' && cells_at(c, i, 2)->glyph == '.');
}

static void check_painted(const char *text, int column, int columns, bool ascii)
{
    static struct cells c, held;
    static struct emit e;
    struct terminal t = {.cells = &held};
    if (!c.at) {
        require(cells_init(&c, COLUMNS, ROWS) && cells_init(&held, COLUMNS, ROWS));
        emit_init(&e, DEPTH_TRUE);
    }
    paint(&c, text, column, columns);
    if (ascii)
        cells_to_ascii(&c);
    check_cells(&c);
    check_shown(&t, &e, &c);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n_bytes)
{
    char text[MOST_BYTES + 1];
    if (n_bytes < 2 || n_bytes > MOST_BYTES)
        return 0;
    memcpy(text, bytes + 2, n_bytes - 2);
    text[n_bytes - 2] = '\0';
    check_decoded(text, n_bytes - 2);
    check_columns(text);
    check_painted(text, bytes[0] % (COLUMNS + 8) - 4, bytes[1] % (COLUMNS + 8), false);
    check_painted(text, bytes[1] % COLUMNS, bytes[0] % 64, bytes[1] & 1);
    check_painted(text, bytes[0] % COLUMNS, 3, false);
    return 0;
}
