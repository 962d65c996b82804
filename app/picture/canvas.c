#include "app/picture/canvas.h"

#include <errno.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

void canvas_text(struct canvas *c, int x, int y, int scale, struct colour colour,
                 const char *text)
{
    for (; *text; text++, x += GLYPH_ADVANCE * scale) {
        const uint8_t *rows = glyph_rows(*text);
        for (int i = 0; i < GLYPH_ROWS * GLYPH_WIDTH; i++) {
            int row = i / GLYPH_WIDTH, column = i % GLYPH_WIDTH;
            struct rect r = {x + column * scale, y + row * scale, scale, scale};
            if (rows[row] >> (GLYPH_WIDTH - 1 - column) & 1)
                canvas_fill(c, r, colour, 1);
        }
    }
}

/* A glyph's rows become columns, and its columns rows from the bottom. */
void canvas_text_up(struct canvas *c, int x, int y, int scale, struct colour colour,
                    const char *text)
{
    for (; *text; text++, y -= GLYPH_ADVANCE * scale) {
        const uint8_t *rows = glyph_rows(*text);
        for (int i = 0; i < GLYPH_ROWS * GLYPH_WIDTH; i++) {
            int row = i / GLYPH_WIDTH, column = i % GLYPH_WIDTH;
            struct rect r = {x + row * scale, y - (column + 1) * scale, scale, scale};
            if (rows[row] >> (GLYPH_WIDTH - 1 - column) & 1)
                canvas_fill(c, r, colour, 1);
        }
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
