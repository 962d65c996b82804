/* What the terminal can do, and the theme for it. */
#ifndef TUI_LOOK_H
#define TUI_LOOK_H

#include "tui/cells/theme.h"

enum { TERMINFO_BYTES = 64 };

struct terminfo {
    int n_colours;
    bool direct; /* has the RGB capability: colours are 0xRRGGBB */
    bool ansi;   /* places the cursor with ECMA-48's sequence */
    char enter[TERMINFO_BYTES], leave[TERMINFO_BYTES]; /* of the alternate screen */
    char show[TERMINFO_BYTES], hide[TERMINFO_BYTES];   /* of the cursor */
};

/* false: TERM is unset or unknown. */
bool terminfo_read(struct terminfo *t, int output_fd);

/* The user's choice, and the theme that follows. Reads the environment once. */
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
