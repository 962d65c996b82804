/* A field of pixels with rectangles and small letters, and its PNG. */
#ifndef APP_CANVAS_H
#define APP_CANVAS_H

#include <stdbool.h>
#include <stdint.h>

struct colour {
    uint8_t r, g, b;
};

struct rect {
    int x, y, w, h; /* cut at the edges when drawn */
};

struct canvas {
    int width, height;
    uint8_t *pixels; /* [height, width, 3] */
};

bool canvas_init(struct canvas *c, int width, int height, struct colour ground);
void canvas_fini(struct canvas *c);

void canvas_fill(struct canvas *c, struct rect r, struct colour colour);
void canvas_frame(struct canvas *c, struct rect r, struct colour colour);

/* ASCII, each of whose pixels is `scale` wide, from its upper left corner
 * on; up: turned to read from below, from its lower left corner on. */
void canvas_text(struct canvas *c, int x, int y, int scale, struct colour colour,
                 const char *text);
void canvas_text_up(struct canvas *c, int x, int y, int scale, struct colour colour,
                    const char *text);
int canvas_text_width(const char *text, int scale);

/* false: errno says why; nothing is left at path. */
bool canvas_save(const struct canvas *c, const char *path);

/* Letters, drawn for this project: printable ASCII, five pixels wide, seven high and two below
 * the line. */
enum { GLYPH_WIDTH = 5, GLYPH_HEIGHT = 7, GLYPH_ROWS = 9, GLYPH_ADVANCE = 6 };

/* Rows from the top [GLYPH_ROWS], the left pixel in bit 4; a frame for characters that are
 * not printable ASCII. */
const uint8_t *glyph_rows(char c);

#endif
