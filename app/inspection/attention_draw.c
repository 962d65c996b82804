/* Pictures of attention: the matrix of one head, or of the mean of some; all heads small; the
 * roll, tinted by what the requested notes attend to, or by what attends to them. */
#include "app/inspection/attention_work.h"

#include "app/base/paths.h"
#include "app/base/say.h"
#include "app/picture/map_picture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_CELLS = 1200, SMALL_CELLS = 112, TEXT = 2048 };

/* "layer 2 head 5: previous bar", "mean of all heads". */
static const char *title_of(const struct attention_work *w, char *buf, size_t n)
{
    const int layer = w->look.layer, head = w->look.head;
    const char *way = w->look.way == LOOKS_AT ? "" : ", attended to by";
    const char *name = attention_head_name(w, layer, head);
    if (w->is_fixed)
        snprintf(buf, n, "Fourier mixing");
    else if (layer >= 0 && head >= 0)
        snprintf(buf, n, "layer %d head %d%s%s%s", layer + 1, head + 1,
                 *name ? ": " : "", name, way);
    else if (layer >= 0)
        snprintf(buf, n, "layer %d, mean of its heads%s", layer + 1, way);
    else if (head >= 0)
        snprintf(buf, n, "head %d, mean of all layers%s", head + 1, way);
    else
        snprintf(buf, n, "mean of all heads%s", way);
    return buf;
}

/* Lines about the model and the part of the music that it read, and `more`. */
static void say_about(const struct attention_work *w, const char *more, char *buf,
                      size_t n)
{
    const struct timeline *t = &w->score->timeline;
    const char *style = attention_style(w);
    const char *manner = "";
    if (w->is_fixed)
        manner =
            "\nno heads: weights are |cos| of the positions' angle over their sum, "
            "the same in every layer";
    else if (w->look.of == ATTENTION_CROSS)
        manner = "\ncross-attention: columns are the melody";
    else if (w->model->config.block)
        manner = "\nlocal: a row sees its own block and the one before; both are "
                 "outlined";
    const int64_t from = w->now.from_tick, to = w->now.to_tick,
                  end = score_end_tick(w->score);
    snprintf(buf, n, "%s read by %s%s%s, bars %lld to %lld of %lld, %d tokens%s%s",
             file_base_name(w->o->file), file_base_name(w->model_path),
             *style ? " as " : "", style, (long long)timeline_bar_at(t, from).index + 1,
             (long long)timeline_bar_at(t, to > from ? to - 1 : from).index + 1,
             (long long)timeline_bar_at(t, end > 0 ? end - 1 : 0).index + 1,
             w->now.n_tokens, manner, more);
}

/* -- maps of tokens -- */

/* The cell of a token, if so many tokens share so many cells. */
static int cell_of(int token, int n_tokens, int n_cells)
{
    return (int)((int64_t)token * n_cells / n_tokens);
}

/* A mark for each token that is the first of its bar, or of its note: up to two each.
 * Notes are numbered in the order of their first tokens. false: no memory. */
static bool mark_axis(const struct attention_work *w,
                      const struct inspected_token *tokens, int n, int n_cells,
                      struct map_axis *axis)
{
    const int64_t from = w->now.from_tick, to = w->now.to_tick;
    int64_t last_bar = -1;
    int last_note = -1;
    axis->marks = calloc((size_t)n + 1, 2 * sizeof *axis->marks);
    for (int i = 0; axis->marks && i < n; i++) {
        const struct inspected_token *t = &tokens[i];
        const int64_t
            after =
                tick_from_step(t->time > 0 ? t->time : 0, w->score->ticks_per_quarter),
            tick = t->note >= 0 ? w->now.notes[t->note].tick : from + after,
            bar = timeline_bar_at(&w->score->timeline, tick < to ? tick : to - 1).index;
        struct axis_mark mark = {.at = cell_of(i, n, n_cells), .is_bar = true};
        if (bar > last_bar) {
            snprintf(mark.text, sizeof mark.text, "%d", (int)(bar + 1) % 1000000);
            axis->marks[axis->n++] = mark;
            last_bar = bar;
        }
        if (t->note <= last_note)
            continue;
        last_note = t->note;
        mark.is_bar = false;
        snprintf(mark.text, sizeof mark.text, "%s", attention_name(w, t->note).pitch);
        axis->marks[axis->n++] = mark;
    }
    return axis->marks != NULL;
}

/* cells [n_rows, n_columns]: the highest score of each, or the mean of the heads' highest
 * weights. */
static int fill_matrix(struct attention_work *w, const struct map_picture *p,
                       float *cells)
{
    const int n = p->n_rows * p->n_columns,
              n_heads = inspected_n_heads(w->inspection, &w->look);
    const float share = 1.0f / (float)n_heads;
    const bool is_weight = w->look.amount == LOOK_WEIGHT;
    float *row = calloc((size_t)(n + w->n_keys) + 1, sizeof *row);
    enum inspection_state state = INSPECTION_DONE;
    if (!row)
        return say_midi_error(w->o->file, MIDI_NO_MEMORY);
    for (int i = 0; !is_weight && i < n; i++)
        cells[i] = NAN;
    for (int q = 0; !is_weight && !state && q < w->now.n_tokens; q++) {
        float *of_row = cells + cell_of(q, w->now.n_tokens, p->n_rows) * p->n_columns;
        state = inspection_row(w->inspection, q, &w->look, row);
        for (int k = 0; !state && k < w->n_keys; k++) {
            float *cell = &of_row[cell_of(k, w->n_keys, p->n_columns)];
            *cell = fmaxf(*cell, row[k]);
        }
    }
    for (int k = 0; is_weight && !state && k < n_heads; k++) {
        state =
            inspection_pool(w->inspection, inspected_head(w->inspection, &w->look, k),
                            1, p->n_rows, p->n_columns, row);
        for (int i = 0; !state && i < n; i++)
            cells[i] += share * row[i];
    }
    free(row);
    return state ? attention_failed(w) : 0;
}

/* The keys [*first, *end) that the query at that place sees, which are the same for all
 * heads. */
static void find_visible(const struct attention_work *w, int query, int *first,
                         int *end)
{
    attention_visible(w->now.decoder, inspected_head(w->inspection, &w->look, 0), query,
                      first, end);
}

/* A cell that no query of its row sees has no colour. */
static void blank_unseen(const struct attention_work *w, const struct map_picture *p,
                         float *cells)
{
    const size_t per_map = (size_t)p->n_rows * (size_t)p->n_columns;
    bool *seen = calloc(per_map + 1, sizeof *seen);
    if (!seen)
        return;
    for (int q = 0; q < w->now.n_tokens; q++) {
        const int row = cell_of(q, w->now.n_tokens, p->n_rows);
        int first, end;
        find_visible(w, q, &first, &end);
        for (int k = first; k < end; k++)
            seen[row * p->n_columns + cell_of(k, w->n_keys, p->n_columns)] = true;
    }
    for (size_t i = 0; i < (size_t)(p->n_down * p->n_across) * per_map; i++)
        if (!seen[i % per_map])
            cells[i] = NAN;
    free(seen);
}

/* Queries of one block have the same first key. false: no memory. */
static bool outline_blocks(const struct attention_work *w, struct map_picture *p)
{
    const int block = w->model->config.block;
    p->outlines = calloc((size_t)w->now.n_tokens + 1, sizeof *p->outlines);
    if (!p->outlines || w->is_fixed || w->look.of == ATTENTION_CROSS || !block)
        return p->outlines != NULL;
    for (int q = 0; q < w->now.n_tokens; q += block) {
        const int last = q + block < w->now.n_tokens ? q + block : w->now.n_tokens;
        int first, end;
        find_visible(w, q, &first, &end);
        const int row = cell_of(q, w->now.n_tokens, p->n_rows),
                  column = cell_of(first, w->n_keys, p->n_columns);
        p->outlines[p->n_outlines++] = (struct map_outline){
            row, column, cell_of(last - 1, w->now.n_tokens, p->n_rows) + 1 - row,
            cell_of(last - 1, w->n_keys, p->n_columns) + 1 - column};
    }
    return true;
}

static const char *name_of(const void *context, int layer, int head)
{
    return attention_head_name(context, layer, head);
}

static int draw_maps(struct attention_work *w, bool is_single, const char *path)
{
    static const char *const PARTS[] = {
        [LOOK_WEIGHT] = "",
        [LOOK_CONTENT] = "\nscores before the softmax: the part from content",
        [LOOK_INDEX] = "\nscores before the softmax: the part from distance by index",
        [LOOK_TIME] = "\nscores before the softmax: the part from distance in time",
    };
    const int most = is_single ? MOST_CELLS : SMALL_CELLS, layer = w->look.layer;
    char title[128], about[TEXT], more[160] = "";
    if (is_single)
        snprintf(more, sizeof more,
                 "\nrows: the token read last, which chooses the next; columns: what "
                 "it attends to%s",
                 w->is_fixed ? "" : PARTS[w->look.amount]);
    say_about(w, more, about, sizeof about);
    struct map_picture p = {
        .title = is_single    ? title_of(w, title, sizeof title)
                 : layer >= 0 ? "every head of the layer"
                              : "every layer and head",
        .about = about,
        .unit = OPTION_PARTS[w->look.amount],
        .n_down = is_single || layer >= 0 ? 1 : w->model->config.n_layers,
        .n_across = is_single ? 1 : w->model->config.n_heads,
        .n_rows = w->now.n_tokens < most ? w->now.n_tokens : most,
        .n_columns = w->n_keys < most ? w->n_keys : most,
        .shade = (enum heat_kind)w->o->shade,
        .is_weight = w->look.amount == LOOK_WEIGHT,
        .first_layer = layer < 0 ? 0 : layer,
        .name = is_single ? NULL : name_of,
        .context = w,
    };
    const int n_maps = p.n_down * p.n_across;
    float *cells =
        calloc((size_t)n_maps * (size_t)p.n_rows, (size_t)p.n_columns * sizeof *cells);
    p.cells = cells;
    bool ok =
        cells && (!is_single ||
                  (mark_axis(w, w->now.tokens, w->now.n_tokens, p.n_rows, &p.rows) &&
                   mark_axis(w, w->keys, w->n_keys, p.n_columns, &p.columns) &&
                   outline_blocks(w, &p)));
    int status = ok ? 0 : say_midi_error(path, MIDI_NO_MEMORY);
    if (ok && is_single)
        status = fill_matrix(w, &p, cells);
    else if (ok &&
             inspection_pool(
                 w->inspection,
                 (struct attention_head){.kind = w->look.of, .layer = p.first_layer},
                 n_maps, p.n_rows, p.n_columns, cells) != INSPECTION_DONE)
        status = attention_failed(w);
    if (!status && p.is_weight)
        blank_unseen(w, &p, cells);
    const enum midi_status st = status ? MIDI_OK : map_picture_save(&p, path);
    free(cells);
    free(p.rows.marks);
    free(p.columns.marks);
    free(p.outlines);
    return st ? say_midi_error(path, st) : status;
}

/* -- the roll -- */

/* Which notes are white; and the weights without colour: on the notes' own tokens and on
 * tokens that are not notes. */
static void say_notes(const struct attention_work *w, const float *per_note,
                      const float *other, char *text, size_t n)
{
    const bool looks = w->look.way == LOOKS_AT;
    const struct note_name name = attention_name(w, w->asked[0]);
    double own = 0;
    int at;
    if (w->o->note)
        at = snprintf(text, n,
                      "\nwhite: note %d, %s of track %d at %lld:%.3g; tinted: %s",
                      w->o->note, name.pitch, w->now.notes[w->asked[0]].track + 1,
                      (long long)name.bar, name.beat,
                      looks ? "what it attends to" : "what attends to it");
    else
        at = snprintf(text, n, "\nwhite: the %d notes of bar %d; tinted: %s",
                      w->n_asked, w->o->bar,
                      looks ? "what they attend to, on average"
                            : "what attends to them");
    at += snprintf(text + at, n - (size_t)at, "\nnot tinted: ");
    const int begin = at;
    for (int i = 0; i < w->n_asked; i++)
        own += (double)per_note[w->asked[i]];
    if (own > 0)
        at += snprintf(text + at, n - (size_t)at, "%s %.3f",
                       w->n_asked > 1 ? "these notes" : "the note itself", own);
    for (int k = 0; k < INSPECTED_KINDS; k++)
        if (other[k] >= 0.0005f)
            at += snprintf(
                text + at, n - (size_t)at, "%s%s %.3f", at > begin ? ", " : "",
                inspected_part_name((enum inspected_part)(INSPECTED_NOTE_PARTS + k)),
                (double)other[k]);
    if (at == begin)
        snprintf(text + at, n - (size_t)at, "nothing");
}

/* The mean of the requested rows. Weights that several notes get from others add up;
 * weights that they give are averaged. row [n_notes] is scratch. */
static int mean_row(struct attention_work *w, float *per_note, float *other, float *row)
{
    const float share = w->look.way == LOOKS_AT ? 1.0f / (float)w->n_asked : 1.0f;
    float kinds[INSPECTED_KINDS];
    for (int i = 0; i < w->n_asked; i++) {
        if (inspection_weights(w->inspection, w->asked[i], &w->look, row, kinds) !=
            INSPECTION_DONE)
            return attention_failed(w);
        for (int k = 0; k < w->now.n_notes; k++)
            per_note[k] += share * row[k];
        for (int k = 0; k < INSPECTED_KINDS; k++)
            other[k] += share * kinds[k];
    }
    return 0;
}

static int draw_wash(struct attention_work *w, const char *path)
{
    char title[128], more[TEXT / 2], about[TEXT];
    float other[INSPECTED_KINDS] = {0};
    float *per_note = calloc((size_t)w->now.n_notes + 1, 2 * sizeof *per_note);
    struct wash_note *notes =
        calloc((size_t)w->now.n_notes + w->n_order + 1, sizeof *notes);
    const bool has_room = per_note && notes;
    int status = has_room ? mean_row(w, per_note, other, per_note + w->now.n_notes)
                          : say_midi_error(path, MIDI_NO_MEMORY);
    if (has_room && !status) {
        struct wash_picture p = {.title = title_of(w, title, sizeof title),
                                 .about = about,
                                 .timeline = &w->score->timeline,
                                 .from = w->now.from_tick,
                                 .to = w->now.to_tick,
                                 .notes = notes,
                                 .shade = (enum heat_kind)w->o->shade};
        /* All notes of the score; those that were read have weights. */
        for (size_t i = 0; i < w->n_order; i++)
            notes[p.n_notes++] = (struct wash_note){.start = w->order[i].note->start,
                                                    .length = w->order[i].note->length,
                                                    .pitch = w->order[i].note->pitch};
        for (int i = 0; i < w->now.n_notes; i++)
            notes[p.n_notes++] =
                (struct wash_note){.start = w->now.notes[i].tick,
                                   .length = w->now.notes[i].length,
                                   .pitch = w->now.notes[i].pitch,
                                   .weight = per_note[i],
                                   .is_chosen = attention_is_asked(w, i),
                                   .is_read = true};
        say_notes(w, per_note, other, more, sizeof more);
        say_about(w, more, about, sizeof about);
        const enum midi_status st = wash_picture_save(&p, path);
        status = st ? say_midi_error(path, st) : 0;
    }
    free(notes);
    free(per_note);
    return status;
}

int attention_draw(struct attention_work *w, const char *path)
{
    if (w->o->note || w->o->bar)
        return draw_wash(w, path);
    return draw_maps(w, w->o->head || w->is_fixed || w->look.amount != LOOK_WEIGHT,
                     path);
}
