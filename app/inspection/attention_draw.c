/* Pictures of a matrix of one head, or of the mean of some, and of all heads small. */
#include "app/inspection/attention_work.h"

#include "app/base/say.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_CELLS = 1200, SMALL_CELLS = 112, TEXT = 1024 };

struct matrix {
    struct attention_work *work;
    int n_rows, n_columns;
    float *cells, *added; /* [n_rows, n_columns] */
    struct axis_mark *row_marks, *column_marks;
    int n_row_marks, n_column_marks;
    struct map_outline *outlines;
    int n_outlines;
};

static int cells_for(int n_tokens)
{
    return n_tokens < MOST_CELLS ? n_tokens : MOST_CELLS;
}

/* The cell of a token, if so many tokens share so many cells. */
static int cell_of(int token, int n_tokens, int n_cells)
{
    return (int)((int64_t)token * n_cells / n_tokens);
}

static int64_t bar_of(const struct attention_work *w, const struct inspected_token *t)
{
    int64_t from, to;
    inspection_span(w->inspection, &from, &to);
    int64_t after =
        tick_from_step(t->time > 0 ? t->time : 0, w->score->ticks_per_quarter);
    int64_t tick = t->note >= 0 ? w->notes[t->note].tick : from + after;
    return timeline_bar_at(&w->score->timeline, tick < to ? tick : to - 1).index;
}

/* A mark for each token that is the first of its bar, or of its note: up to two each.
 * Notes are numbered in the order of their first tokens. */
static struct axis_mark *mark_axis(const struct attention_work *w,
                                   const struct inspected_token *tokens, int n,
                                   int n_cells, int *n_marks)
{
    struct axis_mark *marks = calloc((size_t)n + 1, 2 * sizeof *marks);
    int64_t last_bar = -1;
    int last_note = -1;
    *n_marks = 0;
    if (!marks)
        return NULL;
    for (int i = 0; i < n; i++) {
        const struct inspected_token *t = &tokens[i];
        int64_t bar = bar_of(w, t);
        struct axis_mark mark = {.at = cell_of(i, n, n_cells), .is_bar = true};
        if (bar > last_bar) {
            snprintf(mark.text, sizeof mark.text, "%d", (int)(bar + 1) % 1000000);
            marks[(*n_marks)++] = mark;
            last_bar = bar;
        }
        if (t->note <= last_note)
            continue;
        last_note = t->note;
        mark.is_bar = false;
        snprintf(mark.text, sizeof mark.text, "%s", attention_name(w, t->note).pitch);
        marks[(*n_marks)++] = mark;
    }
    return marks;
}

static bool matrix_init(struct matrix *m, struct attention_work *w)
{
    *m = (struct matrix){
        .work = w, .n_rows = cells_for(w->n_tokens), .n_columns = cells_for(w->n_keys)};
    const size_t n = (size_t)m->n_rows * (size_t)m->n_columns;
    m->cells = calloc(n + 1, sizeof *m->cells);
    m->added = calloc(n + 1, sizeof *m->added);
    m->row_marks = mark_axis(w, w->tokens, w->n_tokens, m->n_rows, &m->n_row_marks);
    m->column_marks =
        mark_axis(w, w->keys, w->n_keys, m->n_columns, &m->n_column_marks);
    m->outlines = calloc((size_t)w->n_tokens + 1, sizeof *m->outlines);
    return m->cells && m->added && m->row_marks && m->column_marks && m->outlines;
}

/* The mean of the heads that are meant. */
static int add_heads(struct matrix *m)
{
    const struct attention_work *w = m->work;
    const int n_heads = inspected_n_heads(w->inspection, &w->look);
    const float share = 1.0f / (float)n_heads;
    for (int k = 0; k < n_heads; k++) {
        if (inspection_pool(w->inspection, inspected_head(w->inspection, &w->look, k),
                            1, m->n_rows, m->n_columns, m->added) != INSPECTION_DONE)
            return attention_failed(w);
        for (size_t i = 0; i < (size_t)m->n_rows * (size_t)m->n_columns; i++)
            m->cells[i] += share * m->added[i];
    }
    return 0;
}

/* The highest score of each cell. */
static int add_scores(struct matrix *m)
{
    struct attention_work *w = m->work;
    float *row = calloc((size_t)w->n_keys + 1, sizeof *row);
    int status = row ? 0 : say_midi_error(w->o->file, MIDI_NO_MEMORY);
    for (size_t i = 0; i < (size_t)m->n_rows * (size_t)m->n_columns; i++)
        m->cells[i] = NAN;
    for (int q = 0; !status && q < w->n_tokens; q++) {
        const int at = cell_of(q, w->n_tokens, m->n_rows);
        float *cells = m->cells + (size_t)at * (size_t)m->n_columns;
        status = attention_token_row(w, q, row);
        for (int k = 0; !status && k < w->n_keys; k++) {
            float *cell = &cells[cell_of(k, w->n_keys, m->n_columns)];
            *cell = fmaxf(*cell, row[k]);
        }
    }
    free(row);
    return status;
}

/* A cell that no query of its row sees has no colour. This is the same for all heads: cells
 * [n_heads, n_rows, n_columns]. */
static void blank_unseen(const struct attention_work *w, float *cells, size_t n_heads,
                         int n_rows, int n_columns)
{
    const size_t per_head = (size_t)n_rows * (size_t)n_columns;
    bool *seen = calloc(per_head + 1, sizeof *seen);
    if (!seen)
        return;
    for (int q = 0; q < w->n_tokens; q++) {
        const int row = cell_of(q, w->n_tokens, n_rows);
        int first, end;
        attention_sees(w, q, &first, &end);
        for (int k = first; k < end; k++)
            seen[row * n_columns + cell_of(k, w->n_keys, n_columns)] = true;
    }
    for (size_t i = 0; i < n_heads * per_head; i++)
        if (!seen[i % per_head])
            cells[i] = NAN;
    free(seen);
}

/* Queries of one block have the same first key. */
static void outline_blocks(struct matrix *m)
{
    const struct attention_work *w = m->work;
    const int block = w->model->config.block;
    if (w->is_fixed || w->look.of == ATTENTION_CROSS || !block)
        return;
    for (int q = 0; q < w->n_tokens; q += block) {
        int first, end, last = q + block < w->n_tokens ? q + block : w->n_tokens;
        attention_sees(w, q, &first, &end);
        int row = cell_of(q, w->n_tokens, m->n_rows);
        int column = cell_of(first, w->n_keys, m->n_columns);
        m->outlines[m->n_outlines++] = (struct map_outline){
            row, column, cell_of(last - 1, w->n_tokens, m->n_rows) + 1 - row,
            cell_of(last - 1, w->n_keys, m->n_columns) + 1 - column};
    }
}

/* What a score before the softmax is drawn of. */
static const char *const PARTS[] = {
    [PART_WEIGHT] = "",
    [PART_CONTENT] = "\nscores before the softmax: the part from content",
    [PART_INDEX] = "\nscores before the softmax: the part from distance by index",
    [PART_TIME] = "\nscores before the softmax: the part from distance in time",
};

static int save_matrix(struct matrix *m, const char *path)
{
    struct attention_work *w = m->work;
    char title[128], about[TEXT], all[TEXT + 160];
    snprintf(all, sizeof all,
             "%s\n"
             "rows: the token read last, which chooses the next; columns: what it "
             "attends to%s",
             attention_about(w, about, sizeof about),
             w->is_fixed ? "" : PARTS[w->part]);
    struct matrix_picture p = {
        .title = attention_title(w, title, sizeof title),
        .about = all,
        .unit = OPTION_PARTS[w->part],
        .cells = m->cells,
        .n_rows = m->n_rows,
        .n_columns = m->n_columns,
        .rows = {m->row_marks, m->n_row_marks},
        .columns = {m->column_marks, m->n_column_marks},
        .outlines = m->outlines,
        .n_outlines = m->n_outlines,
        .shade = w->shade,
        .is_weight = w->part == PART_WEIGHT,
    };
    enum midi_status st = matrix_picture_save(&p, path);
    return st ? say_midi_error(path, st) : 0;
}

int attention_draw_matrix(struct attention_work *w, const char *path)
{
    struct matrix m;
    const bool is_weight = w->part == PART_WEIGHT;
    int status = matrix_init(&m, w) ? (is_weight ? add_heads : add_scores)(&m)
                                    : say_midi_error(path, MIDI_NO_MEMORY);
    if (!status) {
        if (is_weight)
            blank_unseen(w, m.cells, 1, m.n_rows, m.n_columns);
        outline_blocks(&m);
        status = save_matrix(&m, path);
    }
    free(m.cells);
    free(m.added);
    free(m.row_marks);
    free(m.column_marks);
    free(m.outlines);
    return status;
}

static const char *name_of(const void *context, int layer, int head)
{
    const struct attention_work *w = context;
    return w->look.of == ATTENTION_SELF ? head_names_of(&w->names, layer, head) : "";
}

/* cells [n_layers, n_heads, n_rows, n_columns], of which all layers, or the named one, are
 * shown. */
static int save_grid(struct attention_work *w, const float *cells, int n_rows,
                     int n_columns, const char *path)
{
    const struct model_config *c = &w->model->config;
    const size_t per_layer = (size_t)c->n_heads * (size_t)n_rows * (size_t)n_columns;
    const int layer = w->look.layer < 0 ? 0 : w->look.layer;
    char about[TEXT];
    struct grid_picture p = {
        .title = w->is_fixed          ? "Fourier mixing"
                 : w->look.layer >= 0 ? "every head of the layer"
                                      : "every layer and head",
        .about = attention_about(w, about, sizeof about),
        .cells = cells + (size_t)layer * per_layer,
        .first_layer = layer,
        .n_layers = w->look.layer < 0 ? c->n_layers : 1,
        .n_heads = c->n_heads,
        .n_rows = n_rows,
        .n_columns = n_columns,
        .name = name_of,
        .context = w,
        .shade = w->shade,
    };
    enum midi_status st = grid_picture_save(&p, path);
    return st ? say_midi_error(path, st) : 0;
}

int attention_draw_heads(struct attention_work *w, const char *path)
{
    const struct model_config *c = &w->model->config;
    const struct attention_head first = {.kind = w->look.of};
    const int rows = w->n_tokens < SMALL_CELLS ? w->n_tokens : SMALL_CELLS;
    const int columns = w->n_keys < SMALL_CELLS ? w->n_keys : SMALL_CELLS;
    const int n = c->n_layers * c->n_heads;
    float *cells = calloc((size_t)n, (size_t)rows * (size_t)columns * sizeof *cells);
    if (!cells)
        return say_midi_error(path, MIDI_NO_MEMORY);
    bool ok = inspection_pool(w->inspection, first, n, rows, columns, cells) ==
              INSPECTION_DONE;
    if (ok)
        blank_unseen(w, cells, (size_t)n, rows, columns);
    int status = ok ? save_grid(w, cells, rows, columns, path) : attention_failed(w);
    free(cells);
    return status;
}
