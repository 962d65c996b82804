/* The help page of MODE_HELP. */
#ifndef TUI_HELP_H
#define TUI_HELP_H

#include "tui/keys/command.h"

struct keymap; /* tui/keys/keymap.h */

/* What the help tells: the keys in force (NULL: as built in) of one mode, or of all. */
struct help_page {
    const struct keymap *keymap;
    enum mode mode;
    bool all;
};
/* The largest help_scroll that shows something new, for app/ to clamp to. */
int help_max_scroll(const struct help_page *page, int columns, int rows);

#endif
