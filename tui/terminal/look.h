/* How this terminal is to look: what it can show, what the user wishes, and the theme
 * that follows. Reads the environment once. */
#ifndef TUI_LOOK_H
#define TUI_LOOK_H

#include "tui/terminal/terminfo.h"
#include "tui/cells/theme.h"

struct look {
    char name[THEME_NAME_BYTES]; /* of the theme that is wished for */
    enum depth depth;            /* the most colours the terminal has */
    bool is_light;               /* its background */
    bool ascii;
    struct theme theme;
};

/* After setlocale. CONTINUO_THEME, NO_COLOR, COLORTERM, COLORFGBG and CONTINUO_ASCII say
 * what terminfo does not. */
void look_init(struct look *l, const struct terminfo *t);
/* Each is true when the theme is another one now. */
bool look_wish(struct look *l, const char *name); /* not known: "auto" */
bool look_learn(struct look *l, int luminance);   /* of the background, 0..255 */

#endif
