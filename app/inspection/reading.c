/* See reading.h. The encoders of midi/ say which note a token is of; what it encodes
 * follows from its kind. In four voices every cell of the grid knows which note of the score sounds in
 * it (midi/tokens/grid.h). */
#include "app/inspection/reading.h"

#include "app/base/draw.h"
#include "app/decoding/take_decoder.h"
#include "midi/base/array.h"
#include "midi/tokens/token_time.h"

#include <stdlib.h>
#include <string.h>

/* -- windows -- */

enum {
    SAID_AGAIN = 6
}; /* tokens that each window repeats: BOS STYLE NUM DEN TRACK VEL */

/* Tokens are counted bar by bar in one encoding of the piece; each window needs a few more, for
 * repeated state. */
static enum midi_status divide_piece(struct inspection_windows *w,
                                     const struct score *s)
{
    const size_t room = (size_t)w->whole.max_tokens - SAID_AGAIN;
    struct piece *p = &w->whole.fill.around;
    struct tokens t = {0};
    enum midi_status st = piece_from_score(p, s, STYLE_ANY, w->whole.track_map, 0);
    const int32_t n_bars = p->n_bars;
    if (!st)
        st = tokens_encode(&t, p, false);
    /* The tokens before each bar, and last all of them. */
    size_t *at = st ? NULL : calloc((size_t)n_bars + 1, sizeof *at);
    if (!st && !at)
        st = MIDI_NO_MEMORY;
    int32_t bar = 0;
    for (size_t i = 0; !st && i < t.n; i++)
        if (t.id[i] == TOKEN_BAR && bar < n_bars)
            at[bar++] = i;
    while (!st && bar <= n_bars)
        at[bar++] = t.n;
    for (int32_t own = 0, end; !st && own < n_bars; own = end) {
        const size_t most = own ? room / 4 : room; /* but one bar at least */
        int32_t first = own;
        for (end = own + 1; end < n_bars && at[end + 1] - at[own] <= most;)
            end++;
        while (first > 0 && at[end] - at[first - 1] <= room)
            first--;
        const struct inspection_window window = {first, end, own};
        if (!array_push(&w->list, &w->n, &window, sizeof window))
            st = MIDI_NO_MEMORY;
    }
    free(at);
    tokens_fini(&t);
    return st;
}

static int steps_that_fit(const struct grid_lesson *lesson, int max_tokens)
{
    const int n = (max_tokens - 1) / lesson->told.n;
    return lesson->heard.n ? at_most(n, (max_tokens - 1) / lesson->heard.n) : n;
}

static enum midi_status divide_voices(struct inspection_windows *w,
                                      const struct score *s)
{
    enum {
        BAR = 16
    }; /* of common time; windows are whole bars apart if they are long */
    struct reading *r = &w->whole;
    enum midi_status st = grid_from_score(&r->grid, s);
    const int n_steps = r->grid.n_steps,
              fit = steps_that_fit(&r->lesson, r->max_tokens),
              stride = fit >= 4 * BAR ? fit / 2 / BAR * BAR
                       : fit > 1      ? fit / 2
                                      : 1;
    if (st || n_steps < 1)
        return st ? st : MIDI_EMPTY;
    r->cell_ids = calloc((size_t)n_steps * GRID_VOICES, sizeof *r->cell_ids);
    if (!r->cell_ids)
        return MIDI_NO_MEMORY;
    memset(r->track_map, -1, sizeof r->track_map);
    /* The tracks of the voices, as grid_from_score chooses them. */
    for (int t = 0, n = 0; t < (int)s->n_tracks && n < GRID_VOICES; t++)
        if (s->n_tracks == GRID_VOICES || s->tracks[t].n_notes)
            r->track_map[n++] = t;
    /* A struck cell is of the last note of that pitch that begins there, when rounded; the cells that hold
     * it, too. */
    for (int v = 0; v < GRID_VOICES; v++) {
        const int64_t quarter = r->ticks_per_quarter;
        const struct track *t =
            r->track_map[v] < 0 ? NULL : &s->tracks[r->track_map[v]];
        uint64_t *ids = r->cell_ids + v; /* of every GRID_VOICES-th */
        for (size_t i = 0; t && i < t->n_notes; i++) {
            const int64_t step = (4 * t->notes[i].start + quarter / 2) / quarter;
            if (step < 0 || step >= n_steps)
                continue;
            const struct grid_cell *c = grid_at(&r->grid, (int)step, v);
            if (c->is_struck && c->pitch == t->notes[i].pitch)
                ids[step * GRID_VOICES] = t->notes[i].id;
        }
        for (int step = 1; step < n_steps; step++) {
            const struct grid_cell *c = grid_at(&r->grid, step, v);
            if (c->pitch >= 0 && !c->is_struck)
                ids[step * GRID_VOICES] = ids[(step - 1) * GRID_VOICES];
        }
    }
    for (int first = 0, own = 0; own < n_steps; first += stride) {
        const struct inspection_window window = {first, at_most(first + fit, n_steps),
                                                 own};
        if (!array_push(&w->list, &w->n, &window, sizeof window))
            return MIDI_NO_MEMORY;
        own = first + fit;
    }
    return MIDI_OK;
}

enum midi_status inspection_windows_init(struct inspection_windows *w,
                                         const struct score *s,
                                         const struct grid_lesson *lesson,
                                         int max_tokens)
{
    *w = (struct inspection_windows){.n = 0};
    w->whole.kind = lesson ? READING_GRID : READING_PLAIN;
    w->whole.max_tokens = max_tokens;
    w->whole.ticks_per_quarter = s->ticks_per_quarter;
    if (lesson)
        w->whole.lesson = *lesson;
    enum midi_status st = lesson ? divide_voices(w, s) : divide_piece(w, s);
    if (st)
        inspection_windows_fini(w);
    return st;
}

void inspection_windows_fini(struct inspection_windows *w)
{
    reading_fini(&w->whole);
    free(w->list);
    *w = (struct inspection_windows){0};
}

int inspection_windows_at(const struct inspection_windows *w, int64_t tick)
{
    if (!w->n)
        return 0;
    tick = tick < 0 ? 0 : tick;
    const int64_t place =
        w->whole.cell_ids
            ? 4 * tick / w->whole.ticks_per_quarter
            : piece_bar_at(&w->whole.fill.around,
                           step_from_tick(tick, w->whole.ticks_per_quarter));
    size_t after;
    ARRAY_PASS(after, w->n, w->list[after].own <= place);
    return after ? (int)after - 1 : 0;
}

/* -- readings -- */

/* Returns what a token of that kind encodes (midi/tokens/tokens.h), in a note or outside all notes.
 * is_asking: it comes after FILL. */
static enum inspected_part part_of(enum token kind, bool is_of_note, bool is_asking)
{
    /* Outside of notes, from each of these kinds on: */
    static const struct {
        enum token from;
        enum inspected_part part;
    } PARTS[] = {
        {TOKEN_BOS, INSPECTED_START},    {TOKEN_EOS, INSPECTED_END},
        {TOKEN_BAR, INSPECTED_BAR},      {TOKEN_STYLE, INSPECTED_STYLE},
        {TOKEN_NUM, INSPECTED_METER},    {TOKEN_POS, INSPECTED_PLACE},
        {TOKEN_TRACK, INSPECTED_TRACKS}, {TOKEN_VEL, INSPECTED_PLACE},
        {TOKEN_CHORD, INSPECTED_CHORD},  {TOKEN_HOLE, INSPECTED_HOLE},
        {TOKEN_FILL, INSPECTED_PLACE},   {TOKEN_DENSITY, INSPECTED_CONSTRAINT},
        {TOKEN_FILL_END, INSPECTED_END},
    };
    enum inspected_part part = INSPECTED_PLACE;
    if (is_of_note)
        return kind == TOKEN_TRACK                        ? INSPECTED_TRACK
               : kind == TOKEN_VEL                        ? INSPECTED_VELOCITY
               : kind == TOKEN_PITCH || kind == TOKEN_HIT ? INSPECTED_PITCH
               : kind == TOKEN_DUR || kind == TOKEN_DURX  ? INSPECTED_DURATION
                                                          : INSPECTED_POSITION;
    for (size_t i = 0; i < sizeof PARTS / sizeof *PARTS; i++)
        part = PARTS[i].from <= kind ? PARTS[i].part : part;
    return is_asking && (part == INSPECTED_PLACE || part == INSPECTED_TRACKS)
               ? INSPECTED_ASKED
               : part;
}

static bool make_room(struct reading *r, int n_tokens, int n_source, int n_notes)
{
    const size_t n = (size_t)n_tokens + (size_t)n_source + 1;
    r->n_tokens = n_tokens;
    r->n_source = n_source;
    r->ids = calloc(n, sizeof *r->ids);
    r->times = calloc(n, sizeof *r->times);
    r->tokens = calloc(n, sizeof *r->tokens);
    r->notes = calloc((size_t)n_notes + 1, sizeof *r->notes);
    return r->ids && r->times && r->tokens && r->notes;
}

void reading_fini(struct reading *r)
{
    fill_fini(&r->fill);
    grid_fini(&r->grid);
    free(r->cell_ids);
    free(r->ids);
    free(r->times);
    free(r->tokens);
    free(r->notes);
    *r = (struct reading){0};
}

struct model_input reading_input(const struct reading *what, int n)
{
    return (struct model_input){.ids = what->ids,
                                .times = what->times,
                                .n = n,
                                .source = what->ids + what->n_tokens,
                                .source_times = what->times + what->n_tokens,
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

/* Music that does not fit the context ends after the last of its notes that does; those that
 * were cut off, the last ones, are dropped. */
static enum midi_status encode_music(struct reading *r)
{
    const bool is_hole = r->kind == READING_HOLE;
    struct piece *p = &r->fill.around, *last = is_hole ? &r->fill.inside : p;
    struct tokens t;
    enum midi_status st =
        is_hole ? fill_encode(&t, &r->fill, true) : tokens_encode(&t, p, false);
    if (st)
        return st;
    size_t n = t.n < (size_t)r->max_tokens ? t.n : (size_t)r->max_tokens;
    while (n > 0 && n < t.n && t.note[n] >= 0 && t.note[n] == t.note[n - 1])
        n--;
    r->is_cut = n < t.n;
    bool ok =
        make_room(r, (int)n, 0, (int)(p->n_notes + (is_hole ? last->n_notes : 0)));
    if (ok) {
        memcpy(r->ids, t.id, n * sizeof *r->ids);
        token_times(r->ids, n, r->times);
        add_notes(r, p);
        if (is_hole)
            add_notes(r, last);
    }
    bool is_asking = false;
    for (int i = 0; ok && i < r->n_tokens; i++) {
        const enum token kind = token_kind(t.id[i]);
        const int note = t.note[i];
        is_asking = is_asking || kind == TOKEN_FILL;
        r->tokens[i] =
            (struct inspected_token){.token = t.id[i],
                                     .time = r->times[i],
                                     .note = note,
                                     .part = part_of(kind, note >= 0, is_asking)};
        if (note >= 0 && !r->notes[note].n_tokens++)
            r->notes[note].first_token = i;
    }
    for (; ok && last->n_notes > 0 && !r->notes[r->n_notes - 1].n_tokens; r->n_notes--)
        last->n_notes--;
    tokens_fini(&t);
    return ok ? MIDI_OK : MIDI_NO_MEMORY;
}

/* -- takes: a take decoder without a model repeats the steps that wrote the take -- */

struct run {
    const struct inspection_request *asked;
    struct take_decoder decoder;
    struct take take;
    int32_t *ids; /* [n_ids] of the reading that goes on: read, and then drawn */
    int n_ids;
    int reading;   /* its number */
    bool is_found; /* the wanted note came */
    int n_whole;   /* of ids: up to the last whole note */
};

/* The id of the take's note that is where n is, in steps of the music; 0: it has none. */
static uint64_t id_in_take(const struct run *run, const struct grid_note *n)
{
    const struct context *music = &run->decoder.music;
    const struct continued_note *notes = run->asked->notes;
    const int track = context_score_track(music, n->track, n->pitch),
              tpq = music->ticks_per_quarter;
    for (size_t i = 0; i < run->asked->n_notes; i++) {
        const struct note *it = &notes[i].note;
        if (notes[i].track == track && it->pitch == n->pitch &&
            (it->start == tick_from_step(n->step, tpq) ||
             step_from_tick(it->start, tpq) == n->step)) /* of a motif */
            return it->id;
    }
    return 0;
}

/* Repeats the take token by token, up to the end of the sequence that has the wanted note. The decoder
 * may read the music again on the way: then another sequence begins. */
static enum midi_status repeat_take(struct reading *r, struct run *run)
{
    const size_t n_all = run->asked->take->n_given;
    struct take_decoder *t = &run->decoder;
    struct grid_note n;
    for (;;) {
        enum continuation_state state = take_decoder_prepare(t);
        if (state != CONTINUATION_BEGUN && state != CONTINUATION_DONE)
            return MIDI_BAD_TOKEN;
        const struct model_reading now = model_reader_reading(t->readers[0]);
        const bool is_next = state == CONTINUATION_BEGUN && now.number != run->reading,
                   is_over = state == CONTINUATION_DONE || (is_next && run->is_found);
        if (is_next && !is_over) {
            run->reading = now.number;
            memcpy(run->ids, now.tokens, (size_t)now.n * sizeof *now.tokens);
            run->n_ids = r->n_read = run->n_whole = now.n;
            r->n_before = run->take.n_tokens;
            r->origin = t->origin;
        }
        if (!is_over && run->take.n_tokens == n_all)
            run->n_ids = run->n_whole; /* the take was stopped, or is being written */
        if (is_over || run->take.n_tokens == n_all)
            return run->is_found ? MIDI_OK : MIDI_EMPTY;
        if (run->n_ids >= r->max_tokens ||
            take_decoder_draw(t, NULL) != CONTINUATION_BEGUN)
            return MIDI_BAD_TOKEN;
        run->ids[run->n_ids++] = t->last;
        const enum token kind = token_kind(t->last);
        const enum inspected_part part = part_of(kind, true, false);
        if (!r->is_known[part] && !run->is_found) {
            memcpy(r->allowed[part], t->allowed, sizeof t->allowed);
            r->is_known[part] = true;
        }
        const bool is_note = grammar_note(t->grammar, &n),
                   is_between =
                       kind == TOKEN_BAR || kind == TOKEN_CHORD || kind == TOKEN_BASS;
        n.step += is_note ? (int32_t)t->origin : 0;
        run->is_found |= is_note && r->wanted && id_in_take(run, &n) == r->wanted;
        if (!run->is_found && (is_note || is_between)) /* another note comes */
            memset(r->is_known, 0, sizeof r->is_known);
        if (is_note)
            run->n_whole = run->n_ids;
    }
}

/* Makes notes and tokens of the repeated sequence. Notes of the music around the take and of the take so
 * far have their ids; notes of a motif are the take's, too. */
static enum midi_status encode_take(struct reading *r, struct run *run)
{
    struct take_decoder *t = &run->decoder;
    const struct piece *music = &t->music.music;
    int n = run->n_ids;
    bool is_hole = false;
    for (int i = 0; i < n; i++)
        is_hole = is_hole || run->ids[i] == TOKEN_FILL;
    r->kind = is_hole ? READING_HOLE : READING_PLAIN;
    if (is_hole && run->ids[n - 1] != TOKEN_FILL_END)
        run->ids[n++] = TOKEN_FILL_END;
    enum midi_status st = t->music.motif.is_varying ? motif_settle(&t->music) : MIDI_OK;
    if (!st)
        st = is_hole ? fill_decode(&r->fill, run->ids, (size_t)n)
                     : tokens_decode(&r->fill.around, run->ids, (size_t)n);
    if (!st)
        st = encode_music(r);
    const struct piece *p = &r->fill.around;
    for (int i = 0; !st && music->n_notes && i < r->n_notes; i++) {
        struct grid_note *note = (size_t)i < p->n_notes
                                     ? &p->notes[i]
                                     : &r->fill.inside.notes[(size_t)i - p->n_notes];
        struct grid_note wanted = *note;
        wanted.step += (int32_t)r->origin;
        const struct grid_note *found =
            bsearch(&wanted, music->notes, music->n_notes, sizeof *music->notes,
                    grid_note_compare);
        if (!found)
            continue;
        const bool is_take = !found->id || motif_has(&t->music.motif, found);
        note->id = is_take ? id_in_take(run, found) : found->id;
        r->notes[i].id = r->notes[i].note.id = note->id;
        r->notes[i].is_take = is_take;
    }
    return st;
}

enum midi_status reading_take(struct reading *r, const struct score *s,
                              const struct inspection_request *asked,
                              const struct model *model)
{
    /* Guidance, marks and random draws choose tokens; they do not change the layout. The seed
     * chooses the place of a motif. */
    struct continuation_options o = *asked->take;
    o.guidance = 1.0f;
    o.n_marks = o.n_muted = 0;
    const int context = model->config.context;
    struct context music = {0};
    *r = (struct reading){.ticks_per_quarter = s->ticks_per_quarter,
                          .max_tokens = context,
                          .wanted = asked->note};
    /* One more for FILL_END. */
    struct run run = {.asked = asked,
                      .take = {.seed = o.sampling.seed, .style = (enum style)o.style},
                      .ids = calloc((size_t)context + 2, sizeof *run.ids)};
    enum midi_status st = run.ids && !take_decoder_init(&run.decoder, model, NULL, NULL)
                              ? context_init(&music, s, &o)
                              : MIDI_NO_MEMORY;
    if (!st && take_decoder_begin(&run.decoder, &music, &o, &run.take, NULL) !=
                   CONTINUATION_BEGUN)
        st = MIDI_BAD_TOKEN;
    memcpy(r->track_map, run.decoder.music.track_map, sizeof r->track_map);
    if (!st)
        st = repeat_take(r, &run);
    if (!st)
        st = encode_take(r, &run);
    context_fini(&music);
    take_decoder_fini(&run.decoder);
    take_fini(&run.take);
    free(run.ids);
    if (st)
        reading_fini(r);
    return st;
}

/* -- four voices in sixteenths -- */

/* Encodes n_steps steps as tokens from `at` on, the sequence's or the source's; a note is of the cells
 * that it sounds in. */
static void encode_cells(struct reading *r, struct grid_form form, int at, int n_steps)
{
    const bool is_source = at > 0;
    const int n = is_source ? r->n_source : r->n_tokens, tpq = r->ticks_per_quarter;
    struct inspected_token *tokens = r->tokens + at;
    const int32_t *ids = r->ids + at, *times = r->times + at;
    int sounding[GRID_VOICES] = {-1, -1, -1, -1};
    grid_encode(&r->grid, form, (int)r->origin, n_steps, r->ids + at);
    grid_times(form, (size_t)n, r->times + at);
    tokens[0] = (struct inspected_token){
        .token = ids[0], .time = times[0], .note = -1, .part = INSPECTED_START};
    for (int t = 1; t < n; t++) {
        int voice = form.first + (t - 1) % form.n;
        int step = (int)r->origin + (t - 1) / form.n;
        const struct grid_cell *c = grid_at(&r->grid, step, voice);
        bool begins = c->pitch >= 0 && (c->is_struck || sounding[voice] < 0);
        if (begins) {
            int end = step + 1;
            while (end < r->grid.n_steps &&
                   grid_at(&r->grid, end, voice)->pitch == c->pitch &&
                   !grid_at(&r->grid, end, voice)->is_struck)
                end++;
            const int64_t tick = tick_from_step((int64_t)step * GRID_STEP, tpq),
                          stop = tick_from_step((int64_t)end * GRID_STEP, tpq);
            const uint64_t id = r->cell_ids[step * GRID_VOICES + voice];
            sounding[voice] = r->n_notes;
            r->notes[r->n_notes++] =
                (struct inspect_note){.track = r->track_map[voice],
                                      .id = id,
                                      .note = {.id = id,
                                               .start = tick,
                                               .length = stop - tick,
                                               .pitch = (uint8_t)c->pitch,
                                               .velocity = 80},
                                      .first_token = t,
                                      .is_source = is_source};
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

static enum midi_status encode_grid(struct reading *r)
{
    const struct grid_form told = r->lesson.told, heard = r->lesson.heard;
    const int left = r->grid.n_steps - (int)r->origin,
              n_steps = at_most(steps_that_fit(&r->lesson, r->max_tokens), left),
              n = (int)grid_n_tokens(told, n_steps),
              n_source = heard.n ? (int)grid_n_tokens(heard, n_steps) : 0;
    if (!make_room(r, n, n_source, n + n_source))
        return MIDI_NO_MEMORY;
    encode_cells(r, told, 0, n_steps);
    if (n_source)
        encode_cells(r, heard, n, n_steps);
    return MIDI_OK;
}

/* Begins a reading of the same kind. */
static void begin_like(struct reading *r, const struct reading *from)
{
    *r = (struct reading){.kind = from->kind,
                          .lesson = from->lesson,
                          .origin = from->origin,
                          .ticks_per_quarter = from->ticks_per_quarter,
                          .max_tokens = from->max_tokens};
    memcpy(r->track_map, from->track_map, sizeof r->track_map);
}

static bool copy_grid(struct reading *r, const struct reading *from)
{
    const size_t n = (size_t)from->grid.n_steps * GRID_VOICES;
    r->cell_ids = array_copy(from->cell_ids, n, sizeof *r->cell_ids);
    if (!r->cell_ids || grid_init(&r->grid, from->grid.n_steps))
        return false;
    memcpy(r->grid.cells, from->grid.cells, n * sizeof *r->grid.cells);
    return true;
}

enum midi_status reading_window(struct reading *r, const struct inspection_windows *w,
                                const struct inspection_window *window,
                                enum style style)
{
    const struct piece *p = &w->whole.fill.around;
    enum midi_status st;
    begin_like(r, &w->whole);
    if (r->kind == READING_GRID) {
        r->origin = window->first;
        st = copy_grid(r, &w->whole) ? encode_grid(r) : MIDI_NO_MEMORY;
    } else {
        r->origin = piece_bar_start(p, window->first);
        st = piece_window(&r->fill.around, p, window->first,
                          window->end - window->first);
        r->fill.around.style = style;
        st = st ? st : encode_music(r);
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

enum midi_status reading_without(struct reading *r, const struct reading *from,
                                 const bool *goes)
{
    begin_like(r, from);
    const struct fill *fill = &from->fill;
    r->fill.request = fill->request;
    const bool is_copied = from->kind == READING_GRID
                               ? copy_grid(r, from)
                               : copy_piece(&r->fill.around, &fill->around, goes) &&
                                     copy_piece(&r->fill.inside, &fill->inside,
                                                goes + fill->around.n_notes);
    const size_t n_cells = is_copied ? (size_t)r->grid.n_steps * GRID_VOICES : 0;
    for (int i = 0; i < from->n_notes; i++)
        for (size_t k = 0; goes[i] && k < n_cells; k++)
            if (from->notes[i].id && r->cell_ids[k] == from->notes[i].id) {
                r->grid.cells[k] = (struct grid_cell){GRID_SILENT, false};
                r->cell_ids[k] = 0;
            }
    enum midi_status st = !is_copied                   ? MIDI_NO_MEMORY
                          : from->kind == READING_GRID ? encode_grid(r)
                                                       : encode_music(r);
    if (st)
        reading_fini(r);
    /* The notes that stay keep their order. */
    for (int i = 0, k = 0; !st && r->kind != READING_GRID && k < r->n_notes; i++)
        if (!goes[i])
            r->notes[k++].is_take = from->notes[i].is_take;
    return st;
}
