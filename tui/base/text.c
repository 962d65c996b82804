/* Decoding and the properties of code points are GLib's: RFC 3629 and the Unicode Character
 * Database, whatever the locale. */
#include "tui/base/text.h"

#include <glib.h>
#include <stdbool.h>
#include <string.h>

int text_width(uint32_t code)
{
    if (code < 0x300)
        return 1;
    return g_unichar_iszerowidth(code) ? 0 : g_unichar_iswide(code) ? 2 : 1;
}

/* Whether the code point controls, reorders or hides text, or has no meaning that all
 * fonts share. */
static bool is_unsafe(uint32_t code)
{
    static const struct {
        uint32_t first, last;
    } INVISIBLE[] = {
        {0x034F, 0x034F}, {0x115F, 0x1160}, {0x17B4, 0x17B5}, {0x180B, 0x180F},
        {0x3164, 0x3164}, {0xFE00, 0xFE0F}, {0xFFA0, 0xFFA0}, {0xE0000, 0xE0FFF},
    };
    if (code >= ' ' && code < 0x7F)
        return false;
    for (size_t i = 0; i < sizeof INVISIBLE / sizeof INVISIBLE[0]; i++)
        if (code >= INVISIBLE[i].first && code <= INVISIBLE[i].last)
            return true;
    switch (g_unichar_type(code)) {
    case G_UNICODE_CONTROL:
    case G_UNICODE_FORMAT:
    case G_UNICODE_LINE_SEPARATOR:
    case G_UNICODE_PARAGRAPH_SEPARATOR:
    case G_UNICODE_PRIVATE_USE:
    case G_UNICODE_SURROGATE:
    case G_UNICODE_UNASSIGNED:
        return true;
    default:
        return false;
    }
}

enum { LAST_CODE = 0x10FFFF };

/* Whether the bytes can still begin a character. The smallest and the largest bytes that
 * may follow tell: E0 and F0 want large ones, ED and F4 small ones. */
static bool is_cut(const char *bytes, size_t n)
{
    static const char FOLLOWING[] = {'\x80', '\xBF'};
    for (size_t i = 0; n < 4 && i < sizeof FOLLOWING; i++) {
        char whole[4];
        memset(whole, FOLLOWING[i], sizeof whole);
        memcpy(whole, bytes, n);
        if (g_utf8_get_char_validated(whole, sizeof whole) <= LAST_CODE)
            return true;
    }
    return false;
}

size_t text_decode(const char *bytes, size_t n, uint32_t *code)
{
    *code = TEXT_REPLACEMENT;
    if (n == 0)
        return 0;
    /* GLib gives no character for a NUL. */
    const gunichar value = *bytes ? g_utf8_get_char_validated(bytes, (gssize)n) : 0;
    if (value > LAST_CODE)
        return is_cut(bytes, n) ? 0 : 1;
    *code = value;
    return (size_t)g_unichar_to_utf8(value, NULL);
}

uint32_t text_next(const char **text)
{
    if (**text == '\0')
        return 0;
    uint32_t code;
    /* A cut sequence ends at the NUL, so no byte behind it is read. */
    size_t used = text_decode(*text, strnlen(*text, 4), &code);
    *text += used ? used : 1;
    return is_unsafe(code) ? TEXT_REPLACEMENT : code;
}

int text_columns(const char *text)
{
    int columns = 0;
    for (uint32_t code; (code = text_next(&text)) != 0;)
        columns += text_width(code);
    return columns;
}

size_t text_encode(uint32_t code, char out[4])
{
    return (size_t)g_unichar_to_utf8(code, out);
}
