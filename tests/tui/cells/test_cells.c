/* Text made safe, cells, and what is sent to the terminal; that it shows them: fuzz_text.c,
 * test_any_view.c. */
#include "tests/tui/cells_text.h"
#include "tui/cells/emit.h"

static uint32_t first_of(const char *text)
{
    return text_next(&text);
}

TEST(unsafe_text_is_replaced)
{
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

/* A terminal that takes a hexagram for wide has covered the cell after it. */
TEST(what_a_character_may_cover_is_drawn_anew)
{
    auto_cells c;
    struct emit e;
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
    assert_true(n > 0 && !memchr(e.bytes, 'x', n));
    assert_int_equal(emit_frame(&e, &c), 0); /* nothing changed, nothing sent */
    emit_fini(&e);
}

TEST(depths_speak_their_own_colours)
{
    static const char *const WANT[] = {"x", "\033[0;31m", "\033[0;38;5;203m",
                                       "\033[0;38;2;255;95;95m"};
    for (int depth = DEPTH_MONO; depth <= DEPTH_TRUE; depth++) {
        auto_cells c;
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
    }
}

TEST(depth_of_the_terminal)
{
    assert_int_equal(theme_depth("xterm", "truecolor", NULL, 8), DEPTH_TRUE);
    assert_int_equal(theme_depth("xterm-direct", NULL, NULL, 256), DEPTH_TRUE);
    assert_int_equal(theme_depth("xterm-256color", NULL, NULL, 256), DEPTH_256);
    assert_int_equal(theme_depth("linux", "", "", 8), DEPTH_16);
    assert_int_equal(theme_depth("vt100", NULL, NULL, -1), DEPTH_MONO);
    assert_int_equal(theme_depth("xterm", "truecolor", "1", 256), DEPTH_MONO);
}
