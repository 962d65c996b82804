/* See picture.h. A cell has 6 by 12 pixels, which are doubled where the picture is small. */
#include "app/picture/picture.h"

#include "app/base/paths.h"
#include "midi/base/larger.h"
#include "tui/base/text.h"
#include "tui/terminal/frame.h"

#include <errno.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>

enum { CELL_WIDTH = 6, CELL_HEIGHT = 12, LEAST_COLUMNS = 92 };

/* -- cells to pixels -- */

struct pixels {
    int width, height; /* of the file */
    int scale;         /* pixels of the file, each way, for one pixel of a cell */
    uint8_t *at;       /* [height, width, 3] */
};

/* Fills a rectangle, in pixels of cells; it is cut at the right and the lower edge. */
static void fill(struct pixels *p, struct region r, uint32_t colour)
{
    const int right = (int)smaller((r.column + r.columns) * p->scale, p->width),
              bottom = (int)smaller((r.row + r.rows) * p->scale, p->height);
    for (int y = r.row * p->scale; y < bottom; y++)
        for (int x = r.column * p->scale; x < right; x++) {
            uint8_t *at = p->at + 3 * ((size_t)y * (size_t)p->width + (size_t)x);
            at[0] = (uint8_t)(colour >> 16);
            at[1] = (uint8_t)(colour >> 8);
            at[2] = (uint8_t)colour;
        }
}

/* A block element, U+2580 to U+2590, fills a part of the cell; other glyphs are letters. */
static void paint_cell(struct pixels *p, const struct cell *cell, int x, int y)
{
    const uint32_t glyph = cell->glyph;
    struct region r = {x, y, CELL_WIDTH, CELL_HEIGHT};
    fill(p, r, cell->bg);
    if (glyph >= 0x2580 && glyph <= 0x2590) {
        if (glyph == 0x2580) {
            r.rows /= 2;
        } else if (glyph <= 0x2588) { /* eighths from below */
            r.rows = CELL_HEIGHT * (int)(glyph - 0x2580) / 8;
            r.row += CELL_HEIGHT - r.rows;
        } else if (glyph <= 0x258F) { /* and from the left */
            r.columns = (int)larger(CELL_WIDTH * (int)(0x2590 - glyph) / 8, 1);
        } else {
            r.columns /= 2;
            r.column += r.columns;
        }
        fill(p, r, cell->fg);
        return;
    }
    const uint8_t *rows =
        letter_rows(glyph < 0x7F ? glyph : cells_similar_glyph(glyph));
    for (int i = 0; glyph && i < LETTER_ROWS * LETTER_COLUMNS; i++) {
        const int row = i / LETTER_COLUMNS, column = i % LETTER_COLUMNS;
        if (rows[row] >> (LETTER_COLUMNS - 1 - column) & 1)
            fill(p, (struct region){x + column, y + 2 + row, 1, 1}, cell->fg);
    }
}

/* Paints a map over the cells of its place; the page begins at row `top`. */
static void paint_map(struct pixels *p, const struct theme *t,
                      const struct inspect_map *m, struct region place, int top)
{
    const int width = place.columns * CELL_WIDTH, height = place.rows * CELL_HEIGHT,
              columns = m->n_columns * (int)larger(width / m->n_columns, 1),
              rows = m->n_rows * (int)larger(height / m->n_rows, 1);
    place = (struct region){place.column * CELL_WIDTH, (place.row + top) * CELL_HEIGHT,
                            width, height};
    fill(p, place, t->panel);
    for (int y = 0; y < rows && y < height; y++)
        for (int x = 0; x < columns && x < width; x++) {
            const float shade = inspect_shade_at(m, y, rows, x, columns);
            if (shade >= 0)
                fill(p, (struct region){place.column + x, place.row + y, 1, 1},
                     shade_colour(t, (double)shade));
        }
}

/* -- sizes -- */

/* Returns how many cells, of n_pixels, hold n parts of a map in about `wanted` pixels; a part has a whole
 * number of pixels. */
static int cells_for(int n, int wanted, int n_pixels)
{
    enum { LARGEST = 24 };
    const int each = (int)smaller(larger(wanted / larger(n, 1), 1), LARGEST);
    return (n * each + n_pixels - 1) / n_pixels;
}

/* Shows all of the roll, in sixteenths if they are not too many: the time of the notes that were read, from
 * the beginning of a bar, and the pitches of all notes that sound then. Returns its size. */
static struct region fit_roll(struct view *v)
{
    enum { MOST_COLUMNS = 640, AIR = 2 };
    struct box b = {INT64_MAX, 0, 127, 0};
    for (size_t i = 0; i < v->inspect->n_notes; i++) {
        const struct note *n = &v->inspect->notes[i].note;
        b.from = smaller(b.from, n->start);
        b.to = larger(b.to, n->start + n->length);
        b.pitch_lo = (int)smaller(b.pitch_lo, n->pitch);
        b.pitch_hi = (int)larger(b.pitch_hi, n->pitch);
    }
    for (size_t t = 0; t < v->score->n_tracks; t++)
        for (size_t i = 0; i < v->score->tracks[t].n_notes; i++) {
            const struct note *n = &v->score->tracks[t].notes[i];
            if (n->start >= b.to || n->start + n->length <= b.from)
                continue;
            b.pitch_lo = (int)smaller(b.pitch_lo, n->pitch);
            b.pitch_hi = (int)larger(b.pitch_hi, n->pitch);
        }
    b.from = b.to ? timeline_bar_at(&v->score->timeline, b.from).start : 0;
    const int64_t span = b.to - b.from,
                  each = larger(
                      1, larger(v->score->ticks_per_quarter / 4, span / MOST_COLUMNS));
    const int high = (int)smaller(b.pitch_hi + AIR, 127),
              low = (int)larger(b.pitch_lo - AIR, 0);
    v->port = (struct viewport){.left_tick = b.from,
                                .ticks_per_column = each,
                                .top_pitch = high,
                                .rows_per_pitch = 1};
    return (struct region){.columns = (int)((span + each - 1) / each),
                           .rows = (int)larger(high - low + 1, 1)};
}

/* Returns the columns and rows of the page, and sets the roll's viewport. */
static struct region size_page(struct view *v)
{
    enum { WANTED = 1100, LEAST_OF_HEAD = 120, PROBE = 100, ROWS_OF_PANEL = 24 };
    const struct inspect_view *i = v->inspect;
    const struct layout l = layout_picture(PROBE, PROBE, PROBE);
    const struct inspect_places at = inspect_places_for(&l, i);
    struct region r = {.columns = LEAST_COLUMNS, .rows = ROWS_OF_PANEL};
    if (i->page == INSPECT_ROLL) {
        r = fit_roll(v);
        r.columns += PROBE - l.roll.columns;
        r.rows += PROBE - l.roll.rows;
    } else if (i->page == INSPECT_MATRIX) {
        r.columns = PROBE - at.matrix.columns +
                    cells_for(i->matrix.n_columns, WANTED, CELL_WIDTH);
        r.rows =
            PROBE - at.matrix.rows + cells_for(i->matrix.n_rows, WANTED, CELL_HEIGHT);
    } else if (i->page == INSPECT_GRID) {
        const int side = (int)larger(i->thumbnails.n_rows, i->thumbnails.n_columns),
                  columns = cells_for(side, LEAST_OF_HEAD + side - 1, CELL_WIDTH);
        r.columns =
            PROBE - at.grid.columns + INSPECT_MARGIN + i->n_heads * (columns + 1);
        r.rows = 1 + i->n_layers * ((columns + 1) / 2 + INSPECT_CAPTION);
    }
    return r;
}

/* -- the picture -- */

/* Paints the heading's lines, the title first; c NULL only measures them. Returns their rows. */
static int paint_heading(struct cells *c, const struct theme *t, const char *heading,
                         int *columns)
{
    char line[256];
    int row = 1;
    for (const char *at = heading, *end; *at; at = *end ? end + 1 : end, row++) {
        end = strchrnul(at, '\n');
        snprintf(line, sizeof line, "%.*s", (int)(end - at), at);
        *columns = (int)larger(*columns, text_columns(line) + 2);
        if (c)
            cells_text(c, 1, row, c->columns - 2, line, row == 1 ? t->accent : t->quiet,
                       t->panel, 0);
    }
    return row + 1;
}

enum midi_status picture_save(const struct view *view, const char *heading,
                              const char *path)
{
    enum { SMALL = 170 }; /* columns of a roll whose pixels are doubled */
    const struct theme theme = theme_by_name("auto", DEPTH_TRUE, false, false);
    struct view v = *view;
    struct cells all;
    const struct region size = size_page(&v);
    int columns = (int)larger(size.columns, LEAST_COLUMNS);
    const int top = paint_heading(NULL, &theme, heading, &columns);
    const bool is_small = v.inspect->page == INSPECT_ROLL && columns <= SMALL;
    if (!cells_init(&all, columns, top + size.rows))
        return MIDI_NO_MEMORY;
    cells_fill(&all, (struct region){0, 0, all.columns, all.rows}, ' ', theme.text,
               theme.panel);
    paint_heading(&all, &theme, heading, &columns);
    struct cells page = {.columns = all.columns,
                         .rows = all.rows - top,
                         .at = all.at + (size_t)top * (size_t)all.columns};
    /* A roll goes on to the right; maps have their size. */
    v.picture_columns = v.inspect->page == INSPECT_ROLL ? all.columns : size.columns;
    struct pixels p = {.scale = is_small ? 2 : 1};
    p.width = all.columns * CELL_WIDTH * p.scale;
    p.height = all.rows * CELL_HEIGHT * p.scale;
    if (frame_draw(&page, &v, &theme))
        p.at = calloc((size_t)p.width * (size_t)p.height, 3);
    for (int i = 0; p.at && i < all.columns * all.rows; i++)
        paint_cell(&p, &all.at[i], i % all.columns * CELL_WIDTH,
                   i / all.columns * CELL_HEIGHT);
    /* The maps are painted finer. */
    const struct inspect_view *i = v.inspect;
    const struct layout l = layout_picture(page.columns, page.rows, v.picture_columns);
    const struct inspect_places at = inspect_places_for(&l, i);
    if (p.at && at.matrix.rows > 0 && i->matrix.shades && i->matrix.n_columns > 0)
        paint_map(&p, &theme, &i->matrix, at.matrix, top);
    const bool has_heads = p.at && at.grid.rows > 0 && i->thumbnails.shades;
    for (int k = 0; has_heads && k < i->n_layers * i->n_heads; k++) {
        const int layer = k / i->n_heads, head = k % i->n_heads;
        const struct inspect_map m = inspect_thumbnail(i, layer, head);
        paint_map(&p, &theme, &m, inspect_thumbnail_place(&at, layer, head), top);
    }
    png_image image = {
        .version = PNG_IMAGE_VERSION,
        .width = (png_uint_32)p.width,
        .height = (png_uint_32)p.height,
        .format = PNG_FORMAT_RGB,
    };
    struct output_file out;
    errno = 0;
    const bool is_saved =
        p.at && output_file_open(&out, path) &&
        output_file_close(
            &out, png_image_write_to_stdio(&image, out.stream, 0, p.at, 0, NULL));
    const enum midi_status st = !p.at      ? MIDI_NO_MEMORY
                                : is_saved ? MIDI_OK
                                           : MIDI_CANNOT_WRITE;
    free(p.at);
    cells_fini(&all);
    return st;
}
