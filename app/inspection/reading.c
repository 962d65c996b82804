/* See inspection_internal.h. The encoders of midi/ say which note a token is of; what it
 * gives follows from its kind. Of four voices every cell of the grid knows which note of the score
 * sounds in it (midi/tokens/grid.h). */
#include "app/inspection/inspection_internal.h"

#include "midi/base/array.h"
#include "midi/tokens/token_time.h"

#include <stdlib.h>
#include <string.h>

enum inspected_part reading_part_of_note(enum token kind)
{
    switch (kind) {
    case TOKEN_TRACK:
        return INSPECTED_TRACK;
    case TOKEN_VEL:
        return INSPECTED_VELOCITY;
    case TOKEN_PITCH:
    case TOKEN_HIT:
        return INSPECTED_PITCH;
    case TOKEN_DUR:
    case TOKEN_DURX:
        return INSPECTED_DURATION;
    default:
        return INSPECTED_POSITION;
    }
}

/* is_asking: FILL has come. */
static enum inspected_part part_of_other(enum token kind, bool is_asking)
{
    switch (kind) {
    case TOKEN_BOS:
        return INSPECTED_START;
    case TOKEN_STYLE:
        return INSPECTED_STYLE;
    case TOKEN_BAR:
        return INSPECTED_BAR;
    case TOKEN_TRACK:
    case TOKEN_FAMILY:
        return is_asking ? INSPECTED_ASKED : INSPECTED_TRACKS;
    case TOKEN_NUM:
    case TOKEN_DEN:
        return INSPECTED_METER;
    case TOKEN_CHORD:
    case TOKEN_BASS:
        return INSPECTED_CHORD;
    case TOKEN_HOLE:
    case TOKEN_RESUME:
        return INSPECTED_HOLE;
    case TOKEN_DENSITY:
    case TOKEN_POLYPHONY:
    case TOKEN_LENGTH:
    case TOKEN_REGISTER:
    case TOKEN_CLOSE:
        return INSPECTED_CONSTRAINT;
    case TOKEN_FILL_END:
    case TOKEN_EOS:
        return INSPECTED_END;
    default:
        return is_asking ? INSPECTED_ASKED : INSPECTED_PLACE;
    }
}

static bool make_room(struct reading *r, int n_tokens, int n_source, int n_notes)
{
    size_t n = (size_t)n_tokens + 1, source = (size_t)n_source + 1;
    r->ids = calloc(n, sizeof *r->ids);
    r->times = calloc(n, sizeof *r->times);
    r->tokens = calloc(n, sizeof *r->tokens);
    r->source_ids = calloc(source, sizeof *r->source_ids);
    r->source_times = calloc(source, sizeof *r->source_times);
    r->source = calloc(source, sizeof *r->source);
    r->notes = calloc((size_t)n_notes + 1, sizeof *r->notes);
    return r->ids && r->times && r->tokens && r->source_ids && r->source_times &&
           r->source && r->notes;
}

void reading_fini(struct reading *r)
{
    piece_fini(&r->piece);
    fill_fini(&r->fill);
    grid_fini(&r->grid);
    free(r->cell_ids);
    free(r->ids);
    free(r->times);
    free(r->tokens);
    free(r->source_ids);
    free(r->source_times);
    free(r->source);
    free(r->notes);
    *r = (struct reading){0};
}

struct model_input reading_input(const struct reading *what, int n)
{
    return (struct model_input){.ids = what->ids,
                                .times = what->times,
                                .n = n,
                                .source = what->source_ids,
                                .source_times = what->source_times,
                                .n_source = what->n_source};
}

static void add_notes(struct reading *r, const struct piece *p)
{
    const int tpq = r->ticks_per_quarter;
    for (const struct grid_note *n = p->notes; n < p->notes + p->n_notes; n++) {
        int64_t from = r->origin + n->step, to = from + n->length;
        int64_t tick = tick_from_step(from, tpq);
        r->notes[r->n_notes++] = (struct inspect_note){
            .track = r->track_map[n->track],
            .id = n->id,
            .note = {.id = n->id,
                     .start = tick,
                     .length = tick_from_step(to, tpq) - tick,
                     .pitch = (uint8_t)n->pitch,
                     .velocity = (uint8_t)velocity_from_level(n->velocity)},
        };
    }
}

static void label_tokens(struct reading *r, const struct tokens *t)
{
    bool is_asking = false;
    for (int i = 0; i < r->n_tokens; i++) {
        const enum token kind = token_kind(t->id[i]);
        const int note = t->note[i];
        is_asking = is_asking || kind == TOKEN_FILL;
        r->tokens[i] = (struct inspected_token){
            .token = t->id[i],
            .time = r->times[i],
            .note = note,
            .part = note >= 0 ? reading_part_of_note(kind)
                              : part_of_other(kind, is_asking)};
        if (note >= 0 && !r->notes[note].n_tokens++)
            r->notes[note].first_token = i;
    }
}

/* Music that does not fit the context ends after the last of its notes that does; those that
 * were cut off, the last ones, are dropped. */
static enum midi_status encode_music(struct reading *r)
{
    const bool is_hole = r->kind == READING_HOLE;
    const struct piece *p = is_hole ? &r->fill.around : &r->piece;
    struct piece *last = is_hole ? &r->fill.inside : &r->piece;
    struct tokens t;
    enum midi_status st =
        is_hole ? fill_encode(&t, &r->fill, true) : tokens_encode(&t, &r->piece, false);
    if (st)
        return st;
    size_t n = t.n < (size_t)r->max_tokens ? t.n : (size_t)r->max_tokens;
    while (n > 0 && n < t.n && t.note[n] >= 0 && t.note[n] == t.note[n - 1])
        n--;
    r->is_cut = n < t.n;
    bool ok =
        make_room(r, (int)n, 0, (int)(p->n_notes + (is_hole ? last->n_notes : 0)));
    if (ok) {
        r->n_tokens = (int)n;
        memcpy(r->ids, t.id, n * sizeof *r->ids);
        token_times(r->ids, n, r->times);
        add_notes(r, p);
        if (is_hole)
            add_notes(r, last);
        label_tokens(r, &t);
    }
    for (; ok && last->n_notes > 0 && !r->notes[r->n_notes - 1].n_tokens; r->n_notes--)
        last->n_notes--;
    tokens_fini(&t);
    return ok ? MIDI_OK : MIDI_NO_MEMORY;
}

enum midi_status reading_plain(struct reading *r, const struct inspection_windows *w,
                               const struct inspection_window *window, enum style style,
                               int max_tokens)
{
    *r = (struct reading){.kind = READING_PLAIN,
                          .ticks_per_quarter = w->ticks_per_quarter,
                          .origin = piece_bar_start(&w->piece, window->first_bar),
                          .max_tokens = max_tokens};
    memcpy(r->track_map, w->track_map, sizeof r->track_map);
    enum midi_status st = piece_window(&r->piece, &w->piece, window->first_bar,
                                       window->end_bar - window->first_bar);
    if (!st) {
        r->piece.style = style;
        st = encode_music(r);
    }
    if (st)
        reading_fini(r);
    return st;
}

static void assign_ids(struct reading *r, const struct replay *from)
{
    const struct piece *p = r->kind == READING_HOLE ? &r->fill.around : &r->piece;
    for (int i = 0; from->n_known && i < r->n_notes; i++) {
        struct grid_note *n = (size_t)i < p->n_notes
                                  ? &p->notes[i]
                                  : &r->fill.inside.notes[(size_t)i - p->n_notes];
        struct grid_note wanted = *n;
        wanted.step += (int32_t)r->origin;
        const struct known_note *found =
            bsearch(&wanted, from->known, from->n_known, sizeof *from->known,
                    grid_note_compare);
        if (!found)
            continue;
        n->id = r->notes[i].id = r->notes[i].note.id = found->note.id;
        r->notes[i].is_take = found->is_take;
    }
}

static enum midi_status decode_music(struct reading *r, const int32_t *ids, int n)
{
    int32_t *whole = array_copy(ids, (size_t)n, sizeof *whole);
    if (!whole)
        return MIDI_NO_MEMORY;
    bool is_hole = false;
    for (int i = 0; i < n; i++)
        is_hole = is_hole || ids[i] == TOKEN_FILL;
    if (is_hole && ids[n - 1] != TOKEN_FILL_END)
        whole[n++] = TOKEN_FILL_END;
    r->kind = is_hole ? READING_HOLE : READING_PLAIN;
    enum midi_status st = is_hole ? fill_decode(&r->fill, whole, (size_t)n)
                                  : tokens_decode(&r->piece, whole, (size_t)n);
    free(whole);
    return st;
}

enum midi_status reading_take(struct reading *r, const struct replay *from,
                              int ticks_per_quarter, int max_tokens)
{
    *r = (struct reading){.origin = from->origin,
                          .ticks_per_quarter = ticks_per_quarter,
                          .max_tokens = max_tokens};
    memcpy(r->track_map, from->track_map, sizeof r->track_map);
    enum midi_status st =
        from->n_ids > 0 ? decode_music(r, from->ids, from->n_ids) : MIDI_EMPTY;
    if (!st)
        st = encode_music(r);
    if (st)
        reading_fini(r);
    else
        assign_ids(r, from);
    return st;
}

/* -- four voices in sixteenths -- */

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

static int n_windows(int beyond, int stride)
{
    return beyond > 0 ? 1 + (beyond + stride - 1) / stride : 1;
}

static void add_cell_note(struct reading *r, int step, int voice, bool is_source,
                          int token)
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
            add_cell_note(r, step, voice, is_source, t);
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

static enum midi_status encode_grid(struct reading *r)
{
    const struct grid_form told = r->lesson.told, heard = r->lesson.heard;
    int fit = steps_that_fit(&r->lesson, r->max_tokens);
    int n = count_cells(r, told, fit), n_source = count_cells(r, heard, fit);
    if (!make_room(r, n, n_source, n + n_source))
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
    enum {
        BAR = 16
    }; /* of common time; windows are whole ones apart, where there are several */
    const int fit = steps_that_fit(lesson, max_tokens),
              stride = fit >= 4 * BAR ? fit / 2 / BAR * BAR
                       : fit > 1      ? fit / 2
                                      : 1;
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
        st = encode_grid(r);
    }
    if (st)
        reading_fini(r);
    return st;
}

/* -- without some notes -- */

static bool copy_piece(struct piece *to, const struct piece *from, const bool *goes)
{
    *to = *from;
    to->notes = calloc(from->n_notes + 1, sizeof *to->notes);
    to->chords = array_copy(from->chords, from->n_chords, sizeof *to->chords);
    to->meters = array_copy(from->meters, from->n_meters, sizeof *to->meters);
    to->n_notes = 0;
    for (size_t i = 0; to->notes && i < from->n_notes; i++)
        if (!goes[i])
            to->notes[to->n_notes++] = from->notes[i];
    return to->notes && to->chords && to->meters;
}

static bool copy_grid(struct reading *r, const struct reading *from, const bool *goes)
{
    const size_t n = (size_t)from->grid.n_steps * GRID_VOICES;
    r->cell_ids = calloc(n + 1, sizeof *r->cell_ids);
    if (!r->cell_ids || grid_init(&r->grid, from->grid.n_steps))
        return false;
    memcpy(r->grid.cells, from->grid.cells, n * sizeof *r->grid.cells);
    memcpy(r->cell_ids, from->cell_ids, n * sizeof *r->cell_ids);
    for (int i = 0; i < from->n_notes; i++)
        for (size_t k = 0; goes[i] && k < n; k++)
            if (from->notes[i].id && r->cell_ids[k] == from->notes[i].id) {
                r->grid.cells[k] = (struct grid_cell){GRID_SILENT, false};
                r->cell_ids[k] = 0;
            }
    return true;
}

enum midi_status reading_without(struct reading *r, const struct reading *from,
                                 const bool *goes)
{
    *r = (struct reading){.kind = from->kind,
                          .lesson = from->lesson,
                          .origin = from->origin,
                          .ticks_per_quarter = from->ticks_per_quarter,
                          .max_tokens = from->max_tokens};
    memcpy(r->track_map, from->track_map, sizeof r->track_map);
    const struct fill *fill = &from->fill;
    r->fill.request = fill->request;
    const bool is_copied = from->kind == READING_GRID ? copy_grid(r, from, goes)
                           : from->kind == READING_PLAIN
                               ? copy_piece(&r->piece, &from->piece, goes)
                               : copy_piece(&r->fill.around, &fill->around, goes) &&
                                     copy_piece(&r->fill.inside, &fill->inside,
                                                goes + fill->around.n_notes);
    enum midi_status st = !is_copied                   ? MIDI_NO_MEMORY
                          : from->kind == READING_GRID ? encode_grid(r)
                                                       : encode_music(r);
    if (st)
        reading_fini(r);
    /* Those that stay are in their order. */
    for (int i = 0, k = 0; !st && r->kind != READING_GRID && k < r->n_notes; i++)
        if (!goes[i])
            r->notes[k++].is_take = from->notes[i].is_take;
    return st;
}
