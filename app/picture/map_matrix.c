/* One matrix: rows are queries from the top, columns keys from the left. */
#include "app/picture/map_paint.h"

#include <string.h>

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
    int size = WANTED / (n > 0 ? n : 1);
    return size < 1 ? 1 : size > LARGEST ? LARGEST : size;
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static bool lay_out(struct layout *l)
{
    const struct matrix_picture *p = l->picture;
    const int top = MAP_MARGIN + map_heading_height(p->about);
    l->width = cell_size(p->n_columns);
    l->height = cell_size(p->n_rows);
    l->field = (struct rect){MAP_MARGIN + BARS + NAMES, top, p->n_columns * l->width,
                             p->n_rows * l->height};
    int width = larger(l->field.x + l->field.w + MAP_MARGIN + MAP_LEGEND,
                       map_heading_width(p->title, p->about) + 2 * MAP_MARGIN);
    int height = top + larger(l->field.h, LEAST) + NAMES + BARS + 2 * MAP_MARGIN;
    return canvas_init(&l->canvas, width, height, MAP_GROUND);
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
}

static void draw_outlines(struct layout *l)
{
    for (int i = 0; i < l->picture->n_outlines; i++) {
        const struct map_outline *o = &l->picture->outlines[i];
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

enum picture_state matrix_picture_save(const struct matrix_picture *p, const char *path)
{
    struct layout l = {.picture = p};
    const size_t n = (size_t)p->n_rows * (size_t)p->n_columns;
    if (!heat_init(&l.heat, p->shade, p->cells, n, p->is_weight) || !lay_out(&l)) {
        heat_fini(&l.heat);
        return MAP_NO_MEMORY;
    }
    map_heading(&l.canvas, p->title, p->about);
    draw_cells(&l);
    draw_outlines(&l);
    draw_row_axis(&l);
    draw_column_axis(&l);
    map_legend(&l.canvas, l.field.x + l.field.w + MAP_MARGIN, l.field.y,
               larger(l.field.h / 2, 100), &l.heat, p->unit);
    heat_fini(&l.heat);
    return map_finish(&l.canvas, path);
}
