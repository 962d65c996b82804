/* Readings of four voices in sixteenths (midi/tokens/grid.h): every cell of the grid
 * knows which note of the score sounds in it. See inspection_internal.h. */
#include "app/inspection/inspection_internal.h"

#include <stdlib.h>
#include <string.h>

/* Which note of the score sounds in a cell; 0: none. */
static uint64_t *id_of(const struct reading *r, int step, int voice)
{
    return &r->cell_ids[(size_t)step * GRID_VOICES + (size_t)voice];
}

/* A struck cell is of the last note of that pitch that begins there, when rounded; the
 * cells that hold it, too. */
static void name_voice(struct reading *r, int voice, const struct track *t)
{
    const int64_t quarter = r->ticks_per_quarter;
    for (size_t i = 0; i < t->n_notes; i++) {
        int64_t step = (4 * t->notes[i].start + quarter / 2) / quarter;
        if (step < 0 || step >= r->grid.n_steps)
            continue;
        const struct grid_cell *c = grid_at(&r->grid, (int)step, voice);
        if (c->is_struck && c->pitch == t->notes[i].pitch)
            *id_of(r, (int)step, voice) = t->notes[i].id;
    }
    for (int step = 1; step < r->grid.n_steps; step++) {
        const struct grid_cell *c = grid_at(&r->grid, step, voice);
        if (c->pitch >= 0 && !c->is_struck)
            *id_of(r, step, voice) = *id_of(r, step - 1, voice);
    }
}

static int steps_that_fit(const struct grid_lesson *lesson, int max_tokens)
{
    int n = (max_tokens - 1) / lesson->told.n;
    if (lesson->heard.n && (max_tokens - 1) / lesson->heard.n < n)
        n = (max_tokens - 1) / lesson->heard.n;
    return n;
}

/* Whole bars of common time, where there are several. */
static int stride_of(int fit)
{
    enum { BAR = 16 };
    return fit >= 4 * BAR ? fit / 2 / BAR * BAR : fit > 1 ? fit / 2 : 1;
}

static int n_windows(int beyond, int stride)
{
    return beyond > 0 ? 1 + (beyond + stride - 1) / stride : 1;
}

/* -- tokens -- */

static void add_note(struct reading *r, int step, int voice, bool is_source, int token)
{
    int end = step + 1;
    const struct grid_cell *c = grid_at(&r->grid, step, voice);
    while (end < r->grid.n_steps && grid_at(&r->grid, end, voice)->pitch == c->pitch &&
           !grid_at(&r->grid, end, voice)->is_struck)
        end++;
    int64_t tick = tick_from_step((int64_t)step * GRID_STEP, r->ticks_per_quarter);
    int64_t stop = tick_from_step((int64_t)end * GRID_STEP, r->ticks_per_quarter);
    const uint64_t id = *id_of(r, step, voice);
    r->notes[r->n_notes++] = (struct inspect_note){.track = r->track_map[voice],
                                                   .id = id,
                                                   .note = {.id = id,
                                                            .start = tick,
                                                            .length = stop - tick,
                                                            .pitch = (uint8_t)c->pitch,
                                                            .velocity = 80},
                                                   .first_token = token,
                                                   .is_source = is_source};
}

/* Fills tokens from ids: a note is of the cells it sounds in. */
static void label_cells(struct reading *r, struct grid_form form, bool is_source)
{
    struct inspected_token *tokens = is_source ? r->source : r->tokens;
    const int32_t *ids = is_source ? r->source_ids : r->ids;
    const int32_t *times = is_source ? r->source_times : r->times;
    const int n = is_source ? r->n_source : r->n_tokens;
    int sounding[GRID_VOICES] = {-1, -1, -1, -1};
    tokens[0] = (struct inspected_token){
        .token = ids[0], .time = times[0], .note = -1, .part = INSPECTED_START};
    for (int t = 1; t < n; t++) {
        int voice = form.first + (t - 1) % form.n;
        int step = (int)r->origin + (t - 1) / form.n;
        const struct grid_cell *c = grid_at(&r->grid, step, voice);
        bool begins = c->pitch >= 0 && (c->is_struck || sounding[voice] < 0);
        if (begins) {
            sounding[voice] = r->n_notes;
            add_note(r, step, voice, is_source, t);
        }
        sounding[voice] = c->pitch >= 0 ? sounding[voice] : -1;
        tokens[t] = (struct inspected_token){.token = ids[t],
                                             .time = times[t],
                                             .note = sounding[voice],
                                             .part = c->pitch < 0 ? INSPECTED_REST
                                                     : begins     ? INSPECTED_PITCH
                                                                  : INSPECTED_DURATION};
        if (sounding[voice] >= 0)
            r->notes[sounding[voice]].n_tokens++;
    }
}

static int count_cells(const struct reading *r, struct grid_form form, int n_steps)
{
    const int left = r->grid.n_steps - (int)r->origin;
    return form.n ? (int)grid_n_tokens(form, n_steps < left ? n_steps : left) : 0;
}

enum midi_status reading_grid_tokens(struct reading *r)
{
    const struct grid_form told = r->lesson.told, heard = r->lesson.heard;
    int fit = steps_that_fit(&r->lesson, r->max_tokens);
    int n = count_cells(r, told, fit), n_source = count_cells(r, heard, fit);
    if (!reading_room(r, n, n_source, n + n_source))
        return MIDI_NO_MEMORY;
    int n_steps = (n - 1) / told.n;
    r->n_tokens = n;
    r->n_source = n_source;
    grid_encode(&r->grid, told, (int)r->origin, n_steps, r->ids);
    grid_times(told, (size_t)n, r->times);
    label_cells(r, told, false);
    if (n_source) {
        grid_encode(&r->grid, heard, (int)r->origin, n_steps, r->source_ids);
        grid_times(heard, (size_t)n_source, r->source_times);
        label_cells(r, heard, true);
    }
    return MIDI_OK;
}

static enum midi_status read_cells(struct reading *r, const struct score *s)
{
    enum midi_status st = grid_from_score(&r->grid, s);
    if (st || r->grid.n_steps < 1)
        return st ? st : MIDI_EMPTY;
    r->cell_ids = calloc((size_t)r->grid.n_steps * GRID_VOICES, sizeof *r->cell_ids);
    if (!r->cell_ids)
        return MIDI_NO_MEMORY;
    memset(r->track_map, -1, sizeof r->track_map);
    /* The tracks of the voices, as grid_from_score chooses them. */
    for (int t = 0, n = 0; t < (int)s->n_tracks && n < GRID_VOICES; t++)
        if (s->n_tracks == GRID_VOICES || s->tracks[t].n_notes)
            r->track_map[n++] = t;
    for (int v = 0; v < GRID_VOICES; v++)
        if (r->track_map[v] >= 0)
            name_voice(r, v, &s->tracks[r->track_map[v]]);
    return MIDI_OK;
}

enum midi_status reading_grid(struct reading *r, const struct score *s,
                              const struct grid_lesson *lesson, int window,
                              int64_t tick, int max_tokens)
{
    const int fit = steps_that_fit(lesson, max_tokens), stride = stride_of(fit);
    *r = (struct reading){.kind = READING_GRID,
                          .lesson = *lesson,
                          .ticks_per_quarter = s->ticks_per_quarter,
                          .max_tokens = max_tokens};
    enum midi_status st = read_cells(r, s);
    r->n_windows = n_windows(r->grid.n_steps - fit, stride);
    if (!st && window >= r->n_windows)
        st = MIDI_EMPTY;
    if (!st && window < 0) { /* the first that has the tick */
        const int64_t step = 4 * (tick < 0 ? 0 : tick) / r->ticks_per_quarter;
        const int64_t last = step < r->grid.n_steps ? step : r->grid.n_steps - 1;
        window = n_windows((int)last + 1 - fit, stride) - 1;
    }
    if (!st) {
        r->origin = (int64_t)window * stride;
        r->own_step = window ? (int)r->origin - stride + fit : 0;
        st = reading_grid_tokens(r);
    }
    if (st)
        reading_fini(r);
    return st;
}
