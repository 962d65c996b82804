/* The names of keys, groups of bindings, and modes, as the screen shows them. */
#include "tui/base/text.h"
#include "tui/keys/bindings.h"

#include <stdio.h>

static const char *special_name(uint32_t code)
{
    static const char *const NAMES[] = {
        "Up",  "Down", "Left",  "Right", "Home",  "End",       "PageUp", "PageDown",
        "Ins", "Del",  "Enter", "Tab",   "S-Tab", "Backspace", "Esc",
    };
    static const char *const MOUSE[] = {
        "Click", "Drag", "Let go", "Wheel up", "Wheel dn", "Wheel left", "Wheel right"};
    if (code >= K_UP && code <= K_ESCAPE)
        return NAMES[code - K_UP];
    if (code == K_LETTER)
        return "a-z";
    return code >= K_PRESS && code <= K_WHEEL_RIGHT ? MOUSE[code - K_PRESS] : "";
}

static void base_name(uint32_t code, char *buf, size_t n)
{
    char utf8[5] = "";
    if (code == ' ')
        snprintf(buf, n, "Space");
    else if (code < 0x20)
        snprintf(buf, n, "Ctrl-%c", (int)(code + 0x40));
    else if (code >= K_F1 && code <= K_F12)
        snprintf(buf, n, "F%d", (int)(code - K_F1 + 1));
    else if (code >= K_UP)
        snprintf(buf, n, "%s", special_name(code));
    else {
        text_encode(code, utf8);
        snprintf(buf, n, "%s", utf8);
    }
}

const char *key_name(uint32_t code, char buf[32])
{
    char base[16];
    base_name(code & ~(uint32_t)(K_WITH_SHIFT | K_WITH_ALT | K_WITH_CTRL), base,
              sizeof base);
    snprintf(buf, 32, "%s%s%s%s", code & K_WITH_CTRL ? "Ctrl-" : "",
             code & K_WITH_ALT ? "Alt-" : "", code & K_WITH_SHIFT ? "Shift-" : "",
             base);
    return buf;
}

const char *binding_group_name(enum binding_group group)
{
    static const char *const NAMES[GROUP_COUNT] = {
        "The machine",
        "Takes",
        "Steering it",
        "The inspector",
        "Sound",
        "A keyboard",
        "Moving",
        "Structure",
        "Editing",
        "Choosing notes",
        "The lane",
        "Tracks",
        "View",
        "Mouse",
        "Files and program",
        "Finding one's way",
        "Typing",
    };
    return NAMES[group];
}

const char *binding_keys(const struct binding *b, char buf[64])
{
    char first[32], second[32] = "";
    key_name(b->keys[0], first);
    if (b->keys[1])
        key_name(b->keys[1], second);
    snprintf(buf, 64, "%s%s", first, second);
    return buf;
}

const char *binding_keys_range(const struct binding *b, char buf[64])
{
    const struct binding *last = b;
    bool is_digit = b->keys[0] >= '0' && b->keys[0] <= '9' && !b->keys[1];
    while (is_digit && last[1].keys[0] == last->keys[0] + 1 && !last[1].help)
        last++;
    if (last == b)
        return binding_keys(b, buf);
    snprintf(buf, 64, "%c-%c", (char)b->keys[0], (char)last->keys[0]);
    return buf;
}

const char *mode_name(enum mode mode)
{
    static const char *const NAMES[MODE_COUNT] = {
        [MODE_NORMAL] = "NORMAL",   [MODE_DRAW] = "DRAW",
        [MODE_SELECT] = "SELECT",   [MODE_TAKES] = "TAKES",
        [MODE_STEER] = "STEER",     [MODE_LANE] = "LANE",
        [MODE_INSPECT] = "INSPECT", [MODE_PLAY] = "PLAY",
        [MODE_STEP] = "STEP",       [MODE_TRACKS] = "TRACKS",
        [MODE_MAP] = "MAP",         [MODE_HISTORY] = "HISTORY",
        [MODE_HELP] = "HELP",       [MODE_PROMPT] = "COMMAND",
        [MODE_PALETTE] = "PALETTE",
    };
    return mode < MODE_COUNT ? NAMES[mode] : "";
}
