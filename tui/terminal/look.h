/* The theme for this terminal: its abilities, the user's choice, and the theme that
 * follows. Reads the environment once. */
#ifndef TUI_LOOK_H
#define TUI_LOOK_H

#include "tui/terminal/terminfo.h"
#include "tui/cells/theme.h"

struct look {
    char name[THEME_NAME_BYTES]; /* of the requested theme */
    enum depth depth;            /* the most colours the terminal has */
    bool is_light;               /* its background */
    bool ascii;
    struct theme theme;
};

/* Call after setlocale. CONTINUO_THEME, NO_COLOR, COLORTERM, COLORFGBG and
 * CONTINUO_ASCII add to terminfo. */
void look_init(struct look *l, const struct terminfo *t);
/* Both return true if the theme changed. */
bool look_choose_theme(struct look *l,
                       const char *name);                /* unknown names mean "auto" */
bool look_set_background(struct look *l, int luminance); /* of the background, 0..255 */

#endif
