/* The colours of each theme.
 *
 * Track colours are the eight of Okabe and Ito, with black replaced by a light grey and
 * sky blue first. Each is moved towards white or black until its contrast with the
 * ground is at least 4.2, then away from its nearest neighbour, so that colour-blind
 * eyes can tell them apart, too (simulated after Machado et al. 2009).
 * tests/tui/cells/test_themes.c checks both. */
#include "tui/cells/theme.h"

#define ANSI(n) (COLOUR_ANSI + (n))
#define NONE    COLOUR_DEFAULT

/* A row for each colour: dark, light, high contrast, 16 colours. With high contrast text
 * has 7 to 1 (WCAG 2.1, 1.4.6), shapes have 4.5 to 1. */
#define COLOURS(X)                                                                     \
    X(row_white, 0x1C1C22, 0xFBFBF8, 0x181818, NONE)                                   \
    X(row_black, 0x141418, 0xEFEFEB, 0x000000, NONE)                                   \
    X(line_beat, 0x303038, 0xDEDEDA, 0x4A4A4A, ANSI(8))                                \
    X(line_bar, 0x696974, 0x888885, 0x9A9A9A, ANSI(8))                                 \
    X(text, 0xDCDCE2, 0x1E1E24, 0xFFFFFF, NONE)                                        \
    X(quiet, 0x8E8E9A, 0x62626C, 0xE0E0E0, NONE)                                       \
    X(faint, 0x6F6F7A, 0x7E7E85, 0x9A9A9A, ANSI(8))                                    \
    X(bar, 0x24242E, 0xE2E2DE, 0x000000, NONE)                                         \
    X(panel, 0x18181E, 0xF3F3F0, 0x000000, NONE)                                       \
    X(accent, 0xFFC85A, 0x8E5500, 0xFFE14A, ANSI(3))                                   \
    X(on_accent, 0x1A1408, 0xFFFFFF, 0x000000, ANSI(0))                                \
    X(error, 0xFF7A66, 0xB3261E, 0xFF9C8C, ANSI(1))                                    \
    X(playhead, 0x6EE787, 0x167130, 0x7CFF9B, ANSI(2))                                 \
    X(selected, 0xFFF6DC, 0x26221A, 0xFFFFFF, ANSI(7))                                 \
    X(key_white, 0xC4C4CC, 0xFFFFFF, 0xFFFFFF, ANSI(7))                                \
    X(key_c, 0xE2E2E8, 0xE6E6EC, 0xFFFFFF, ANSI(7))                                    \
    X(key_black, 0x26262E, 0x3A3A42, 0x000000, ANSI(0))                                \
    X(key_line, 0x8A8A96, 0xC2C2C8, 0x4A4A4A, ANSI(8))                                 \
    X(key_text, 0x18181E, 0x2A2A32, 0x000000, ANSI(0))

#define IN_DARK(name, dark, light, contrast, of_16)     .name = (dark),
#define IN_LIGHT(name, dark, light, contrast, of_16)    .name = (light),
#define IN_CONTRAST(name, dark, light, contrast, of_16) .name = (contrast),
#define IN_16(name, dark, light, contrast, of_16)       .name = (of_16),
#define IN_MONO(name, dark, light, contrast, of_16)     .name = NONE,

const struct theme PALETTE_DARK = {.tracks = {0x5EB8EA, 0xE7A40D, 0x0CA37A, 0xCF80AB,
                                              0xF1E54B, 0xD96C17, 0x328DC1, 0xD9D9DF},
                                   COLOURS(IN_DARK)};

const struct theme PALETTE_LIGHT = {.light = true,
                                    .tracks = {0x2F6381, 0x674800, 0x008964, 0x7D4A66,
                                               0x817B23, 0xAF4D00, 0x0072B2, 0x75757B},
                                    COLOURS(IN_LIGHT)};

const struct theme PALETTE_CONTRAST = {.tracks = {0x78C3ED, 0xE8A818, 0x2EB08C,
                                                  0xD694B9, 0xF3E968, 0xE58B45,
                                                  0x55A6D6, 0xDDDDE2},
                                       COLOURS(IN_CONTRAST)};

const struct theme PALETTE_16 = {
    .tracks = {ANSI(6), ANSI(3), ANSI(2), ANSI(5), ANSI(3), ANSI(1), ANSI(4), ANSI(7)},
    COLOURS(IN_16)};

const struct theme PALETTE_MONO = {
    .tracks = {NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE}, COLOURS(IN_MONO)};
