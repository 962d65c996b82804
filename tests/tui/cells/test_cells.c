/* Text made safe, cells, and what is sent to the terminal: a small terminal of
 * our own reads the bytes back and must show the same cells. */
#include "tui/cells/cells.h"
#include "tui/cells/emit.h"
#include "tui/base/text.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static uint32_t first_of(const char *text)
{
    return text_next(&text);
}

static void unsafe_text_is_replaced(void **state)
{
    (void)state;
    static const char *const BAD[] = {
        "\033",         "\a",
        "\x7f",         "\x9b",             /* escapes and controls */
        "\xC2\x9B",     "\xC2\x85",         /* C1, in UTF-8 */
        "\xE2\x80\xAE", "\xE2\x81\xA6",     /* bidi override, isolate */
        "\xE2\x80\x8B", "\xEF\xBB\xBF",     /* zero width space, BOM */
        "\xC0\xAF",     "\xE0\x80\xAF",     /* overlong */
        "\xED\xA0\x80", "\xF5\x80\x80\x80", /* surrogate, past the end */
        "\xE2\x82",     "\xFF",
        "\xEE\x80\x80", /* cut, never, private use */
    };
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++)
        assert_int_equal(first_of(BAD[i]), TEXT_REPLACEMENT);
    assert_int_equal(first_of("ü"), 0xFC);
    assert_int_equal(first_of("音"), 0x97F3);
    assert_int_equal(first_of("♯"), 0x266F);
}

static void widths(void **state)
{
    (void)state;
    assert_int_equal(text_columns("Bach"), 4);
    assert_int_equal(text_columns("音楽"), 4);
    assert_int_equal(text_columns("e\xCC\x81"), 1);
    assert_int_equal(text_columns("♯♭♩●▸"), 5);
    assert_int_equal(text_columns("🎹"), 2);
    assert_int_equal(text_columns(""), 0);
}

static void utf8_round_trip(void **state)
{
    (void)state;
    for (uint32_t code = 1; code < 0x110000; code += code < 0x3000 ? 1 : 37) {
        char bytes[4];
        uint32_t back;
        if (code >= 0xD800 && code < 0xE000)
            continue;
        size_t n = text_encode(code, bytes);
        assert_int_equal(text_decode(bytes, n, &back), n);
        assert_int_equal(back, code);
        if (n > 1)
            assert_int_equal(text_decode(bytes, n - 1, &back), 0);
    }
}

static void text_is_cut_to_fit(void **state)
{
    (void)state;
    struct cells c;
    assert_true(cells_init(&c, 12, 3));
    assert_int_equal(cells_text(&c, 0, 0, 6, "Sopran", 0, 0, 0), 6);
    assert_int_equal(cells_text(&c, 0, 1, 6, "Soprano", 0, 0, 0), 6);
    assert_int_equal(cells_text(&c, 0, 2, 6, "音楽音楽", 0, 0, 0), 5);
    char *text = cells_to_text(&c);
    assert_string_equal(text, "Sopran\nSopra…\n音楽…\n");
    free(text);
    cells_fini(&c);
}

/* Painting over half of a wide character leaves no other half. */
static void wide_characters_break_whole(void **state)
{
    (void)state;
    struct cells c;
    assert_true(cells_init(&c, 6, 1));
    cells_text(&c, 0, 0, 6, "音楽", 0, 0, 0);
    cells_put(&c, 1, 0, 'x', 0, 0, 0);
    cells_put(&c, 2, 0, 'y', 0, 0, 0);
    char *text = cells_to_text(&c);
    assert_string_equal(text, " xy\n");
    free(text);
    cells_put(&c, -1, 0, 'x', 0, 0, 0);
    cells_put(&c, 6, 0, 'x', 0, 0, 0);
    cells_put(&c, 0, 7, 'x', 0, 0, 0);
    cells_fini(&c);
}

/* A terminal that knows just what emit.c may say. */
struct terminal {
    struct cells cells;
    int column, row;
    struct cell pen;
};

static void apply_sgr(struct terminal *t, const int *p, int n)
{
    for (int i = 0; i < n; i++) {
        uint32_t *ground = p[i] == 48 ? &t->pen.bg : &t->pen.fg;
        if (p[i] == 0)
            t->pen = (struct cell){.fg = COLOUR_DEFAULT, .bg = COLOUR_DEFAULT};
        else if (p[i] == 1)
            t->pen.attr |= ATTR_BOLD;
        else if (p[i] == 2)
            t->pen.attr |= ATTR_DIM;
        else if (p[i] == 4)
            t->pen.attr |= ATTR_UNDERLINE;
        else if (p[i] == 7)
            t->pen.attr |= ATTR_REVERSE;
        else if (p[i] == 39)
            t->pen.fg = COLOUR_DEFAULT;
        else if (p[i] == 49)
            t->pen.bg = COLOUR_DEFAULT;
        else if ((p[i] == 38 || p[i] == 48) && i + 4 < n && p[i + 1] == 2) {
            *ground = (uint32_t)(p[i + 2] << 16 | p[i + 3] << 8 | p[i + 4]);
            i += 4;
        } else
            fail_msg("unexpected SGR %d", p[i]);
    }
}

static size_t apply_csi(struct terminal *t, const char *s)
{
    int p[16] = {0}, n = 1;
    size_t i = 0;
    bool private = s[0] == '?';
    for (i += private; (s[i] >= '0' && s[i] <= '9') || s[i] == ';'; i++) {
        if (s[i] == ';')
            assert_true(++n <= 16);
        else
            p[n - 1] = 10 * p[n - 1] + s[i] - '0';
    }
    if (s[i] == 'H') {
        t->row = p[0] - 1;
        t->column = p[1] - 1;
    } else if (s[i] == 'C') {
        t->column += p[0] ? p[0] : 1;
    } else if (s[i] == 'm') {
        apply_sgr(t, p, n);
    } else if (s[i] == 'J') {
        struct region all = {0, 0, t->cells.columns, t->cells.rows};
        cells_fill(&t->cells, all, ' ', COLOUR_DEFAULT, COLOUR_DEFAULT);
    } else {
        assert_true(private && (s[i] == 'h' || s[i] == 'l'));
    }
    return i + 1;
}

static void terminal_write(struct terminal *t, const char *bytes, size_t n)
{
    for (size_t i = 0; i < n;) {
        if (bytes[i] == '\033') {
            assert_int_equal(bytes[i + 1], '[');
            i += 2 + apply_csi(t, bytes + i + 2);
            continue;
        }
        uint32_t code;
        i += text_decode(bytes + i, n - i, &code);
        int width = text_width(code);
        struct cell *cell = cells_at(&t->cells, t->column, t->row);
        if (width == 0) {
            cells_at(&t->cells, t->column - 1, t->row)->mark = code;
            continue;
        }
        assert_non_null(cell);
        assert_true(t->column + width <= t->cells.columns);
        *cell = t->pen;
        cell->glyph = code;
        if (width == 2)
            cell[1] =
                (struct cell){.fg = t->pen.fg, .bg = t->pen.bg, .attr = t->pen.attr};
        t->column += width;
    }
}

static void assert_same(const struct cells *want, const struct cells *got)
{
    for (int i = 0; i < want->columns * want->rows; i++) {
        const struct cell *a = &want->at[i], *b = &got->at[i];
        assert_int_equal(a->glyph, b->glyph);
        assert_int_equal(a->bg, b->bg);
        assert_int_equal(a->attr, b->attr);
        if (a->glyph != ' ')
            assert_int_equal(a->fg, b->fg);
    }
}

static uint32_t noise(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static void scribble(struct cells *c, uint32_t *seed)
{
    static const char *const WORDS[] = {"Bach", "音",      "e\xCC\x81", "▒▒",
                                        "C♯",   "\033[2J", " "};
    for (int i = 0; i < 12; i++) {
        uint32_t x = noise(seed);
        cells_text(c, (int)(x % 30) - 2, (int)(x >> 5) % 9 - 1, 8, WORDS[x % 7],
                   x & 64 ? x & 0xFFFFFF : COLOUR_DEFAULT,
                   x & 128 ? x >> 3 & 0xFFFFFF : 7, (int)(x >> 12 & 15));
    }
}

static void terminal_shows_the_cells(void **state)
{
    (void)state;
    struct cells c;
    struct terminal t = {.pen = {.fg = COLOUR_DEFAULT}};
    struct emit e;
    uint32_t seed = 7;
    assert_true(cells_init(&c, 28, 7) && cells_init(&t.cells, 28, 7));
    emit_init(&e, DEPTH_TRUE);
    for (int frame = 0; frame < 400; frame++) {
        scribble(&c, &seed);
        size_t n = emit_frame(&e, &c);
        terminal_write(&t, e.bytes, n);
        assert_same(&c, &t.cells);
    }
    assert_int_equal(emit_frame(&e, &c), 0); /* nothing changed, nothing sent */
    cells_put(&c, 3, 3, 'x', 1, 2, 0);
    assert_in_range(emit_frame(&e, &c), 1, 90);
    emit_fini(&e);
    cells_fini(&c);
    cells_fini(&t.cells);
}

/* A terminal that takes a hexagram for wide has covered the cell after it. */
static void what_a_character_may_cover_is_drawn_anew(void **state)
{
    struct cells c;
    struct emit e;
    (void)state;
    assert_true(cells_init(&c, 4, 1));
    emit_init(&e, DEPTH_TRUE);
    cells_put(&c, 1, 0, 'x', 1, 2, 0);
    assert_true(emit_frame(&e, &c) > 0);
    cells_put(&c, 0, 0, 0x4DC0, 1, 2, 0);
    size_t n = emit_frame(&e, &c);
    assert_non_null(memchr(e.bytes, 'x', n));
    cells_put(&c, 0, 0, 'a', 1, 2, 0);
    n = emit_frame(&e, &c);
    assert_non_null(memchr(e.bytes, 'x', n));
    cells_put(&c, 0, 0, 'b', 1, 2, 0);
    n = emit_frame(&e, &c);
    assert_null(memchr(e.bytes, 'x', n));
    emit_fini(&e);
    cells_fini(&c);
}

static void depths_speak_their_own_colours(void **state)
{
    (void)state;
    static const char *const WANT[] = {"x", "\033[0;31m", "\033[0;38;5;203m",
                                       "\033[0;38;2;255;95;95m"};
    for (int depth = DEPTH_MONO; depth <= DEPTH_TRUE; depth++) {
        struct cells c;
        struct emit e;
        assert_true(cells_init(&c, 4, 1));
        emit_init(&e, (enum depth)depth);
        cells_put(&c, 0, 0, 'x', depth == DEPTH_16 ? COLOUR_ANSI + 1 : 0xFF5F5F,
                  COLOUR_DEFAULT, 0);
        size_t n = emit_frame(&e, &c);
        assert_non_null(memmem(e.bytes, n, WANT[depth], strlen(WANT[depth])));
        if (depth == DEPTH_MONO)
            assert_null(memmem(e.bytes, n, "[38", 3));
        emit_fini(&e);
        cells_fini(&c);
    }
}

static void nearest_of_256(void **state)
{
    (void)state;
    assert_int_equal(theme_nearest_256(0x000000), 16);
    assert_int_equal(theme_nearest_256(0xFFFFFF), 231);
    assert_int_equal(theme_nearest_256(0xFF0000), 196);
    assert_int_equal(theme_nearest_256(0x121212), 233);
    assert_int_equal(theme_nearest_256(0x878787), 102);
}

static void depth_of_the_terminal(void **state)
{
    (void)state;
    assert_int_equal(theme_depth("xterm", "truecolor", NULL, 8), DEPTH_TRUE);
    assert_int_equal(theme_depth("xterm-direct", NULL, NULL, 256), DEPTH_TRUE);
    assert_int_equal(theme_depth("xterm-256color", NULL, NULL, 256), DEPTH_256);
    assert_int_equal(theme_depth("linux", "", "", 8), DEPTH_16);
    assert_int_equal(theme_depth("vt100", NULL, NULL, -1), DEPTH_MONO);
    assert_int_equal(theme_depth("xterm", "truecolor", "1", 256), DEPTH_MONO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unsafe_text_is_replaced),
        cmocka_unit_test(widths),
        cmocka_unit_test(utf8_round_trip),
        cmocka_unit_test(text_is_cut_to_fit),
        cmocka_unit_test(wide_characters_break_whole),
        cmocka_unit_test(terminal_shows_the_cells),
        cmocka_unit_test(what_a_character_may_cover_is_drawn_anew),
        cmocka_unit_test(depths_speak_their_own_colours),
        cmocka_unit_test(nearest_of_256),
        cmocka_unit_test(depth_of_the_terminal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
