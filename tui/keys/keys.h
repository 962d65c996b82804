/* Keys, and how they become commands.
 *
 * A key is a code point (control characters as they are) or one of enum key_code;
 * special keys have modifier flags. key_reader makes keys from bytes;
 * tui/keys/bindings.h says what they do. */
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
                K_F1, /* F1 to F12 are consecutive */
                K_F12 = K_F1 + 11,
                K_LETTER,     /* in bindings only: any letter, digit or " */
                K_BACKGROUND, /* column: luminance of the background, 0..255 */
                K_ANSWER,     /* to a question (tui/terminal/tty.h) */
                K_PRESS,      /* the mouse's are the last */
                K_DRAG,
                K_RELEASE,
                K_WHEEL_UP,
                K_WHEEL_DOWN,
                K_WHEEL_LEFT,
                K_WHEEL_RIGHT,
};

enum { K_WITH_SHIFT = 1 << 24, K_WITH_ALT = 1 << 25, K_WITH_CTRL = 1 << 26 };
#define K_MODIFIERS ((uint32_t)(K_WITH_SHIFT | K_WITH_ALT | K_WITH_CTRL))

struct key {
    uint32_t code;   /* K_WITH_* may be set on enum key_code's */
    int column, row; /* mouse: from 0 */
    int button;      /* mouse: 1 left, 2 middle, 3 right */
    bool pasted;
    double ms; /* when it was read (midi/base/clock.h); 0: not known */
};

struct binding; /* tui/keys/bindings.h */

/* Zero-initialise. */
struct keymap_state {
    int count;                 /* typed so far, at most KEYS_MAX_COUNT; 0: none */
    uint32_t prefix;           /* the first of two keys; 0: none */
    uint32_t reg;              /* the register for the next command; 0: none */
    const struct binding *map; /* the keys in force (keymap.h); NULL: as built in */
    double since_ms;           /* when its last key was read (struct key) */
};

enum { KEYS_MAX_COUNT = 9999 };

/* Takes a key; true if it completes a command. A key without a binding clears the
 * state and is CMD_NO_KEY, except in a prompt. */
bool keys_feed(struct keymap_state *s, enum mode mode, const struct key *key,
               struct command *out);

enum { KEYS_NAME_BYTES = 64 };
/* Writes one key or two (keys[1] 0: one), as keys_name or key_notation does. Returns buf. */
const char *keys_format(const uint32_t keys[2], bool is_shown,
                        char buf[KEYS_NAME_BYTES]);
/* As the screen shows them: "Ctrl-R", "Shift-Tab", "Space", "x", "gg". Returns buf. */
static inline const char *keys_name(const uint32_t keys[2], char buf[KEYS_NAME_BYTES])
{
    return keys_format(keys, true, buf);
}
/* As the configuration file and `:map` write them: "x", "g g", "C-p", "S-Left", "Space", "Enter",
 * "F1". Returns buf. */
static inline const char *key_notation(const uint32_t keys[2],
                                       char buf[KEYS_NAME_BYTES])
{
    return keys_format(keys, false, buf);
}
/* Reads what key_notation writes, and "gg"; keys[1] is 0 for one. false: no terminal
 * sends such a key. */
bool key_parse(const char *text, uint32_t keys[2]);

/* -- bytes to keys -- */

/* Turns bytes from the terminal into keys: UTF-8, escape sequences, SGR mouse reports,
 * bracketed paste, and the terminal's answers (background colour, OSC 11; has read so
 * far, DSR). Sequences follow ECMA-48 and xterm's ctlseqs. Escape before a character is
 * two keys, since nothing is bound to Alt. One owner. */
enum { KEY_READER_BYTES = 512 };

/* Zero-initialise. The owner appends new input behind the n bytes that wait. There is
 * room once all keys are taken. */
struct key_reader {
    uint8_t bytes[KEY_READER_BYTES];
    size_t n;
    bool pasting;
};

/* The next complete key. `idle`: no more bytes come soon, so a lone ESC is the Escape
 * key and half a sequence is dropped. */
bool key_reader_next(struct key_reader *r, bool idle, struct key *out);

#endif
