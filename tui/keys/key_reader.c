/* Sequences are parsed when complete; until then their bytes wait. */
#include "tui/keys/keys.h"

#include "tui/base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ESC = 0x1B, BEL = 0x07, MAX_PARAMETERS = 6, MAX_CELL = 9999 };

/* A control sequence: ESC [ private parameters final. */
struct sequence {
    char private; /* '<', '?', '>' or 0 */
    char final;
    int n;
    int parameter[MAX_PARAMETERS]; /* absent ones are 0 */
};

static uint32_t modifier_flags(bool shift, bool alt, bool ctrl)
{
    return (shift ? (uint32_t)K_WITH_SHIFT : 0) | (alt ? (uint32_t)K_WITH_ALT : 0) |
           (ctrl ? (uint32_t)K_WITH_CTRL : 0);
}

/* Keys whose final byte is a letter, after ESC [ or ESC O. M is the keypad's Enter. */
static uint32_t letter_key(char final)
{
    static const uint32_t KEYS[] = {
        ['A'] = K_UP,     ['B'] = K_DOWN,   ['C'] = K_RIGHT,  ['D'] = K_LEFT,
        ['F'] = K_END,    ['H'] = K_HOME,   ['M'] = K_ENTER,  ['P'] = K_F1,
        ['Q'] = K_F1 + 1, ['R'] = K_F1 + 2, ['S'] = K_F1 + 3, ['Z'] = K_BACKTAB,
    };
    return final >= 'A' && final <= 'Z' ? KEYS[(uint8_t) final] : 0;
}

/* Bits of a mouse report's first number; the lowest two are the button. */
enum {
    MOUSE_BUTTON = 3, /* 3: none */
    MOUSE_SHIFT = 4,
    MOUSE_ALT = 8,
    MOUSE_CTRL = 16,
    MOUSE_MOTION = 32,
    MOUSE_WHEEL = 64,  /* up, down, left, right; ncurses 6.4 takes left for a button */
    MOUSE_OTHER = 128, /* side buttons */
};

/* SGR mouse, xterm's mode 1006: ESC [ < buttons ; column ; row M or m. */
static bool mouse_key(const struct sequence *s, struct key *out)
{
    const int buttons = s->parameter[0], button = buttons & MOUSE_BUTTON;
    const bool is_wheel = buttons & MOUSE_WHEEL, is_motion = buttons & MOUSE_MOTION,
               is_release = s->final == 'm';
    /* A wheel is never held, so it neither drags nor is released. */
    const bool is_nothing = buttons >= MOUSE_OTHER ||
                            (is_wheel ? is_motion || is_release
                                      : button == MOUSE_BUTTON /* moved without one */);
    const uint32_t code = is_wheel     ? K_WHEEL_UP + (uint32_t)button
                          : is_release ? K_RELEASE
                          : is_motion  ? K_DRAG
                                       : K_PRESS;
    if (s->n != 3 || s->parameter[1] < 1 || s->parameter[2] < 1 || is_nothing)
        return false;
    out->column = s->parameter[1] - 1;
    out->row = s->parameter[2] - 1;
    out->button = is_wheel ? 0 : button + 1;
    out->code = code | modifier_flags(buttons & MOUSE_SHIFT, buttons & MOUSE_ALT,
                                      buttons & MOUSE_CTRL);
    return true;
}

/* Reads ESC [ ... final. Returns its length; 0: more bytes are needed. */
static size_t parse_sequence(const uint8_t *bytes, size_t n, struct sequence *s)
{
    *s = (struct sequence){.n = 1};
    size_t i = 2;
    if (i < n && bytes[i] >= '<' && bytes[i] <= '?')
        s->private = (char)bytes[i++];
    for (; i < n; i++) {
        int *parameter = s->n <= MAX_PARAMETERS ? &s->parameter[s->n - 1] : NULL;
        if (bytes[i] >= '0' && bytes[i] <= '9') {
            if (parameter && *parameter <= MAX_CELL)
                *parameter = 10 * *parameter + (bytes[i] - '0');
        } else if (bytes[i] == ';' || bytes[i] == ':') {
            s->n++;
        } else if (bytes[i] >= 0x40 && bytes[i] <= 0x7E) {
            s->final = (char)bytes[i];
            return i + 1;
        } else if (bytes[i] < 0x20 || bytes[i] > 0x7E) {
            return i; /* a broken sequence ends before this byte */
        }
    }
    return 0;
}

static size_t parse_csi(struct key_reader *r, struct key *out)
{
    struct sequence s;
    if (r->n > 2 && r->bytes[2] == '[') {
        /* The Linux console's F1 to F5: ESC [ [ A. */
        if (r->n < 4)
            return 0;
        if (r->bytes[3] >= 'A' && r->bytes[3] <= 'E')
            out->code = K_F1 + (uint32_t)(r->bytes[3] - 'A');
        return 4;
    }
    size_t used = parse_sequence(r->bytes, r->n, &s);
    if (used == 0 || s.final == 0)
        return used;
    if (s.private == '<' && (s.final == 'M' || s.final == 'm')) {
        if (!mouse_key(&s, out))
            out->code = 0;
    } else if (s.final == '~' && (s.parameter[0] == 200 || s.parameter[0] == 201)) {
        r->pasting = s.parameter[0] == 200;
    } else if (!s.private && s.final == 'n') {
        out->code = K_ANSWER;
    } else if (!s.private && s.final == '~') {
        /* Keys numbered as on a VT220: ESC [ number ~. */
        static const uint32_t KEYS[] = {
            [1] = K_HOME,    [2] = K_INSERT,    [3] = K_DELETE,   [4] = K_END,
            [5] = K_PAGE_UP, [6] = K_PAGE_DOWN, [7] = K_HOME,     [8] = K_END,
            [11] = K_F1,     [12] = K_F1 + 1,   [13] = K_F1 + 2,  [14] = K_F1 + 3,
            [15] = K_F1 + 4, [17] = K_F1 + 5,   [18] = K_F1 + 6,  [19] = K_F1 + 7,
            [20] = K_F1 + 8, [21] = K_F1 + 9,   [23] = K_F1 + 10, [24] = K_F12,
        };
        out->code =
            s.parameter[0] >= 0 && s.parameter[0] < (int)(sizeof KEYS / sizeof KEYS[0])
                ? KEYS[s.parameter[0]]
                : 0;
    } else if (!s.private && s.final != 'M') {
        out->code = letter_key(s.final);
    }
    bool is_key = out->code >= K_UP && out->code <= K_F12;
    int bits = s.parameter[1] - 1; /* xterm: 1 + shift 1 + alt 2 + control 4 */
    if (is_key && s.n > 1 && bits > 0)
        out->code |= modifier_flags(bits & 1, bits & 2, bits & 4);
    return used;
}

/* ESC ] number ; text, ended by BEL or ESC \. Only the background colour is used, number 11,
 * "rgb:RRRR/GGGG/BBBB": each a share of the largest number of so many digits, as for
 * XParseColor(3). */
static size_t parse_osc(const struct key_reader *r, struct key *out)
{
    static const double WEIGHT[] = {0.299, 0.587, 0.114};
    char text[64], digits[3][5];
    double luminance = 0;
    size_t i = 2;
    while (i < r->n && r->bytes[i] != BEL && r->bytes[i] != ESC)
        i++;
    if (i == r->n || (r->bytes[i] == ESC && i + 1 == r->n))
        return 0;
    snprintf(text, sizeof text, "%.*s", (int)(i - 2), (const char *)r->bytes + 2);
    if (sscanf(text, "11;rgb:%4[0-9a-fA-F]/%4[0-9a-fA-F]/%4[0-9a-fA-F]", digits[0],
               digits[1], digits[2]) == 3) {
        for (int k = 0; k < 3; k++)
            luminance += WEIGHT[k] * (double)strtoul(digits[k], NULL, 16) /
                         (double)((1ul << 4 * strlen(digits[k])) - 1);
        out->code = K_BACKGROUND;
        out->column = (int)(255 * luminance + 0.5);
    }
    return r->bytes[i] == ESC && r->bytes[i + 1] == '\\' ? i + 2
                                                         : i + (r->bytes[i] == BEL);
}

/* Returns the bytes used; 0: more are needed. out->code stays 0 if they are not a key. */
static size_t parse_key(struct key_reader *r, struct key *out)
{
    uint8_t first = r->bytes[0];
    if (first == ESC) {
        if (r->n == 1)
            return 0;
        switch (r->bytes[1]) {
        case '[':
            return r->n > 2 ? parse_csi(r, out) : 0;
        case 'O':
            if (r->n == 2)
                return 0;
            out->code = letter_key((char)r->bytes[2]);
            return 3;
        case ']':
            return parse_osc(r, out);
        default:
            out->code = K_ESCAPE;
            return 1;
        }
    }
    if (first < 0x20 || first == 0x7F) {
        out->code = first == '\r' || first == '\n'   ? K_ENTER
                    : first == '\t'                  ? K_TAB
                    : first == '\b' || first == 0x7F ? K_BACKSPACE
                                                     : first;
        return 1;
    }
    size_t used = text_decode((const char *)r->bytes, r->n, &out->code);
    if (out->code == TEXT_REPLACEMENT)
        out->code = 0;
    return used;
}

bool key_reader_next(struct key_reader *r, bool idle, struct key *out)
{
    while (r->n > 0) {
        *out = (struct key){0};
        size_t used = parse_key(r, out);
        if (used == 0 && !idle && r->n < sizeof r->bytes)
            return false;
        if (used == 0) { /* no more bytes come: a lone ESC was the key */
            const bool is_escape = r->bytes[0] == ESC && r->n <= 2;
            out->code = is_escape ? K_ESCAPE : 0;
            used = is_escape ? 1 : r->n;
        }
        r->n -= used;
        memmove(r->bytes, r->bytes + used, r->n);
        out->pasted = r->pasting && out->code < K_PRESS;
        if (out->code)
            return true;
    }
    return false;
}
