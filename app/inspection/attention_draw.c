/* Pictures of attention: the inspector's page (tui/view/inspect.h) with the matrix of one head,
 * or of the mean of some; with all heads small; or with the roll, tinted by what the requested
 * notes attend to, or by what attends to them. */
#include "app/inspection/attention_work.h"

#include "app/base/paths.h"
#include "app/base/say.h"
#include "app/base/values.h"
#include "app/picture/picture.h"
#include "tui/view/inspect.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CELLS = 1200, SMALL_CELLS = 156, TEXT = 2048 };

/* A page that is being filled, and what it points to. */
struct page {
    struct inspect_view view;
    struct inspect_map map; /* n_maps of them, whose shades are weights at first */
    float *scratch;         /* [n_rows, n_columns] and [n_keys] */
    int n_maps;
    const char **head_names;
    char heading[TEXT];
};

/* The title, and a line about the model and the part of the music that it read. */
static void begin_heading(const struct attention_work *w, struct page *g)
{
    const struct timeline *t = &w->score->timeline;
    const char *style = attention_style(w),
               *name = attention_head_name(w, w->look.layer, w->look.head);
    char title[64];
    const int64_t from = w->now->from_tick, to = w->now->to_tick,
                  end = score_end_tick(w->score);
    if (w->is_fixed)
        text_append(g->heading, TEXT, "Fourier mixing");
    else if (g->view.page == INSPECT_GRID && w->look.layer < 0)
        text_append(g->heading, TEXT, "every layer and head");
    else if (g->view.page == INSPECT_GRID)
        text_append(g->heading, TEXT, "every head of layer %d", w->look.layer + 1);
    else
        text_append(g->heading, TEXT, "%s%s%s%s",
                    inspect_head_title(&g->view, title, sizeof title),
                    *name ? ": " : "", name,
                    w->look.way == LOOKS_AT ? "" : ", attended to by");
    text_append(
        g->heading, TEXT, "\n%s read by %s%s%s, bars %lld to %lld of %lld, %d tokens",
        file_base_name(w->o->file), file_base_name(w->model_path), *style ? " as " : "",
        style, (long long)timeline_bar_at(t, from).index + 1,
        (long long)timeline_bar_at(t, to > from ? to - 1 : from).index + 1,
        (long long)timeline_bar_at(t, end > 0 ? end - 1 : 0).index + 1,
        w->now->n_tokens);
}

/* -- maps of tokens -- */

/* The cell of a token, if so many tokens share so many cells. */
static int cell_of(int token, int n_tokens, int n_cells)
{
    return (int)((int64_t)token * n_cells / n_tokens);
}

/* The highest score of each cell, or the mean of the heads' highest weights. */
static enum inspection_state fill_matrix(struct attention_work *w, struct page *g)
{
    const int n = g->map.n_rows * g->map.n_columns,
              n_heads = inspected_n_heads(w->inspection, &w->look);
    const float share = 1.0f / (float)n_heads;
    const bool is_weight = w->look.amount == LOOK_WEIGHT;
    float *row = g->scratch;
    enum inspection_state state = INSPECTION_DONE;
    for (int i = 0; !is_weight && i < n; i++)
        g->map.shades[i] = NAN;
    for (int q = 0; !is_weight && !state && q < w->now->n_tokens; q++) {
        float *of_row = g->map.shades +
                        cell_of(q, w->now->n_tokens, g->map.n_rows) * g->map.n_columns;
        state = inspection_row(w->inspection, q, &w->look, row);
        for (int k = 0; !state && k < w->n_keys; k++) {
            float *cell = &of_row[cell_of(k, w->n_keys, g->map.n_columns)];
            *cell = fmaxf(*cell, row[k]);
        }
    }
    for (int k = 0; is_weight && !state && k < n_heads; k++) {
        state =
            inspection_pool(w->inspection, inspected_head(w->inspection, &w->look, k),
                            1, g->map.n_rows, g->map.n_columns, row);
        for (int i = 0; !state && i < n; i++)
            g->map.shades[i] += share * row[i];
    }
    return state;
}

/* The matrix, or the heads. Returns the exit status. */
static int fill_maps(struct attention_work *w, struct page *g)
{
    static const char *const PARTS[] = {
        [LOOK_WEIGHT] = "",
        [LOOK_CONTENT] = "\nscores before the softmax: the part from content",
        [LOOK_INDEX] = "\nscores before the softmax: the part from distance by index",
        [LOOK_TIME] = "\nscores before the softmax: the part from distance in time",
    };
    struct inspect_view *v = &g->view;
    const bool is_matrix = v->page == INSPECT_MATRIX,
               is_weight = w->look.amount == LOOK_WEIGHT;
    const int most = is_matrix ? MOST_CELLS : SMALL_CELLS;
    begin_heading(w, g);
    if (w->is_fixed)
        text_append(g->heading, TEXT,
                    "\nno heads: weights are |cos| of the positions' angle over their "
                    "sum, the same in every layer");
    else if (w->look.of == ATTENTION_CROSS)
        text_append(g->heading, TEXT, "\ncross-attention: columns are the melody");
    else if (v->block)
        text_append(g->heading, TEXT,
                    "\nlocal: a row sees its own block of %d tokens and the one before",
                    v->block);
    if (is_matrix)
        text_append(
            g->heading, TEXT,
            "\nrows: the token read last, which chooses the next; columns: what "
            "it attends to%s",
            w->is_fixed ? "" : PARTS[w->look.amount]);
    g->n_maps = is_matrix ? 1 : v->n_layers * v->n_heads;
    g->map.n_rows = w->now->n_tokens < most ? w->now->n_tokens : most;
    g->map.n_columns = w->n_keys < most ? w->n_keys : most;
    const size_t size = (size_t)g->map.n_rows * (size_t)g->map.n_columns;
    g->map.shades = calloc((size_t)g->n_maps * size, sizeof *g->map.shades);
    g->scratch = calloc(size + (size_t)w->n_keys, sizeof *g->scratch);
    const struct timeline *t = &w->score->timeline;
    const bool has_marks =
        inspection_marks(w->inspection, t, w->now->tokens, w->now->n_tokens, true,
                         &v->queries) &&
        inspection_marks(w->inspection, t, w->keys, w->n_keys, true, &v->keys);
    g->head_names = calloc((size_t)g->n_maps, sizeof *g->head_names);
    if (!g->map.shades || !g->scratch || !has_marks || !g->head_names)
        return say_midi_error(w->o->file, MIDI_NO_MEMORY);
    for (int i = 0; !is_matrix && i < g->n_maps; i++)
        g->head_names[i] =
            attention_head_name(w, v->first_layer + i / v->n_heads, i % v->n_heads);
    const struct attention_head first = {.kind = w->look.of, .layer = v->first_layer};
    if ((is_matrix
             ? fill_matrix(w, g)
             : inspection_pool(w->inspection, first, g->n_maps, g->map.n_rows,
                               g->map.n_columns, g->map.shades)) != INSPECTION_DONE)
        return attention_failed(w);
    /* Amounts become shades; those that are no numbers have none. Weights begin at zero. */
    const size_t n = (size_t)g->n_maps * size;
    float least = is_weight ? 0 : INFINITY;
    for (size_t i = 0; !is_weight && i < n; i++)
        least = fminf(least, g->map.shades[i]); /* but of NAN */
    least = isfinite(least) ? least : 0;
    for (size_t i = 0; i < n; i++)
        g->map.shades[i] = isfinite(g->map.shades[i]) ? g->map.shades[i] - least : -1;
    const float span =
        shade_weights(v->scale, g->map.shades, g->map.shades, n, sizeof *g->map.shades);
    v->map_least = least;
    v->map_most = least + (span > 0 ? span : 1);
    *(is_matrix ? &v->matrix : &v->thumbnails) = g->map;
    v->head_names = g->head_names;
    return 0;
}

/* -- the roll -- */

/* The mean of the requested rows. Weights that several notes get from others add up; weights that
 * they give are averaged. Notes without any weight, such as later ones, stay grey. Returns the exit
 * status. */
static int fill_roll(struct attention_work *w, struct page *g)
{
    const size_t n = (size_t)w->now->n_notes;
    const float share = w->look.way == LOOKS_AT ? 1.0f / (float)w->n_chosen : 1.0f;
    struct inspect_view *v = &g->view;
    float other[INSPECTED_KINDS] = {0}, kinds[INSPECTED_KINDS];
    float *per_note = calloc(n + 1, 2 * sizeof *per_note);
    enum inspection_state state = INSPECTION_DONE;
    if (!per_note)
        return say_midi_error(w->o->file, MIDI_NO_MEMORY);
    float *row = per_note + n; /* scratch */
    for (int i = w->first; !state && i < w->now->n_notes; i++) {
        if (!w->notes[i].is_chosen)
            continue;
        state = inspection_weights(w->inspection, i, &w->look, row, kinds);
        for (size_t k = 0; !state && k < n; k++)
            per_note[k] += share * row[k];
        for (int k = 0; !state && k < INSPECTED_KINDS; k++)
            other[k] += share * kinds[k];
    }
    /* Which notes are white, and the weights without colour: on the notes' own tokens and on tokens
     * that are not notes. */
    const bool looks = w->look.way == LOOKS_AT;
    const struct note_name name = attention_name(w, w->first);
    double own = 0;
    for (size_t i = 0; i < n; i++)
        own += w->notes[i].is_chosen ? (double)per_note[i] : 0;
    begin_heading(w, g);
    if (w->o->note)
        text_append(g->heading, TEXT,
                    "\nwhite: note %d, %s of track %d at %lld:%.3g; tinted: %s",
                    w->o->note, name.pitch, w->notes[w->first].track + 1,
                    (long long)name.bar, name.beat,
                    looks ? "what it attends to" : "what attends to it");
    else
        text_append(g->heading, TEXT, "\nwhite: the %d notes of bar %d; tinted: %s",
                    w->n_chosen, w->o->bar,
                    looks ? "what they attend to, on average" : "what attends to them");
    text_append(g->heading, TEXT, "\nnot tinted: ");
    if (own > 0)
        text_append(g->heading, TEXT, "%s %.3f",
                    w->n_chosen > 1 ? "these notes" : "the note itself", own);
    bool has_some = own > 0;
    for (int k = 0; k < INSPECTED_KINDS; k++) {
        if (other[k] < 0.0005f)
            continue;
        text_append(
            g->heading, TEXT, "%s%s %.3f", has_some ? ", " : "",
            inspected_part_name((enum inspected_part)(INSPECTED_NOTE_PARTS + k)),
            (double)other[k]);
        has_some = true;
    }
    if (!has_some)
        text_append(g->heading, TEXT, "nothing");
    for (size_t i = 0; !state && i < n; i++)
        w->notes[i].weight =
            !w->notes[i].is_chosen && per_note[i] > 0 ? per_note[i] : -1;
    free(per_note);
    if (state)
        return attention_failed(w);
    v->notes = w->notes;
    v->n_notes = n;
    v->most = shade_weights(v->scale, &w->notes->weight, &w->notes->shade, n,
                            sizeof *w->notes);
    inspect_rank(w->notes, n, false);
    return 0;
}

int attention_draw(struct attention_work *w, const char *path)
{
    const struct model_config *c = &w->model->config;
    const bool is_roll = w->o->note || w->o->bar,
               is_matrix = w->o->head || w->is_fixed || w->look.amount != LOOK_WEIGHT;
    const enum inspect_page kind = is_roll     ? INSPECT_ROLL
                                   : is_matrix ? INSPECT_MATRIX
                                               : INSPECT_GRID;
    const bool is_layer = kind == INSPECT_GRID && w->look.layer >= 0;
    struct page g = {
        .view = {.page = kind,
                 .scale = w->look.amount != LOOK_WEIGHT && w->o->shade == SHADE_LOG
                              ? SHADE_LINEAR
                              : (enum shade_scale)w->o->shade,
                 .unit = OPTION_PARTS[w->look.amount],
                 .is_looked_at = w->look.way != LOOKS_AT,
                 .is_fixed = w->is_fixed,
                 .block = w->is_fixed || w->look.of == ATTENTION_CROSS ? 0 : c->block,
                 .n_layers = is_layer ? 1 : c->n_layers,
                 .n_heads = c->n_heads,
                 .first_layer = is_layer ? w->look.layer : 0,
                 .layer = kind == INSPECT_GRID ? -1 : w->look.layer,
                 .head = kind == INSPECT_GRID ? -1 : w->look.head,
                 .chosen = -1,
                 .pair = -1,
                 .matrix_layer = -1}};
    struct view v = {
        .score = w->score, .inspect = &g.view, .track = -1, .cursor = {-1, -1}};
    if (w->o->note) {
        v.cursor.tick = w->notes[w->first].note.start;
        v.cursor.pitch = w->notes[w->first].note.pitch;
    }
    int status = is_roll ? fill_roll(w, &g) : fill_maps(w, &g);
    if (!status) {
        const enum midi_status st = picture_save(&v, g.heading, path);
        status = st ? say_midi_error(path, st) : 0;
    }
    free(g.map.shades);
    free(g.scratch);
    free((void *)g.view.queries.marks);
    free((void *)g.view.keys.marks);
    free(g.head_names);
    return status;
}
