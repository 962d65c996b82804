/* The theme for this terminal: the user's choice, and what the terminal can show. */
#ifndef TUI_LOOK_H
#define TUI_LOOK_H

#include "tui/cells/theme.h"

struct look {
    char name[THEME_NAME_BYTES]; /* of the requested theme */
    enum depth depth;            /* the most colours that the terminal has */
    bool is_light;               /* its background */
    bool ascii;
    struct theme theme;
};

/* Reads terminfo and the environment: CONTINUO_THEME, NO_COLOR, COLORTERM, COLORFGBG and
 * CONTINUO_ASCII. Call it after setlocale. false: TERM is unset or unknown, or the terminal
 * does not place the cursor with ECMA-48's sequence. */
bool look_init(struct look *l, int output_fd);
/* Sets the requested theme, "auto" for an unknown name, and whether the background is light.
 * Returns whether the theme changed. */
bool look_set(struct look *l, const char *name, bool is_light);

#endif
