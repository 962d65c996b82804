/* All heads at once: a row for each layer, and under each its number and its name. */
#include "app/picture/map_paint.h"

#include <stdio.h>

enum { GAP = 12, CAPTION = 2 * MAP_LINE, NUMBERS = 24, SIZE = 128 };

struct layout {
    struct canvas canvas;
    const struct grid_picture *picture;
    struct heat heat;
    int cell_width, cell_height; /* pixels */
};

static struct rect field_of(const struct layout *l, int layer, int head)
{
    const struct grid_picture *p = l->picture;
    int w = p->n_columns * l->cell_width, h = p->n_rows * l->cell_height;
    return (struct rect){
        MAP_MARGIN + NUMBERS + head * (w + GAP),
        MAP_MARGIN + map_heading_height(p->about) + layer * (h + CAPTION + GAP), w, h};
}

static void draw_head(struct layout *l, int layer, int head)
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

static bool lay_out(struct layout *l)
{
    const struct grid_picture *p = l->picture;
    l->cell_width = scale_of(p->n_columns);
    l->cell_height = scale_of(p->n_rows);
    struct rect last = field_of(l, p->n_layers - 1, p->n_heads - 1);
    int width = last.x + last.w + MAP_MARGIN + MAP_LEGEND;
    int heading = map_heading_width(p->title, p->about) + 2 * MAP_MARGIN;
    return canvas_init(&l->canvas, width > heading ? width : heading,
                       last.y + last.h + CAPTION + MAP_MARGIN + 2 * MAP_LINE,
                       MAP_GROUND);
}

enum picture_state grid_picture_save(const struct grid_picture *p, const char *path)
{
    struct layout l = {.picture = p};
    const size_t n = (size_t)p->n_layers * (size_t)p->n_heads * (size_t)p->n_rows *
                     (size_t)p->n_columns;
    if (!heat_init(&l.heat, p->shade, p->cells, n, true) || !lay_out(&l)) {
        heat_fini(&l.heat);
        return MAP_NO_MEMORY;
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
    heat_fini(&l.heat);
    return map_finish(&l.canvas, path);
}
