/* Keys, and the dispatcher that turns them into commands.
 *
 * A key is a code point (control characters as they are) or one of enum
 * key_code, with modifier flags on the special ones. tui/keys/key_reader.h makes keys
 * of bytes, tui/keys/bindings.h says what they mean. */
#ifndef TUI_KEYS_H
#define TUI_KEYS_H

#include "tui/keys/command.h"

#define KEY_CTRL(letter) ((uint32_t)(letter)&31u)

enum key_code { /* past the last code point */
                K_UP = 0x110000,
                K_DOWN,
                K_LEFT,
                K_RIGHT,
                K_HOME,
                K_END,
                K_PAGE_UP,
                K_PAGE_DOWN,
                K_INSERT,
                K_DELETE,
                K_ENTER,
                K_TAB,
                K_BACKTAB,
                K_BACKSPACE,
                K_ESCAPE,
                K_F1, /* to F12, in a row */
                K_F12 = K_F1 + 11,
                K_PRESS,
                K_DRAG,
                K_RELEASE,
                K_WHEEL_UP,
                K_WHEEL_DOWN,
                K_WHEEL_LEFT,
                K_WHEEL_RIGHT,
                K_LETTER,     /* in bindings only: a letter, a digit or " */
                K_BACKGROUND, /* column: luminance of the terminal's background, 0..255 */
                K_ANSWER, /* the terminal has read up to a question (tui/base/line.h) */
};

enum { K_WITH_SHIFT = 1 << 24, K_WITH_ALT = 1 << 25, K_WITH_CTRL = 1 << 26 };

struct key {
    uint32_t code;   /* with K_WITH_* on enum key_code's */
    int column, row; /* mouse: from 0 */
    int button;      /* mouse: 1 left, 2 middle, 3 right */
    bool pasted;
};

struct keymap; /* tui/keys/keymap.h */

/* Zero-initialise. */
struct keymap_state {
    int count;                /* typed so far; 0: none; at most KEYS_MAX_COUNT */
    uint32_t prefix;          /* the first of two keys; 0: none */
    uint32_t reg;             /* the register that was named for what comes; 0: none */
    const struct keymap *map; /* the keys in force; NULL: as built in */
};

enum { KEYS_MAX_COUNT = 9999 };

/* Takes a key; true when it completes a command. Unbound keys clear the state. */
bool keys_feed(struct keymap_state *s, enum mode mode, const struct key *key,
               struct command *out);
int keys_count(const struct keymap_state *s); /* for display */

/* "Ctrl-R", "Shift-Tab", "Space", "x"; buf holds at least 32 bytes; returns buf. */
const char *key_name(uint32_t code, char buf[32]);

#endif
