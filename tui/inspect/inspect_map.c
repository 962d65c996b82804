/* The matrix of one layer and head, and the thumbnails of all: queries down, keys to
 * the right, in half cells. A half cell shows the largest weight in it, so that no peak
 * is lost in a small drawing. Without colour or half blocks a cell is a glyph or a
 * background. */
#include "tui/paint/inspect_paint.h"

#include <stdio.h>

enum {
    UPPER_HALF = 0x2580,
    LOWER_HALF = 0x2584,
    LEFT_HALF = 0x258C,
    RIGHT_HALF = 0x2590
};

/* The part [first, end) of n for the i-th of `of` cells; never empty. */
static void part_of(int i, int of, int n, int *first, int *end)
{
    *first = (int)((int64_t)i * n / of);
    *end = (int)(((int64_t)i + 1) * n / of);
    if (*end <= *first)
        *end = *first + 1;
}

float inspect_shade_at(const struct inspect_map *m, int i, int rows, int j, int columns)
{
    int r0, r1, c0, c1;
    float most = -1;
    part_of(i, rows, m->n_rows, &r0, &r1);
    part_of(j, columns, m->n_columns, &c0, &c1);
    for (int r = r0; r < r1; r++)
        for (int c = c0; c < c1; c++) {
            float shade = m->shades[(size_t)r * (size_t)m->n_columns + (size_t)c];
            most = shade > most ? shade : most;
        }
    return most;
}

static uint32_t colour_of(const struct paint *p, float shade)
{
    return shade < 0 ? p->t->panel : shade_colour(p->t, (double)shade);
}

void inspect_cell(const struct paint *p, int column, int row, float upper, float lower)
{
    float most = upper > lower ? upper : lower;
    uint32_t above = colour_of(p, upper), below = colour_of(p, lower);
    if (!shade_is_colour(p->t))
        cells_put(p->c, column, row, shade_glyph(p->t, (double)most), p->t->text,
                  p->t->panel, 0);
    else if (p->t->ascii || above == below)
        cells_put(p->c, column, row, ' ', p->t->text, colour_of(p, most), 0);
    else if (above == COLOUR_DEFAULT) /* another colour as a foreground */
        cells_put(p->c, column, row, LOWER_HALF, below, above, 0);
    else
        cells_put(p->c, column, row, UPPER_HALF, above, below, 0);
}

static void paint_map(const struct paint *p, const struct inspect_map *m,
                      const struct region *r)
{
    for (int i = 0; i < r->rows; i++)
        for (int j = 0; j < r->columns; j++)
            inspect_cell(p, r->column + j, r->row + i,
                         inspect_shade_at(m, 2 * i, 2 * r->rows, j, r->columns),
                         inspect_shade_at(m, 2 * i + 1, 2 * r->rows, j, r->columns));
}

static int place_of_token(int token, int n_tokens, int cells)
{
    return (int)((int64_t)token * cells / n_tokens);
}

/* -1: there is no such note. */
static int first_token(const struct inspect_view *v, int note)
{
    return note >= 0 && note < (int)v->n_notes ? v->notes[note].first_token : -1;
}

void paint_inspect_matrix(const struct paint *p, const struct inspect_places *at)
{
    char text[192], of[64] = "", how[64] = "";
    const struct inspect_view *v = p->v->inspect;
    const struct inspect_map *m = &v->matrix;
    const struct region *r = &at->matrix;
    if (r->rows <= 0)
        return;
    if (m->shades && v->matrix_layer >= 0 && (v->layer < 0 || v->head < 0))
        snprintf(of, sizeof of, "   of layer %d  head %d", v->matrix_layer + 1,
                 v->matrix_head + 1);
    if (v->is_fixed)
        snprintf(how, sizeof how, "   fixed, Fourier mixing");
    else if (v->block)
        snprintf(how, sizeof how, "   local, blocks of %d tokens", v->block);
    snprintf(text, sizeof text, "query ↓ key →   %s%s%s", shade_scale_name(v->scale),
             of, how);
    paint_text(p, at->caption.column, at->caption.row, at->caption.columns, text,
               p->t->quiet, 0);
    if (!m->shades || m->n_rows <= 0 || m->n_columns <= 0 || v->queries.n_tokens <= 0)
        return;
    paint_map(p, m, r);
    const uint32_t number = p->l.is_picture ? p->t->text : p->t->quiet;
    /* "│1" under the first key of a bar, where numbers fit; names of notes below, letter under
     * letter. */
    const struct region *axis = &at->axis;
    int free_column[2] = {axis->column, axis->column}; /* for notes, and for bars */
    for (int i = 0; i < v->keys.n_marks; i++) {
        const struct inspect_mark *mark = &v->keys.marks[i];
        const bool is_bar = mark->bar >= 0;
        int column =
            axis->column + place_of_token(mark->token, v->keys.n_tokens, axis->columns);
        int width = is_bar ? snprintf(text, sizeof text, "%d", mark->bar + 1) : 0;
        if (column < free_column[is_bar] ||
            column + is_bar + width > axis->column + axis->columns)
            continue;
        free_column[is_bar] = column + width + 2;
        for (int k = 0; !is_bar && mark->note[k]; k++)
            paint_put(p, column, axis->row + 1 + k, (unsigned char)mark->note[k],
                      p->t->quiet, 0);
        if (is_bar) {
            paint_put(p, column, axis->row, 0x2502, p->t->faint, 0);
            paint_text(p, column + 1, axis->row, width, text, number, 0);
        }
    }
    /* The numbers of bars and the names of notes at the left, as far as there is room. */
    int free_row[2] = {r->row, r->row};
    for (int i = 0; i < v->queries.n_marks; i++) {
        const struct inspect_mark *mark = &v->queries.marks[i];
        const bool is_bar = mark->bar >= 0;
        int row = r->row + place_of_token(mark->token, v->queries.n_tokens, r->rows);
        if (row < free_row[is_bar] || row >= r->row + r->rows)
            continue;
        snprintf(text, sizeof text, "%3d", mark->bar + 1);
        paint_text(p, is_bar ? at->caption.column : r->column - INSPECT_NAME, row,
                   INSPECT_MARGIN, is_bar ? text : mark->note,
                   is_bar ? number : p->t->quiet, 0);
        free_row[is_bar] = row + 1 + is_bar;
    }
    /* Points at the chosen note and the other of the pair. The chosen note is the query, or
     * the key if attention to it is shown. */
    const int down = first_token(v, v->is_looked_at ? v->pair : v->chosen),
              along = first_token(v, v->is_looked_at ? v->chosen : v->pair);
    if (down >= 0 && down < v->queries.n_tokens)
        paint_put(p, r->column - 1,
                  r->row + place_of_token(down, v->queries.n_tokens, r->rows), 0x25B8,
                  p->t->accent, ATTR_BOLD);
    if (along >= 0 && along < v->keys.n_tokens)
        paint_put(p, r->column + place_of_token(along, v->keys.n_tokens, r->columns),
                  at->axis.row, 0x25B2, p->t->accent, ATTR_BOLD);
}

void paint_inspect_grid(const struct paint *p, const struct inspect_places *at)
{
    const struct inspect_view *v = p->v->inspect;
    const bool is_mono = p->t->depth == DEPTH_MONO;
    if (at->grid.rows <= 0)
        return;
    for (int layer = 0; layer < v->n_layers; layer++) {
        char text[8];
        bool is_it = p->v->inspect->layer == layer;
        snprintf(text, sizeof text, "%2d", (v->first_layer + layer + 1) % 100);
        paint_text(p, at->grid.column, at->grid.row + layer * at->thumbnail_step, 2,
                   text, is_it ? p->t->accent : p->t->quiet, is_it ? ATTR_BOLD : 0);
        for (int head = 0; v->thumbnails.shades && head < v->n_heads; head++) {
            const struct inspect_map m = inspect_thumbnail(v, layer, head);
            const struct region r = inspect_thumbnail_place(at, layer, head);
            char name[64];
            paint_map(p, &m, &r);
            snprintf(name, sizeof name, "%d.%d %.40s", v->first_layer + layer + 1,
                     head + 1,
                     v->head_names ? v->head_names[layer * v->n_heads + head] : "");
            if (p->l.is_picture)
                paint_text(p, r.column, r.row + r.rows, r.columns, name, p->t->quiet,
                           0);
            if (inspect_is_muted(v, layer, head))
                cells_text(p->c, r.column, r.row, r.columns, "off", p->t->on_accent,
                           p->t->error, theme_badge_attr(p->t));
            const bool is_viewed = (v->layer >= 0 || v->head >= 0) &&
                                   (v->layer < 0 || layer == v->layer) &&
                                   (v->head < 0 || head == v->head);
            /* The sides of a viewed head are drawn in the gaps beside the thumbnail. */
            for (int i = 0; is_viewed && i < r.rows; i++) {
                cells_put(p->c, r.column - 1, r.row + i, is_mono ? '[' : RIGHT_HALF,
                          p->t->accent, p->t->panel, ATTR_BOLD * is_mono);
                cells_put(p->c, r.column + r.columns, r.row + i,
                          is_mono ? ']' : LEFT_HALF, p->t->accent, p->t->panel,
                          ATTR_BOLD * is_mono);
            }
        }
    }
}
