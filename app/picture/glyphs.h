/* Letters for pictures: the printable characters of ASCII, five pixels wide, seven high
 * and two below the line, drawn for this project. */
#ifndef APP_GLYPHS_H
#define APP_GLYPHS_H

#include <stdint.h>

enum { GLYPH_WIDTH = 5, GLYPH_HEIGHT = 7, GLYPH_ROWS = 9, GLYPH_ADVANCE = 6 };

/* Rows from the top [GLYPH_ROWS], the left pixel in bit 4; a frame for what is not
 * printable ASCII. */
const uint8_t *glyph_rows(char c);

#endif
