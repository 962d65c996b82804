/* The attention of a take that is being written, as a report: the newest row by notes, and all
 * kept rows as a matrix. See inspector.h. */
#include "app/inspection/inspection_internal.h"
#include "app/inspection/inspector.h"

#include "midi/base/array.h"

#include <stdlib.h>

/* Each row in the row of cells that its place falls in; -1 where there is none. */
static void pool_rows(const struct live_map *m, struct inspector_matrix *to)
{
    for (int i = 0; i < to->n_rows * to->n_columns; i++)
        to->cells[i] = -1;
    if (to->n_rows <= 0 || to->n_columns <= 0)
        return;
    for (int place = m->first; place < m->end; place++) {
        const float *row = live_map_row(m, place);
        float *cells = to->cells + (int64_t)place * to->n_rows / m->end * to->n_columns;
        for (int j = 0; j < to->n_columns; j++) {
            const int from = (int)((int64_t)j * m->end / to->n_columns);
            int end = (int)(((int64_t)j + 1) * m->end / to->n_columns);
            end = end > from ? end : from + 1;
            for (int k = from; k < end && k <= place; k++)
                cells[j] = row[k] > cells[j] ? row[k] : cells[j];
        }
    }
}

/* ids [m->n + 1]. A note whose pitch is known gets some length until its own is known; what is
 * known of a note without a pitch, or of a chord, is left out. */
static bool read_so_far(struct reading *what, const struct live_map *m, int32_t *ids)
{
    int n = m->n;
    const enum token last = token_kind(ids[n - 1]);
    if (last == TOKEN_PITCH || last == TOKEN_DURX)
        ids[n++] = TOKEN_DUR;
    for (; n > 0; n--) {
        enum midi_status st =
            reading_tokens(what, ids, n, NULL, 0, m->origin, m->track_map,
                           m->ticks_per_quarter, m->cap + 1);
        if (st != MIDI_BAD_TOKEN)
            return !st;
        if (n <= m->n_given)
            break;
    }
    return false;
}

/* row [m->n]. Takes the notes and tokens of the reading. */
static bool fill_wash(struct inspector_wash *to, struct reading *what,
                      const struct live_map *m, const float *row)
{
    const bool is_hole = what->kind == READING_HOLE; /* its end is added to it */
    const int n_read = what->n_tokens - is_hole;
    *to = (struct inspector_wash){.of = 1,
                                  .notes = what->notes,
                                  .tokens = what->tokens,
                                  .n_notes = what->n_notes,
                                  .n_tokens = m->n,
                                  .note = what->n_notes - 1};
    to->from_tick = tick_from_step(m->origin, m->ticks_per_quarter);
    to->weights = calloc((size_t)to->n_notes + 1, sizeof *to->weights);
    if (n_read < to->n_tokens)
        to->n_tokens = n_read;
    if (n_read > m->n) /* that note */
        to->notes[to->note].length = m->ticks_per_quarter;
    what->notes = NULL;
    what->tokens = NULL;
    for (int i = 0; i < to->n_notes; i++) {
        to->notes[i].is_take = to->notes[i].first_token >= m->n_given;
        to->notes[i].surprise = -1;
    }
    for (int k = 0; to->weights && k < m->n; k++) {
        const struct inspected_token *t = k < to->n_tokens ? &to->tokens[k] : NULL;
        const enum inspected_part part = t ? t->part : INSPECTED_PLACE;
        *(t && t->note >= 0 ? &to->weights[t->note]
                            : &to->other[part - INSPECTED_NOTE_PARTS]) += row[k];
    }
    return to->weights != NULL;
}

bool inspector_live(struct live_rows *l, struct live_choice choice, int n_rows,
                    int n_columns, struct inspector_report *report)
{
    struct inspector_report found = {.is_done = true};
    struct inspector_matrix *matrix = &found.matrix;
    struct live_map at = {0};
    struct reading what = {0};
    int32_t *ids = NULL;
    float *row = NULL;
    const struct live_map *m = live_rows_lock(l, choice);
    if (m) {
        at = *m;
        ids = array_copy(m->tokens, (size_t)m->n, sizeof *ids);
        row = array_copy(live_map_row(m, m->end - 1), (size_t)m->n, sizeof *row);
        *matrix = (struct inspector_matrix){
            .of = 1,
            .head = {.layer = choice.layer, .head = choice.head},
            .n_tokens = m->n,
            .n_rows = n_rows,
            .n_columns = n_columns,
            .cells =
                calloc((size_t)n_rows * (size_t)n_columns + 1, sizeof *matrix->cells)};
        if (matrix->cells)
            pool_rows(m, matrix);
    }
    live_rows_unlock(l);
    bool ok = ids && row && matrix->cells && read_so_far(&what, &at, ids) &&
              what.n_notes > 0 && fill_wash(&found.wash, &what, &at, row);
    if (ok) {
        inspector_report_fini(report);
        *report = found;
    } else {
        inspector_report_fini(&found);
    }
    reading_fini(&what);
    free(ids);
    free(row);
    return ok;
}
