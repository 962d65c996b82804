#include "app/canvas.h"

#include <errno.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Seven rows of five pixels, the left one in bit 4. */
static const struct {
    char c;
    uint8_t rows[GLYPH_HEIGHT];
} GLYPHS[] = {
    {'0', {0x0e, 0x11, 0x13, 0x15, 0x19, 0x11, 0x0e}},
    {'1', {0x04, 0x0c, 0x04, 0x04, 0x04, 0x04, 0x0e}},
    {'2', {0x0e, 0x11, 0x01, 0x06, 0x08, 0x10, 0x1f}},
    {'3', {0x0e, 0x11, 0x01, 0x06, 0x01, 0x11, 0x0e}},
    {'4', {0x02, 0x06, 0x0a, 0x12, 0x1f, 0x02, 0x02}},
    {'5', {0x1f, 0x10, 0x1e, 0x01, 0x01, 0x11, 0x0e}},
    {'6', {0x06, 0x08, 0x10, 0x1e, 0x11, 0x11, 0x0e}},
    {'7', {0x1f, 0x01, 0x02, 0x04, 0x04, 0x08, 0x08}},
    {'8', {0x0e, 0x11, 0x11, 0x0e, 0x11, 0x11, 0x0e}},
    {'9', {0x0e, 0x11, 0x11, 0x0f, 0x01, 0x02, 0x0c}},
    {'A', {0x0e, 0x11, 0x11, 0x1f, 0x11, 0x11, 0x11}},
    {'B', {0x1e, 0x11, 0x11, 0x1e, 0x11, 0x11, 0x1e}},
    {'C', {0x0e, 0x11, 0x10, 0x10, 0x10, 0x11, 0x0e}},
    {'D', {0x1e, 0x11, 0x11, 0x11, 0x11, 0x11, 0x1e}},
    {'E', {0x1f, 0x10, 0x10, 0x1e, 0x10, 0x10, 0x1f}},
    {'F', {0x1f, 0x10, 0x10, 0x1e, 0x10, 0x10, 0x10}},
    {'G', {0x0e, 0x11, 0x10, 0x17, 0x11, 0x11, 0x0f}},
    {'#', {0x0a, 0x0a, 0x1f, 0x0a, 0x1f, 0x0a, 0x0a}},
    {'-', {0x00, 0x00, 0x00, 0x0e, 0x00, 0x00, 0x00}},
};
enum { N_GLYPHS = sizeof GLYPHS / sizeof GLYPHS[0] };

static uint8_t *pixel(struct canvas *c, int x, int y)
{
    return c->pixels + 3 * ((size_t)y * (size_t)c->width + (size_t)x);
}

static void put(uint8_t *p, struct colour colour)
{
    p[0] = colour.r;
    p[1] = colour.g;
    p[2] = colour.b;
}

bool canvas_init(struct canvas *c, int width, int height, struct colour ground)
{
    *c = (struct canvas){.width = width, .height = height};
    c->pixels = calloc((size_t)width * (size_t)height, 3);
    if (c->pixels)
        canvas_fill(c, (struct rect){0, 0, width, height}, ground, 1);
    return c->pixels != NULL;
}

void canvas_fini(struct canvas *c)
{
    free(c->pixels);
    *c = (struct canvas){0};
}

static struct rect cut(const struct canvas *c, struct rect r)
{
    int right = r.x + r.w, bottom = r.y + r.h;
    r.x = r.x < 0 ? 0 : r.x;
    r.y = r.y < 0 ? 0 : r.y;
    r.w = (right > c->width ? c->width : right) - r.x;
    r.h = (bottom > c->height ? c->height : bottom) - r.y;
    return r;
}

static uint8_t blend(uint8_t below, uint8_t above, double strength)
{
    return (uint8_t)(below + (above - below) * strength + 0.5);
}

void canvas_fill(struct canvas *c, struct rect r, struct colour colour, double strength)
{
    r = cut(c, r);
    for (int y = r.y; y < r.y + r.h; y++)
        for (int x = r.x; x < r.x + r.w; x++) {
            uint8_t *p = pixel(c, x, y);
            put(p, (struct colour){blend(p[0], colour.r, strength),
                                   blend(p[1], colour.g, strength),
                                   blend(p[2], colour.b, strength)});
        }
}

void canvas_hatch(struct canvas *c, struct rect r, struct colour colour, int period)
{
    r = cut(c, r);
    for (int y = r.y; y < r.y + r.h; y++)
        for (int x = r.x; x < r.x + r.w; x++)
            if ((x + y) % period < 2)
                put(pixel(c, x, y), colour);
}

void canvas_frame(struct canvas *c, struct rect r, struct colour colour)
{
    canvas_fill(c, (struct rect){r.x, r.y, r.w, 1}, colour, 1);
    canvas_fill(c, (struct rect){r.x, r.y + r.h - 1, r.w, 1}, colour, 1);
    canvas_fill(c, (struct rect){r.x, r.y, 1, r.h}, colour, 1);
    canvas_fill(c, (struct rect){r.x + r.w - 1, r.y, 1, r.h}, colour, 1);
}

static const uint8_t *glyph(char character)
{
    for (int i = 0; i < N_GLYPHS; i++)
        if (GLYPHS[i].c == character)
            return GLYPHS[i].rows;
    return NULL;
}

static void draw_glyph(struct canvas *c, int x, int y, int scale, struct colour colour,
                       const uint8_t *rows)
{
    for (int row = 0; row < GLYPH_HEIGHT; row++)
        for (int column = 0; column < GLYPH_WIDTH; column++)
            if (rows[row] >> (GLYPH_WIDTH - 1 - column) & 1)
                canvas_fill(
                    c, (struct rect){x + column * scale, y + row * scale, scale, scale},
                    colour, 1);
}

void canvas_text(struct canvas *c, int x, int y, int scale, struct colour colour,
                 const char *text)
{
    for (; *text; text++, x += GLYPH_ADVANCE * scale) {
        const uint8_t *rows = glyph(*text);
        if (rows)
            draw_glyph(c, x, y, scale, colour, rows);
    }
}

int canvas_text_width(const char *text, int scale)
{
    int n = (int)strlen(text);
    return n ? (n * GLYPH_ADVANCE - (GLYPH_ADVANCE - GLYPH_WIDTH)) * scale : 0;
}

bool canvas_save(const struct canvas *c, const char *path)
{
    png_image image = {
        .version = PNG_IMAGE_VERSION,
        .width = (png_uint_32)c->width,
        .height = (png_uint_32)c->height,
        .format = PNG_FORMAT_RGB,
    };
    errno = 0;
    bool ok = png_image_write_to_file(&image, path, 0, c->pixels, 0, NULL) != 0;
    int why = errno;
    if (!ok && why != ENOENT && why != EACCES && why != EISDIR)
        unlink(path);
    errno = why;
    return ok;
}
