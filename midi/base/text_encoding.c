/* Guessing the encoding of short texts.
 *
 * The names of tracks are too short for libuchardet alone. So each likely encoding is
 * tried, and the result is scored by how its letters follow one another. The guess of
 * libuchardet adds a little to the score of its encoding. */
#include "midi/base/text_encoding.h"

#include <iconv.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <uchardet/uchardet.h>

enum { MOST = 4096 /* characters that are scored */ };

static bool is_open(iconv_t cd)
{
    return (intptr_t)cd != -1;
}

bool text_is_utf8(const uint8_t *text, size_t n)
{
    for (size_t i = 0; i < n;) {
        const uint8_t c = text[i];
        const size_t more = c < 0x80                ? 0
                            : c >= 0xC2 && c < 0xE0 ? 1
                            : c >= 0xE0 && c < 0xF0 ? 2
                            : c >= 0xF0 && c < 0xF5 ? 3
                                                    : n;
        if (more >= n - i)
            return false;
        for (size_t k = 1; k <= more; k++)
            if (text[i + k] >> 6 != 2)
                return false;
        i += more + 1;
    }
    return true;
}

/* Converts to UTF-32. Returns the number of characters, or -1 if the text is not in
 * that encoding. */
static int decode(const char *from, const uint8_t *text, size_t n, uint32_t out[MOST])
{
    iconv_t cd = iconv_open("UTF-32LE", from);
    char *in = (char *)text, *to = (char *)out;
    size_t left = n, room = MOST * sizeof *out;
    if (!is_open(cd))
        return -1;
    const size_t st = iconv(cd, &in, &left, &to, &room);
    iconv_close(cd);
    return st == (size_t)-1 && room ? -1 : (int)((uint32_t *)to - out);
}

static bool is_ascii_letter(uint32_t c)
{
    return (c | 32) >= 'a' && (c | 32) <= 'z';
}

static bool is_small(uint32_t c)
{
    return (c >= 'a' && c <= 'z') || (c >= 0xDF && c <= 0xFF) ||
           (c >= 0x430 && c <= 0x45F);
}

static bool is_cyrillic(uint32_t c)
{
    return (c >= 0x410 && c <= 0x44F) || c == 0x401 || c == 0x451;
}

static bool is_latin(uint32_t c)
{
    return c >= 0xC0 && c <= 0xFF && c != 0xD7 && c != 0xF7;
}

/* The 3755 most common ideographs are in rows B0 to D7 of GBK; the others are rare, so
 * finding them speaks against GBK. */
static double judge_ideograph(uint32_t c, bool is_gbk, const uint8_t *bytes)
{
    if (c >= 0x3000 && c <= 0x303F)
        return 1;
    if (c < 0x4E00 || c > 0x9FFF)
        return c >= 0x3040 && c <= 0x30FF ? (is_gbk ? 0.5 : 3) : -2; /* kana */
    if (!is_gbk)
        return 1.5;
    return bytes[0] >= 0xB0 && bytes[0] <= 0xD7 && bytes[1] >= 0xA1 ? 1.6 : -0.5;
}

static double judge_letter(uint32_t before, uint32_t c, uint32_t after)
{
    const bool is_kind = is_cyrillic(c) || is_latin(c);
    const bool is_strange = is_cyrillic(c)
                                ? is_ascii_letter(before) || is_ascii_letter(after)
                                : before > 127 || after > 127;
    if (!is_kind || is_strange)
        return -1;
    if (!is_small(c) && is_small(before)) /* a capital letter inside a word */
        return -2;
    return is_latin(c) ? 1.2 : 1;
}

/* Returns how plausible the text is in this encoding, per byte above ASCII. More is
 * better; less than -1 means impossible. */
static double judge(const char *from, bool is_double, const uint8_t *text, size_t n)
{
    uint32_t *c = malloc(MOST * sizeof *c);
    const int n_chars = c ? decode(from, text, n, c) : -1;
    const bool is_gbk = *from == 'G';
    double sum = 0, n_bytes = 0;
    size_t at = 0;
    for (int i = 0; i < n_chars; i++) {
        const bool is_half = c[i] >= 0xFF61 && c[i] <= 0xFF9F;
        const size_t length = c[i] > 127 && is_double && !is_half ? 2 : 1;
        if (c[i] > 127) {
            n_bytes += (double)length;
            sum += is_half     ? -1
                   : is_double ? judge_ideograph(c[i], is_gbk, text + at)
                               : judge_letter(i ? c[i - 1] : ' ', c[i],
                                              i + 1 < n_chars ? c[i + 1] : ' ');
        }
        at += length;
    }
    free(c);
    return n_chars < 0 || n_bytes == 0 ? -10 : sum / n_bytes;
}

static void ask_uchardet(const uint8_t *text, size_t n, char name[32])
{
    uchardet_t u = uchardet_new();
    name[0] = '\0';
    if (!u)
        return;
    if (!uchardet_handle_data(u, (const char *)text, n)) {
        uchardet_data_end(u);
        strncat(name, uchardet_get_charset(u), 31);
    }
    uchardet_delete(u);
}

const char *text_encoding_guess(const uint8_t *text, size_t n, char name[32])
{
    static const struct {
        const char *name, *alias;
        bool is_double;
    } KNOWN[] = {{"WINDOWS-1252", "ISO-8859-1", false},
                 {"SHIFT_JIS", "SHIFT_JIS", true},
                 {"GBK", "GB18030", true},
                 {"WINDOWS-1251", "WINDOWS-1251", false}};
    char guess[32];
    double best = -1;
    const size_t most = n < MOST ? n : MOST;
    strcpy(name, "WINDOWS-1252");
    ask_uchardet(text, most, guess);
    bool is_known = false;
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++) {
        const bool is_it =
            !strcasecmp(guess, KNOWN[i].name) || !strcasecmp(guess, KNOWN[i].alias);
        const double score =
            judge(KNOWN[i].name, KNOWN[i].is_double, text, most) + 0.2 * is_it;
        is_known |= is_it;
        if (score > best) {
            best = score;
            strcpy(name, KNOWN[i].name);
        }
    }
    uint32_t *c = malloc(MOST * sizeof *c);
    if (c && *guess && !is_known && best < 0.4 && decode(guess, text, most, c) > 0)
        strcpy(name, guess);
    free(c);
    return name;
}

/* Ends the text with a NUL, and drops an incomplete character before it. */
static void end_whole(char *out, size_t n)
{
    size_t at = n;
    while (at > 0 && ((uint8_t)out[at - 1] >> 6) == 2)
        at--;
    const uint8_t first = at > 0 ? (uint8_t)out[at - 1] : 0;
    const size_t needs = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1;
    out[at > 0 && n - (at - 1) < needs ? at - 1 : n] = '\0';
}

void text_to_utf8(char *out, size_t room, const uint8_t *text, size_t n,
                  const char *from)
{
    static const char UNKNOWN[] = "\xEF\xBF\xBD";
    const bool is_little = n >= 2 && text[0] == 0xFF && text[1] == 0xFE;
    const bool is_big = n >= 2 && text[0] == 0xFE && text[1] == 0xFF;
    const bool is_wide = is_little || is_big;
    iconv_t cd = iconv_open("UTF-8", is_little ? "UTF-16LE"
                                     : is_big  ? "UTF-16BE"
                                               : from);
    char *in = (char *)text + (is_wide ? 2 : 0), *to = out;
    size_t left = n - (is_wide ? 2 : 0), space = room - 1;
    while (is_open(cd) && left && iconv(cd, &in, &left, &to, &space) == (size_t)-1) {
        const size_t step = is_wide && left > 1 ? 2 : 1;
        if (space < sizeof UNKNOWN || !left)
            break;
        memcpy(to, UNKNOWN, sizeof UNKNOWN - 1);
        to += sizeof UNKNOWN - 1;
        space -= sizeof UNKNOWN - 1;
        in += step;
        left -= step < left ? step : left;
    }
    if (is_open(cd))
        iconv_close(cd);
    end_whole(out, (size_t)(to - out));
}
