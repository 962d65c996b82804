/* Past ASCII there is nothing but strings in JSON, so an escape may stand for any of it. */
#include "app/base/say_json.h"

#include "tui/base/text.h"

#include <string.h>

/* It comes out of text_next as it went in. */
static bool is_safe(uint32_t code)
{
    char text[5] = "";
    const char *at = text;
    text_encode(code, text);
    return text_next(&at) == code;
}

/* Beyond 16 bits, as two surrogates (RFC 2781, 2.1). */
static void write_escape(FILE *to, uint32_t code)
{
    if (code > 0xFFFF) {
        code -= 0x10000;
        fprintf(to, "\\u%04x", 0xD800u | code >> 10);
        code = 0xDC00u | (code & 0x3FFu);
    }
    fprintf(to, "\\u%04x", code);
}

bool say_json(FILE *to, const cJSON *j)
{
    char *text = cJSON_Print(j);
    size_t n = text ? strlen(text) : 0;
    for (size_t at = 0, used; at < n; at += used) {
        uint32_t code;
        used = text_decode(text + at, n - at, &code);
        if (!used) { /* a character breaks off */
            code = TEXT_REPLACEMENT;
            used = n - at;
        }
        bool is_whole = code != TEXT_REPLACEMENT && (code < 0x7F || is_safe(code));
        if (is_whole)
            fwrite(text + at, 1, used, to);
        else
            write_escape(to, code);
    }
    cJSON_free(text);
    return text && fputc('\n', to) != EOF;
}
