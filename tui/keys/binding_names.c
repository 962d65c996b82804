/* How keys, groups of them and modes are called. */
#include "tui/keys/bindings.h"

#include <stdio.h>

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
