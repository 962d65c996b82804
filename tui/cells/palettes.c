/* The colours of each theme.
 *
 * Tracks are Okabe and Ito's eight, black replaced by a light grey, sky blue first: moved
 * towards white or black as far as the ground asks for (4.2 to 1 and more), then apart, so
 * that the two nearest stay apart for eyes without red, green or blue cones, too (as
 * simulated by Machado et al. 2009). tests/tui/cells/test_themes.c holds them to it. */
#include "tui/cells/palettes.h"

#define ANSI(n) (COLOUR_ANSI + (n))

const struct theme PALETTE_DARK = {
    .row_white = 0x1C1C22,
    .row_black = 0x141418,
    .line_beat = 0x303038,
    .line_bar = 0x696974,
    .text = 0xDCDCE2,
    .quiet = 0x8E8E9A,
    .faint = 0x6F6F7A,
    .bar = 0x24242E,
    .panel = 0x18181E,
    .accent = 0xFFC85A,
    .on_accent = 0x1A1408,
    .error = 0xFF7A66,
    .playhead = 0x6EE787,
    .selected = 0xFFF6DC,
    .key_white = 0xC4C4CC,
    .key_c = 0xE2E2E8,
    .key_black = 0x26262E,
    .key_line = 0x8A8A96,
    .key_text = 0x18181E,
    .tracks = {0x5EB8EA, 0xE7A40D, 0x0CA37A, 0xCF80AB, 0xF1E54B, 0xD96C17, 0x328DC1,
               0xD9D9DF},
};

const struct theme PALETTE_LIGHT = {
    .light = true,
    .row_white = 0xFBFBF8,
    .row_black = 0xEFEFEB,
    .line_beat = 0xDEDEDA,
    .line_bar = 0x888885,
    .text = 0x1E1E24,
    .quiet = 0x62626C,
    .faint = 0x7E7E85,
    .bar = 0xE2E2DE,
    .panel = 0xF3F3F0,
    .accent = 0x8E5500,
    .on_accent = 0xFFFFFF,
    .error = 0xB3261E,
    .playhead = 0x167130,
    .selected = 0x26221A,
    .key_white = 0xFFFFFF,
    .key_c = 0xE6E6EC,
    .key_black = 0x3A3A42,
    .key_line = 0xC2C2C8,
    .key_text = 0x2A2A32,
    .tracks = {0x2F6381, 0x674800, 0x008964, 0x7D4A66, 0x817B23, 0xAF4D00, 0x0072B2,
               0x75757B},
};

/* For eyes that need it, and screens in the sun: what is read has 7 to 1 (WCAG 2.1,
 * 1.4.6), what is seen 4.5. */
const struct theme PALETTE_CONTRAST = {
    .row_white = 0x181818,
    .row_black = 0x000000,
    .line_beat = 0x4A4A4A,
    .line_bar = 0x9A9A9A,
    .text = 0xFFFFFF,
    .quiet = 0xE0E0E0,
    .faint = 0x9A9A9A,
    .bar = 0x000000,
    .panel = 0x000000,
    .accent = 0xFFE14A,
    .on_accent = 0x000000,
    .error = 0xFF9C8C,
    .playhead = 0x7CFF9B,
    .selected = 0xFFFFFF,
    .key_white = 0xFFFFFF,
    .key_c = 0xFFFFFF,
    .key_black = 0x000000,
    .key_line = 0x4A4A4A,
    .key_text = 0x000000,
    .tracks = {0x78C3ED, 0xE8A818, 0x2EB08C, 0xD694B9, 0xF3E968, 0xE58B45, 0x55A6D6,
               0xDDDDE2},
};

const struct theme PALETTE_16 = {
    .row_white = COLOUR_DEFAULT,
    .row_black = COLOUR_DEFAULT,
    .line_beat = ANSI(8),
    .line_bar = ANSI(8),
    .text = COLOUR_DEFAULT,
    .quiet = COLOUR_DEFAULT,
    .faint = ANSI(8),
    .bar = COLOUR_DEFAULT,
    .panel = COLOUR_DEFAULT,
    .accent = ANSI(3),
    .on_accent = ANSI(0),
    .error = ANSI(1),
    .playhead = ANSI(2),
    .selected = ANSI(7),
    .key_white = ANSI(7),
    .key_c = ANSI(7),
    .key_black = ANSI(0),
    .key_line = ANSI(8),
    .key_text = ANSI(0),
    .tracks = {ANSI(6), ANSI(3), ANSI(2), ANSI(5), ANSI(3), ANSI(1), ANSI(4), ANSI(7)},
};

#define NONE COLOUR_DEFAULT

const struct theme PALETTE_MONO = {
    .row_white = NONE,
    .row_black = NONE,
    .line_beat = NONE,
    .line_bar = NONE,
    .text = NONE,
    .quiet = NONE,
    .faint = NONE,
    .bar = NONE,
    .panel = NONE,
    .accent = NONE,
    .on_accent = NONE,
    .error = NONE,
    .playhead = NONE,
    .selected = NONE,
    .key_white = NONE,
    .key_c = NONE,
    .key_black = NONE,
    .key_line = NONE,
    .key_text = NONE,
    .tracks = {NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE},
};
