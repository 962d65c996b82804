/* The box of keys: while a command is half typed (a count, or the first of two keys) and
 * nothing follows for a moment, what may follow is listed. It goes with the next key. */
#ifndef TUI_WHICH_KEY_H
#define TUI_WHICH_KEY_H

#include "tui/keys/keys.h"
#include "tui/view/layout.h"

enum { WHICH_KEY_PAUSE_MS = 400 };

/* Since when what is half typed has been as it is. Zero-initialise. */
struct which_key {
    int count;
    uint32_t prefix;
    int64_t since_ms;
};

/* Milliseconds until the box is due, 0: it is; -1: nothing is half typed. now_ms: of a
 * clock that never goes back. */
int which_key_wait(struct which_key *w, const struct keymap_state *typed,
                   int64_t now_ms);

/* Where the box of so many lines and columns goes: at the bottom right of the roll, or
 * in another corner of it if it would cover the cursor there. */
struct region which_key_region(const struct layout *l, const struct view *v,
                               int columns, int rows);

#endif
