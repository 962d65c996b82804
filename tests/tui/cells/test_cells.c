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

TEST(widths)
{
    static const struct {
        const char *text;
        int columns;
    } CASES[] = {{"Bach", 4},  {"音楽", 4}, {"e\xCC\x81", 1},
                 {"♯♭♩●▸", 5}, {"🎹", 2},    {"", 0}};
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++)
        assert_int_equal(text_columns(CASES[i].text), CASES[i].columns);
}

TEST(utf8_round_trip)
{
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

TEST(only_what_can_become_a_character_is_cut)
{
    static const char *const CUT[] = {
        "\xC2",     "\xDF", "\xE0",     "\xE0\xA0", "\xED\x9F",
        "\xEF\xBF", "\xF0", "\xF0\x90", "\xF4",     "\xF4\x8F\xBF",
    };
    static const char *const BAD[] = {
        "\x80",     "\xC0",     "\xC1", "\xE0\x9F", "\xED\xA0",
        "\xF0\x8F", "\xF4\x90", "\xF5", "\xF7\x80", "\xF8\x88",
        "\xFC",     "\xFD\xBF", "\xFE", "\xFF",     "\xE2x",
    };
    uint32_t code;
    for (size_t i = 0; i < sizeof CUT / sizeof CUT[0]; i++)
        assert_int_equal(text_decode(CUT[i], strlen(CUT[i]), &code), 0);
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
        assert_int_equal(text_decode(BAD[i], strlen(BAD[i]), &code), 1);
        assert_int_equal(code, TEXT_REPLACEMENT);
    }
    assert_int_equal(text_decode("\xE2\x82\0x", 4, &code), 1); /* a NUL ends it */
    assert_int_equal(text_decode("\0", 1, &code), 1);
    assert_int_equal(code, 0);
}

TEST(text_is_cut_to_fit)
{
    auto_cells c;
    assert_true(cells_init(&c, 12, 3));
    assert_int_equal(cells_text(&c, 0, 0, 6, "Sopran", 0, 0, 0), 6);
    assert_int_equal(cells_text(&c, 0, 1, 6, "Soprano", 0, 0, 0), 6);
    assert_int_equal(cells_text(&c, 0, 2, 6, "音楽音楽", 0, 0, 0), 5);
    auto_free char *text = cells_to_text(&c);
    assert_string_equal(text, "Sopran\nSopra…\n音楽…\n");
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

TEST(nearest_of_256)
{
    assert_int_equal(theme_nearest_256(0x000000), 16);
    assert_int_equal(theme_nearest_256(0xFFFFFF), 231);
    assert_int_equal(theme_nearest_256(0xFF0000), 196);
    assert_int_equal(theme_nearest_256(0x121212), 233);
    assert_int_equal(theme_nearest_256(0x878787), 102);
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
