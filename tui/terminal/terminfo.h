/* What terminfo knows of the terminal. The one file that uses ncurses: we write the
 * cells ourselves, because ncurses cannot send an RGB colour to a terminal whose
 * terminfo lacks it. */
#ifndef TUI_TERMINFO_H
#define TUI_TERMINFO_H

#include <stdbool.h>

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

#endif
