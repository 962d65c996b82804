/* Names of keys, as the screen shows them and as the configuration file and `:map` write
 * and read them; names of groups of bindings, modes and commands. */
#include "tui/base/text.h"
#include "tui/keys/bindings.h"

#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The first name of a code is the one written. NULL: written, or shown, as it is. */
static const struct {
    uint32_t code;
    const char *shown, *written;
} KEY_NAMES[] = {
    {' ', "Space", "Space"},
    {',', NULL, "Comma"},
    {';', NULL, "Semicolon"},
    {K_UP, "Up", "Up"},
    {K_DOWN, "Down", "Down"},
    {K_LEFT, "Left", "Left"},
    {K_RIGHT, "Right", "Right"},
    {K_HOME, "Home", "Home"},
    {K_END, "End", "End"},
    {K_PAGE_UP, "PageUp", "PageUp"},
    {K_PAGE_DOWN, "PageDown", "PageDown"},
    {K_INSERT, "Ins", "Insert"},
    {K_DELETE, "Del", "Delete"},
    {K_ENTER, "Enter", "Enter"},
    {K_TAB, "Tab", "Tab"},
    {K_BACKTAB, "S-Tab", "S-Tab"},
    {K_BACKSPACE, "Backspace", "Backspace"},
    {K_ESCAPE, "Esc", "Esc"},
    {K_ESCAPE, NULL, "Escape"},
    {K_ENTER, NULL, "Return"},
    {K_DELETE, NULL, "Del"},
    {K_INSERT, NULL, "Ins"},
    {K_PRESS, "Click", NULL},
    {K_DRAG, "Drag", NULL},
    {K_RELEASE, "Let go", NULL},
    {K_WHEEL_UP, "Wheel up", NULL},
    {K_WHEEL_DOWN, "Wheel dn", NULL},
    {K_WHEEL_LEFT, "Wheel left", NULL},
    {K_WHEEL_RIGHT, "Wheel right", NULL},
    {K_LETTER, "a-z", NULL},
};
enum { N_NAMES = sizeof KEY_NAMES / sizeof KEY_NAMES[0], TOKEN_BYTES = 24 };

static const struct {
    uint32_t flag;
    const char *shown, *written;
} MODIFIERS[] = {
    {K_WITH_CTRL, "Ctrl-", "C-"},
    {K_WITH_ALT, "Alt-", "M-"},
    {K_WITH_SHIFT, "Shift-", "S-"},
};
enum { N_MODIFIERS = sizeof MODIFIERS / sizeof MODIFIERS[0] };

static void format_key(uint32_t code, bool is_shown, char *buf, size_t n)
{
    const char *name = NULL;
    uint32_t base = code & ~K_MODIFIERS;
    char own[16] = "";
    size_t used = 0;
    for (size_t i = 0; i < N_NAMES && !name; i++)
        if (KEY_NAMES[i].code == base)
            name = is_shown ? KEY_NAMES[i].shown : KEY_NAMES[i].written;
    if (base < 0x20) {
        code |= K_WITH_CTRL;
        own[0] = (char)(base + (is_shown ? '@' : '`'));
    } else if (base >= K_F1 && base <= K_F12)
        snprintf(own, sizeof own, "F%d", (int)(base - K_F1 + 1));
    else if (base < K_UP)
        text_encode(base, own);
    for (size_t i = 0; i < N_MODIFIERS; i++)
        if (code & MODIFIERS[i].flag)
            used +=
                (size_t)snprintf(buf + used, n - used, "%s",
                                 is_shown ? MODIFIERS[i].shown : MODIFIERS[i].written);
    snprintf(buf + used, n - used, "%s", name ? name : own);
}

const char *keys_format(const uint32_t keys[2], bool is_shown,
                        char buf[KEYS_NAME_BYTES])
{
    char second[32] = "";
    format_key(keys[0], is_shown, buf, KEYS_NAME_BYTES / 2);
    if (keys[1])
        format_key(keys[1], is_shown, second, sizeof second);
    const size_t used = strlen(buf);
    snprintf(buf + used, KEYS_NAME_BYTES - used, "%s%s",
             *second && !is_shown ? " " : "", second);
    return buf;
}

static uint32_t by_name(const char *word)
{
    for (size_t i = 0; i < N_NAMES; i++)
        if (KEY_NAMES[i].written && !strcasecmp(word, KEY_NAMES[i].written))
            return KEY_NAMES[i].code;
    if ((*word == 'F' || *word == 'f') && word[1] >= '1' && word[1] <= '9') {
        char *end;
        long n = strtol(word + 1, &end, 10);
        return *end || n > 12 ? 0 : K_F1 + (uint32_t)n - 1;
    }
    return 0;
}

/* A character that is its own name. */
static uint32_t one_character(const char *word)
{
    uint32_t code;
    size_t n = strlen(word), used = n ? text_decode(word, n, &code) : 0;
    bool is_whole = used > 0 && used == n && code != TEXT_REPLACEMENT;
    return is_whole && code > ' ' && code != 0x7F && !(code >= 0x80 && code < 0xA0)
               ? code
               : 0;
}

/* "C-", "Ctrl-", "S-", "Shift-", "M-", "Alt-" before a name. */
static uint32_t take_modifier(const char **word)
{
    for (size_t i = 0; i < 2 * N_MODIFIERS; i++) {
        const char *text = i % 2 ? MODIFIERS[i / 2].written : MODIFIERS[i / 2].shown;
        const size_t n = strlen(text);
        if (!strncasecmp(*word, text, n) && (*word)[n]) {
            *word += n;
            return MODIFIERS[i / 2].flag;
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
    code = one_character(word);
    if (flags == K_WITH_CTRL && code) {
        /* A terminal's code for Ctrl and a letter. Some of these are other keys. */
        const char letter = code < 0x80 ? g_ascii_tolower((char)code) : '\0';
        return letter == 'i'                    ? (uint32_t)K_TAB
               : letter == 'm' || letter == 'j' ? (uint32_t)K_ENTER
               : g_ascii_isalpha(letter)        ? KEY_CTRL(letter)
                                                : 0;
    }
    code = flags ? by_name(word) : 0;
    if (flags == K_WITH_SHIFT && code == K_TAB)
        return K_BACKTAB;
    return code >= K_UP ? code | flags : 0; /* terminals send Space for Shift-Space */
}

bool key_parse(const char *text, uint32_t keys[2])
{
    char words[3][TOKEN_BYTES]; /* of a word that is too long, none is a key */
    const int n = sscanf(text, "%23s %23s %23s", words[0], words[1], words[2]);
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

#define NAME(id, name) [id] = (name),

const char *binding_group_name(enum binding_group group)
{
    static const char *const NAMES[] = {BINDING_GROUPS(NAME)};
    return NAMES[group];
}

const char *binding_keys_range(const struct binding *b, char buf[KEYS_NAME_BYTES])
{
    const struct binding *last = b;
    bool is_digit = b->keys[0] >= '0' && b->keys[0] <= '9' && !b->keys[1];
    while (is_digit && last[1].keys[0] == last->keys[0] + 1 && !last[1].help &&
           last[1].modes == b->modes)
        last++;
    if (last == b)
        return keys_name(b->keys, buf);
    snprintf(buf, KEYS_NAME_BYTES, "%c-%c", (char)b->keys[0], (char)last->keys[0]);
    return buf;
}

const char *mode_name(enum mode mode)
{
    static const char *const NAMES[] = {MODES(NAME)};
    return mode < MODE_COUNT ? NAMES[mode] : "";
}

const struct command_about commands[CMD_COUNT] = {
    [CMD_NONE] = {"", "", 0},
#define COMMAND(id, name, does, by, flags, words) [id] = {name, words, flags},
#include "tui/keys/commands.h"
};

/* Names that each list once had for what is one command now; configurations have them. */
static const struct {
    const char *name;
    enum command_id id;
} FORMER_NAMES[] = {
    {"map-next", CMD_LIST_NEXT},        {"map-before", CMD_LIST_PREVIOUS},
    {"history-older", CMD_LIST_NEXT},   {"history-newer", CMD_LIST_PREVIOUS},
    {"history-newest", CMD_LIST_FIRST}, {"history-oldest", CMD_LIST_LAST},
    {"steer-next", CMD_LIST_NEXT},      {"steer-before", CMD_LIST_PREVIOUS},
    {"palette-next", CMD_LIST_NEXT},    {"palette-before", CMD_LIST_PREVIOUS},
};

enum command_id command_find(const char *name)
{
    for (size_t i = 0; i < sizeof FORMER_NAMES / sizeof FORMER_NAMES[0]; i++)
        if (!strcmp(name, FORMER_NAMES[i].name))
            return FORMER_NAMES[i].id;
    int id = CMD_COUNT - 1;
    while (id > CMD_NONE && (!*name || strcmp(commands[id].name, name) != 0))
        id--;
    return (enum command_id)id;
}
