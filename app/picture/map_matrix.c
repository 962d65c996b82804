/* One matrix: rows are queries from the top, columns keys from the left. */
#include "app/picture/map_paint.h"

#include "midi/base/larger.h"

#include <stdio.h>

enum {
    BARS = 30,                /* room for their numbers, beside or below the names */
    NAMES = 30,               /* and for names */
    LARGEST = 14,             /* of a cell, pixels */
    WANTED = 1100,            /* a matrix is about as wide */
    APART = GLYPH_HEIGHT + 1, /* names nearer than that are left out */
    LEAST = 160,
};

struct layout {
    struct canvas canvas;
    const struct matrix_picture *picture;
    struct heat heat;
    struct rect field; /* of the cells */
    int width, height; /* of a cell */
};

static int cell_size(int n)
{
    return (int)larger(1, smaller(WANTED / larger(n, 1), LARGEST));
}

static bool lay_out(struct layout *l)
{
    const struct matrix_picture *p = l->picture;
    const int top = MAP_MARGIN + map_heading_height(p->about);
    l->width = cell_size(p->n_columns);
    l->height = cell_size(p->n_rows);
    l->field = (struct rect){MAP_MARGIN + BARS + NAMES, top, p->n_columns * l->width,
                             p->n_rows * l->height};
    int64_t width = larger(l->field.x + l->field.w + MAP_MARGIN + MAP_LEGEND,
                           map_heading_width(p->title, p->about) + 2 * MAP_MARGIN);
    int64_t height = top + larger(l->field.h, LEAST) + NAMES + BARS + 2 * MAP_MARGIN;
    return canvas_init(&l->canvas, (int)width, (int)height, MAP_GROUND);
}

static void draw_cells(struct layout *l)
{
    const struct matrix_picture *p = l->picture;
    for (int row = 0; row < p->n_rows; row++)
        for (int column = 0; column < p->n_columns; column++) {
            struct rect r = {l->field.x + column * l->width,
                             l->field.y + row * l->height, l->width, l->height};
            map_cell(&l->canvas, r, &l->heat,
                     p->cells[(size_t)row * (size_t)p->n_columns + (size_t)column]);
        }
    for (int i = 0; i < p->n_outlines; i++) {
        const struct map_outline *o = &p->outlines[i];
        struct rect r = {l->field.x + o->column * l->width,
                         l->field.y + o->row * l->height, o->n_columns * l->width,
                         o->n_rows * l->height};
        canvas_frame(&l->canvas, r, MAP_ACCENT);
    }
}

/* Bars have lines through the cells; names are left out where they would touch. */
static void draw_row_axis(struct layout *l)
{
    const int right = l->field.x - 5;
    int next = 0, next_bar = 0;
    for (int i = 0; i < l->picture->rows.n; i++) {
        const struct axis_mark *m = &l->picture->rows.marks[i];
        int y = l->field.y + m->at * l->height;
        int width = canvas_text_width(m->text, MAP_FIGURES);
        int *free_from = m->is_bar ? &next_bar : &next;
        if (m->is_bar)
            canvas_fill(&l->canvas, (struct rect){MAP_MARGIN, y, BARS + NAMES - 2, 1},
                        MAP_FAINT, 1);
        if (y < *free_from)
            continue;
        canvas_text(&l->canvas, m->is_bar ? MAP_MARGIN : right - width, y + 2,
                    MAP_FIGURES, m->is_bar ? MAP_INK : MAP_QUIET, m->text);
        *free_from = y + APART;
    }
}

static void draw_column_axis(struct layout *l)
{
    const int top = l->field.y + l->field.h + 4;
    int next = 0, next_bar = 0;
    for (int i = 0; i < l->picture->columns.n; i++) {
        const struct axis_mark *m = &l->picture->columns.marks[i];
        int x = l->field.x + m->at * l->width;
        int width = canvas_text_width(m->text, MAP_FIGURES);
        int *free_from = m->is_bar ? &next_bar : &next;
        if (m->is_bar)
            canvas_fill(&l->canvas, (struct rect){x, top - 2, 1, NAMES + BARS - 8},
                        MAP_FAINT, 1);
        if (x < *free_from)
            continue;
        if (m->is_bar)
            canvas_text(&l->canvas, x + 3, top + NAMES, MAP_FIGURES, MAP_INK, m->text);
        else
            canvas_text_up(&l->canvas, x + 1, top + width, MAP_FIGURES, MAP_QUIET,
                           m->text);
        *free_from = x + (m->is_bar ? width + 6 : APART);
    }
}

enum midi_status matrix_picture_save(const struct matrix_picture *p, const char *path)
{
    struct layout l = {.picture = p};
    const size_t n = (size_t)p->n_rows * (size_t)p->n_columns;
    if (!heat_init(&l.heat, p->shade, p->cells, n, p->is_weight) || !lay_out(&l)) {
        heat_fini(&l.heat);
        return MIDI_NO_MEMORY;
    }
    map_heading(&l.canvas, p->title, p->about);
    draw_cells(&l);
    draw_row_axis(&l);
    draw_column_axis(&l);
    map_legend(&l.canvas, l.field.x + l.field.w + MAP_MARGIN, l.field.y,
               (int)larger(l.field.h / 2, 100), &l.heat, p->unit);
    return map_finish(&l.canvas, &l.heat, path);
}

/* -- all heads: a row for each layer, under each head its number and its name -- */

enum { GAP = 12, CAPTION = 2 * MAP_LINE, NUMBERS = 24, SIZE = 128 };

struct grid_layout {
    struct canvas canvas;
    const struct grid_picture *picture;
    struct heat heat;
    int cell_width, cell_height; /* pixels */
};

static struct rect field_of(const struct grid_layout *l, int layer, int head)
{
    const struct grid_picture *p = l->picture;
    int w = p->n_columns * l->cell_width, h = p->n_rows * l->cell_height;
    return (struct rect){
        MAP_MARGIN + NUMBERS + head * (w + GAP),
        MAP_MARGIN + map_heading_height(p->about) + layer * (h + CAPTION + GAP), w, h};
}

static void draw_head(struct grid_layout *l, int layer, int head)
{
    const struct grid_picture *p = l->picture;
    const struct rect field = field_of(l, layer, head);
    const size_t per_head = (size_t)p->n_rows * (size_t)p->n_columns;
    const float *cells =
        p->cells + ((size_t)layer * (size_t)p->n_heads + (size_t)head) * per_head;
    char text[64];
    for (int i = 0; i < p->n_rows * p->n_columns; i++) {
        int row = i / p->n_columns, column = i % p->n_columns;
        map_cell(&l->canvas,
                 (struct rect){field.x + column * l->cell_width,
                               field.y + row * l->cell_height, l->cell_width,
                               l->cell_height},
                 &l->heat, cells[i]);
    }
    snprintf(text, sizeof text, "%d.%d", p->first_layer + layer + 1, head + 1);
    canvas_text(&l->canvas, field.x, field.y + field.h + 5, MAP_FIGURES, MAP_INK, text);
    canvas_text(&l->canvas, field.x, field.y + field.h + 5 + MAP_LINE - 2, MAP_FIGURES,
                MAP_ACCENT, p->name(p->context, p->first_layer + layer, head));
}

static int scale_of(int n)
{
    return n > 0 && n < SIZE ? (SIZE + n - 1) / n : 1;
}

static bool lay_out_grid(struct grid_layout *l)
{
    const struct grid_picture *p = l->picture;
    l->cell_width = scale_of(p->n_columns);
    l->cell_height = scale_of(p->n_rows);
    struct rect last = field_of(l, p->n_layers - 1, p->n_heads - 1);
    int64_t width = larger(last.x + last.w + MAP_MARGIN + MAP_LEGEND,
                           map_heading_width(p->title, p->about) + 2 * MAP_MARGIN);
    return canvas_init(&l->canvas, (int)width,
                       last.y + last.h + CAPTION + MAP_MARGIN + 2 * MAP_LINE,
                       MAP_GROUND);
}

enum midi_status grid_picture_save(const struct grid_picture *p, const char *path)
{
    struct grid_layout l = {.picture = p};
    const size_t n = (size_t)p->n_layers * (size_t)p->n_heads * (size_t)p->n_rows *
                     (size_t)p->n_columns;
    if (!heat_init(&l.heat, p->shade, p->cells, n, true) || !lay_out_grid(&l)) {
        heat_fini(&l.heat);
        return MIDI_NO_MEMORY;
    }
    map_heading(&l.canvas, p->title, p->about);
    for (int layer = 0; layer < p->n_layers; layer++) {
        char text[16];
        struct rect first = field_of(&l, layer, 0);
        snprintf(text, sizeof text, "%d", p->first_layer + layer + 1);
        canvas_text(&l.canvas, MAP_MARGIN, first.y + first.h / 2, MAP_TITLE, MAP_QUIET,
                    text);
        for (int head = 0; head < p->n_heads; head++)
            draw_head(&l, layer, head);
    }
    struct rect corner = field_of(&l, 0, p->n_heads - 1);
    map_legend(&l.canvas, corner.x + corner.w + MAP_MARGIN, corner.y, SIZE, &l.heat,
               "weight");
    return map_finish(&l.canvas, &l.heat, path);
}
