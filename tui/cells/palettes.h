/* Tables of colours: an inner part of tui/cells/theme.c, which completes them. */
#ifndef TUI_PALETTES_H
#define TUI_PALETTES_H

#include "tui/cells/theme.h"

extern const struct theme PALETTE_DARK, PALETTE_LIGHT, PALETTE_CONTRAST;
extern const struct theme PALETTE_16;   /* the terminal's own, on its own ground */
extern const struct theme PALETTE_MONO; /* of no colour */

#endif
