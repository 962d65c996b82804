#include "tui/keys/key_notation.h"

#include "tui/base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The first name of a code is the one that is written. */
static const struct {
    const char *name;
    uint32_t code;
} NAMES[] = {
    {"Space", ' '},
    {"Comma", ','},
    {"Semicolon", ';'},
    {"Up", K_UP},
    {"Down", K_DOWN},
    {"Left", K_LEFT},
    {"Right", K_RIGHT},
    {"Home", K_HOME},
    {"End", K_END},
    {"PageUp", K_PAGE_UP},
    {"PageDown", K_PAGE_DOWN},
    {"Insert", K_INSERT},
    {"Delete", K_DELETE},
    {"Enter", K_ENTER},
    {"Tab", K_TAB},
    {"S-Tab", K_BACKTAB},
    {"Backspace", K_BACKSPACE},
    {"Esc", K_ESCAPE},
    {"Escape", K_ESCAPE},
    {"Return", K_ENTER},
    {"Del", K_DELETE},
    {"Ins", K_INSERT},
};
enum { N_NAMES = sizeof NAMES / sizeof NAMES[0], TOKEN_BYTES = 24 };

static uint32_t by_name(const char *word)
{
    for (size_t i = 0; i < N_NAMES; i++)
        if (!strcasecmp(word, NAMES[i].name))
            return NAMES[i].code;
    if ((*word == 'F' || *word == 'f') && word[1] >= '1' && word[1] <= '9') {
        char *end;
        long n = strtol(word + 1, &end, 10);
        return *end || n > 12 ? 0 : K_F1 + (uint32_t)n - 1;
    }
    return 0;
}

/* A character that stands for itself. */
static uint32_t one_character(const char *word)
{
    uint32_t code;
    size_t n = strlen(word), used = n ? text_decode(word, n, &code) : 0;
    bool is_whole = used > 0 && used == n && code != TEXT_REPLACEMENT;
    return is_whole && code > ' ' && code != 0x7F && !(code >= 0x80 && code < 0xA0)
               ? code
               : 0;
}

/* What a terminal sends for Ctrl and a letter; some of it has a key of its own. */
static uint32_t with_ctrl(const char *letter)
{
    uint32_t code = one_character(letter);
    if (code >= 'A' && code <= 'Z')
        code += 'a' - 'A';
    if (code < 'a' || code > 'z')
        return 0;
    return code == 'i'                  ? (uint32_t)K_TAB
           : code == 'm' || code == 'j' ? (uint32_t)K_ENTER
                                        : KEY_CTRL(code);
}

/* "C-", "Ctrl-", "S-", "Shift-", "M-", "Alt-" before a name. */
static uint32_t take_modifier(const char **word)
{
    static const struct {
        const char *text;
        uint32_t flag;
    } MODIFIERS[] = {
        {"Ctrl-", K_WITH_CTRL}, {"C-", K_WITH_CTRL},  {"Shift-", K_WITH_SHIFT},
        {"S-", K_WITH_SHIFT},   {"Alt-", K_WITH_ALT}, {"M-", K_WITH_ALT},
    };
    for (size_t i = 0; i < sizeof MODIFIERS / sizeof MODIFIERS[0]; i++) {
        size_t n = strlen(MODIFIERS[i].text);
        if (!strncasecmp(*word, MODIFIERS[i].text, n) && (*word)[n]) {
            *word += n;
            return MODIFIERS[i].flag;
        }
    }
    return 0;
}

/* 0: no key. */
static uint32_t parse_one(const char *word)
{
    uint32_t code = one_character(word), flags = 0, flag;
    if (!code)
        code = by_name(word);
    if (code)
        return code;
    while ((flag = take_modifier(&word)))
        flags |= flag;
    if (flags == K_WITH_SHIFT && by_name(word) == K_TAB)
        return K_BACKTAB;
    if (flags == K_WITH_CTRL && one_character(word))
        return with_ctrl(word);
    code = flags ? by_name(word) : 0;
    return code >= K_UP ? code | flags : 0; /* Shift-Space is Space, to a terminal */
}

/* Into words; how many there are, or 3 for more than two. */
static int split(const char *text, char words[2][TOKEN_BYTES])
{
    int n = 0;
    while (*(text += strspn(text, " \t"))) {
        size_t length = strcspn(text, " \t");
        if (n == 2 || length >= TOKEN_BYTES)
            return 3;
        memcpy(words[n], text, length);
        words[n++][length] = '\0';
        text += length;
    }
    return n;
}

bool key_parse(const char *text, uint32_t keys[2])
{
    char words[2][TOKEN_BYTES];
    int n = split(text, words);
    keys[0] = n == 1 || n == 2 ? parse_one(words[0]) : 0;
    keys[1] = 0;
    if (n == 2)
        return keys[0] && (keys[1] = parse_one(words[1]));
    if (n == 1 && !keys[0] && strlen(words[0]) == 2) { /* "gg" */
        const char first[] = {words[0][0], '\0'};
        keys[0] = one_character(first);
        return keys[0] && (keys[1] = one_character(words[0] + 1));
    }
    return keys[0] != 0;
}

static void write_one(uint32_t code, char *buf, size_t n)
{
    const uint32_t flags = K_WITH_SHIFT | K_WITH_ALT | K_WITH_CTRL;
    uint32_t base = code & ~flags;
    char utf8[5] = "";
    const char *name = NULL;
    for (size_t i = N_NAMES; i-- > 0;)
        if (NAMES[i].code == base)
            name = NAMES[i].name;
    if (!name && base >= 0x20 && base < K_UP)
        text_encode(base, utf8);
    int used = snprintf(buf, n, "%s%s%s", code & K_WITH_CTRL ? "C-" : "",
                        code & K_WITH_ALT ? "M-" : "", code & K_WITH_SHIFT ? "S-" : "");
    if (base < 0x20)
        snprintf(buf, n, "C-%c", (int)(base + 'a' - 1));
    else if (base >= K_F1 && base <= K_F12)
        snprintf(buf + used, n - (size_t)used, "F%d", (int)(base - K_F1 + 1));
    else
        snprintf(buf + used, n - (size_t)used, "%s", name ? name : utf8);
}

const char *key_notation(const uint32_t keys[2], char buf[KEY_NOTATION_BYTES])
{
    char second[KEY_NOTATION_BYTES / 2 - 1] = "";
    write_one(keys[0], buf, KEY_NOTATION_BYTES / 2);
    if (keys[1])
        write_one(keys[1], second, sizeof second);
    if (*second) {
        size_t used = strlen(buf);
        snprintf(buf + used, KEY_NOTATION_BYTES - used, " %s", second);
    }
    return buf;
}
