/* What terminfo says about the terminal; the one file that speaks ncurses. We
 * ask it what the terminal is, and write the cells ourselves: ncurses has no
 * sure way to say an RGB colour to a terminal whose terminfo lacks it. */
#ifndef TUI_TERMINFO_H
#define TUI_TERMINFO_H

#include <stdbool.h>

enum { TERMINFO_BYTES = 64 };

struct terminfo {
    int n_colours;
    bool direct; /* the RGB capability: colours are 0xRRGGBB */
    bool ansi;   /* the cursor is placed by ECMA-48's sequence */
    char enter[TERMINFO_BYTES], leave[TERMINFO_BYTES]; /* the alternate screen */
    char show[TERMINFO_BYTES], hide[TERMINFO_BYTES];   /* the cursor */
};

/* false: TERM is unset or unknown. */
bool terminfo_read(struct terminfo *t, int output_fd);

#endif
