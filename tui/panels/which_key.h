/* The box of keys. When a command is half typed (a count, or the first of two keys) and
 * nothing follows for a moment, it lists the keys that may follow. The next key closes
 * it. */
#ifndef TUI_WHICH_KEY_H
#define TUI_WHICH_KEY_H

#include "tui/keys/keys.h"
#include "tui/view/layout.h"

enum { WHICH_KEY_PAUSE_MS = 400 };

/* What is half typed, and since when. Zero-initialise. */
struct which_key {
    int count;
    uint32_t prefix;
    int64_t since_ms;
};

/* Milliseconds until the box is due; 0: now; -1: nothing is half typed. now_ms is
 * monotonic. */
int which_key_wait(struct which_key *w, const struct keymap_state *typed,
                   int64_t now_ms);

/* Places a box of this size in the roll's bottom right corner, or in another corner
 * that leaves the cursor visible. */
struct region which_key_region(const struct layout *l, const struct view *v,
                               int columns, int rows);

#endif
