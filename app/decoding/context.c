/* See context.h. Pure functions of the score and the notes added. */
#include "app/decoding/context.h"

#include "midi/base/array.h"
#include "midi/base/larger.h"
#include "midi/edit/timeline_events.h"
#include "midi/tokens/grid_chord.h"

#include <stdlib.h>
#include <string.h>

enum {
    LOWEST = 21, /* the piano's keys */
    HIGHEST = 108,
    MAX_DISTANCE = 12, /* of pitches beyond those of the music, semitones */
    EMPTY_LOW = 28,    /* where an empty score may begin: a bass's lowest string */
    EMPTY_HIGH = 84,
};

static int clamp(int value, int low, int high)
{
    return value < low ? low : value > high ? high : value;
}

int64_t context_step_after(int64_t tick, int ticks_per_quarter)
{
    int64_t step = step_from_tick(tick, ticks_per_quarter);
    return step + (tick_from_step(step, ticks_per_quarter) < tick);
}

/* Where a continuation begins and ends. A bar that has begun is completed in addition. */
static enum midi_status place_hole(struct context *c, const struct score *s, int bars)
{
    struct piece *p = &c->music;
    const int tpq = s->ticks_per_quarter;
    /* Where the music ends on the grid, and the step in or after which its last note begins; also
     * what is muted. A note that was played a little before a bar line belongs to the bar before,
     * although the grid has it on the line. */
    int64_t end = 0, last_onset = -1;
    for (size_t t = 0; t < s->n_tracks; t++) {
        const struct track *track = &s->tracks[t];
        const struct gate gate = piece_gate(track, tpq);
        for (size_t i = 0; i < track->n_notes; i++) {
            const struct note *n = &track->notes[i];
            end = larger(end, gate_read_end(gate, n, tpq));
            last_onset = larger(last_onset, context_step_before(n->start, tpq));
        }
    }
    for (size_t i = 0; i < p->n_notes; i++) /* short notes grow on the grid */
        end = larger(end, (int64_t)p->notes[i].step + p->notes[i].length);
    if (end > TOKEN_MAX_STEPS)
        return MIDI_TOO_LONG;
    /* Listeners hear a bar as complete if only the end of its second half is silent, up to a beat
     * and what a last note ends early; and if notes ring on after it for up to a beat. */
    int64_t bar = piece_bar_at(p, end), from = end;
    const int64_t line = piece_bar_start(p, bar), next = piece_bar_start(p, bar + 1);
    const int beat = 4 * STEPS_PER_QUARTER / p->meters[p->n_meters - 1].denominator;
    if (end - line <= beat && last_onset < line)
        from = line;
    else if (end > line && next - end <= beat + beat / 4 && end - line > next - end)
        from = next;
    c->hole.from = from;
    /* What rings on there is read as if it ended there, so that other pitches can begin with the
     * bar; its own is blocked while it rings. What the grid has only there is not read. */
    p->n_notes = piece_note_at(p, from);
    for (size_t i = 0; i < p->n_notes; i++)
        p->notes[i].length =
            (int32_t)smaller(p->notes[i].length, from - p->notes[i].step);
    while (p->n_meters > 1 && p->meters[p->n_meters - 1].step > from)
        p->n_meters--;
    bar = piece_bar_at(p, from);
    bar += bars + (from > piece_bar_start(p, bar));
    if (bar > TOKEN_MAX_BARS)
        return MIDI_TOO_LONG;
    c->hole.to = piece_bar_start(p, bar);
    return c->hole.to <= TOKEN_MAX_STEPS ? context_keep_standing(c, s, true)
                                         : MIDI_TOO_LONG;
}

/* An empty score begins on all of its tracks that are not muted. */
static void choose_tracks(struct context *c, const struct score *s, uint64_t wanted)
{
    const bool is_empty = c->music.n_notes == 0;
    int n = 0;
    for (size_t i = 0; is_empty && i < s->n_tracks && n < TOKEN_MAX_TRACKS; i++)
        if (!s->tracks[i].mute)
            context_map_track(c, s, n++, (int)i);
    if (is_empty && !n)
        context_map_track(c, s, 0, 0);
    bool any = false;
    /* the second pass if no wanted track has notes */
    for (int pass = 0; pass < 2 && !any; pass++)
        for (int t = 0; t < TOKEN_MAX_TRACKS; t++) {
            int track = c->track_map[t];
            const bool is_kit = track >= 0 && track == c->kit.first;
            bool is_wanted =
                wanted == 0 || pass == 1 || (is_kit && wanted & c->kit.tracks) ||
                (track >= 0 && track < TOKEN_MAX_TRACKS && (wanted >> track & 1));
            c->hole.tracks[t] = track >= 0 && is_wanted;
            any = any || c->hole.tracks[t];
        }
}

/* After all that has begun, if not before. */
static enum midi_status place_answer(struct context *c, const struct score *s,
                                     const struct continuation_options *o)
{
    struct piece *p = &c->music;
    int tpq = c->ticks_per_quarter;
    int64_t from = context_step_after(o->begin_tick, tpq),
            to = step_from_tick(o->end_tick, tpq);
    if (p->n_notes)
        from = larger(from, p->notes[p->n_notes - 1].step + 1);
    to = larger(to, from + 1);
    if (to > TOKEN_MAX_STEPS || piece_bar_at(p, to) > TOKEN_MAX_BARS)
        return MIDI_TOO_LONG;
    c->hole.from = from;
    c->hole.to = to;
    c->begins_there = true;
    p->n_bars = (int32_t)piece_bar_at(p, from) + 1;
    int64_t first = piece_bar_at(p, step_from_tick(larger(o->hear_tick, 0), tpq));
    c->first_bar = (int32_t)(first < p->n_bars ? first : p->n_bars - 1);
    return context_keep_standing(c, s, false);
}

bool context_begin_later(struct context *c)
{
    if (c->hole.from + 1 >= c->hole.to)
        return false;
    c->hole.from++;
    c->music.n_bars = (int32_t)piece_bar_at(&c->music, c->hole.from) + 1;
    return true;
}

void context_keep_meter(struct context *c)
{
    struct piece *p = &c->music;
    const int64_t end = piece_bar_start(p, p->n_bars);
    while (p->n_meters > 1 && p->meters[p->n_meters - 1].step >= end)
        p->n_meters--;
}

/* The chord symbols of the score before step `end`; the last at a step counts. */
static enum midi_status read_chords(struct context *c, const struct score *s,
                                    int64_t end)
{
    struct timeline_events g;
    struct piece *p = &c->music;
    struct grid_chord *chords = NULL, chord;
    char symbol[CHORD_TEXT];
    enum midi_status st = timeline_events_collect(&g, s, TIMELINE_BIT(TIMELINE_CHORD));
    if (!st && !(chords = calloc(g.n + 1, sizeof *chords)))
        st = MIDI_NO_MEMORY;
    if (!st) {
        free(p->chords);
        p->chords = chords;
    }
    for (size_t i = 0; !st && i < g.n; i++) {
        int64_t step = step_from_tick(g.list[i].tick, c->ticks_per_quarter);
        if (step >= end)
            break;
        timeline_event_copy_text(s, &g.list[i], symbol, sizeof symbol);
        chord.step = (int32_t)step;
        if (!grid_chord_read(symbol, &chord))
            continue;
        if (p->n_chords && p->chords[p->n_chords - 1].step == chord.step)
            p->n_chords--;
        if (!p->n_chords || !grid_chord_equal(&p->chords[p->n_chords - 1], &chord))
            p->chords[p->n_chords++] = chord;
    }
    timeline_events_fini(&g);
    return st;
}

/* Only a hole has chords to come, or controls. */
static enum midi_status place_after(struct context *c, const struct score *s,
                                    const struct continuation_options *o)
{
    struct piece *p = &c->music;
    choose_tracks(c, s, o->tracks);
    int low = HIGHEST, high = LOWEST;
    for (size_t i = 0; i < p->n_notes; i++) {
        const int pitch = p->notes[i].pitch;
        if (piece_is_hit(p, &p->notes[i]))
            continue;
        low = pitch < low ? pitch : low;
        high = pitch > high ? pitch : high;
    }
    const bool is_empty = low > high;
    low = is_empty ? EMPTY_LOW : clamp(low - MAX_DISTANCE, LOWEST, HIGHEST);
    high = is_empty ? EMPTY_HIGH : clamp(high + MAX_DISTANCE, LOWEST, HIGHEST);
    c->hole.pitch_lo = (uint8_t)low;
    c->hole.pitch_hi = (uint8_t)high;
    if (o->end_tick > 0)
        return place_answer(c, s, o);
    enum midi_status st = place_hole(c, s, clamp(o->bars, 1, CONTINUATION_MAX_BARS));
    if (st)
        return st;
    /* A bar that has another meter than the music is begun for the model, which writes no
     * meters: its bar line and meter are part of the context. */
    int64_t last = 0;
    for (size_t i = 0; i < p->n_notes; i++)
        last = larger(last, (int64_t)p->notes[i].step + p->notes[i].length - 1);
    for (size_t i = 1; i < p->n_meters; i++)
        last = p->meters[i].step == c->hole.from ? c->hole.from : last;
    p->n_bars = (int32_t)piece_bar_at(p, last) + 1;
    st = read_chords(c, s, c->hole.to);
    if (st)
        return st;
    /* Of chords that stop with the music the last would read as if it went on. */
    if (p->n_chords && p->chords[p->n_chords - 1].step < c->hole.from)
        p->n_chords = 0;
    const bool returns = o->motif.kind != MOTIF_NONE;
    c->is_band = !returns && !p->n_notes && context_forms_band(c, s);
    c->guesses_chords = c->is_band && !p->n_chords;
    if (p->n_chords || returns || c->is_band)
        context_add_bars_to(c, c->hole.to);
    else if (!continuation_has_controls(o))
        return MIDI_OK;
    c->is_hole = true;
    c->hole.min_notes = o->hole.min_notes;
    c->request = context_request(&c->hole, &o->hole);
    c->request.tracks = hole_tracks(&c->hole);
    return MIDI_OK;
}

/* Of each track's notes, or else of those that it had. */
static enum midi_status read_gates(struct context *c, const struct score *s,
                                   const struct continuation_options *o)
{
    struct note *had = calloc(o->n_replaced + 1, sizeof *had);
    if (!had)
        return MIDI_NO_MEMORY;
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++) {
        const int track = c->track_map[t];
        const bool is_there = track >= 0 && (size_t)track < s->n_tracks;
        c->gates[t] = GATE_NONE;
        if (!is_there || c->music.families[t] == FAMILY_DRUMS)
            continue;
        const struct track *given = &s->tracks[track];
        size_t n = 0;
        c->gates[t] = piece_gate(given, c->ticks_per_quarter);
        for (size_t i = 0; i < o->n_replaced; i++)
            if (o->replaced[i].track == track)
                had[n++] = o->replaced[i].note;
        if (gate_is_none(c->gates[t]))
            c->gates[t] = gate_of(had, n, c->ticks_per_quarter);
    }
    free(had);
    return MIDI_OK;
}

enum midi_status context_init(struct context *c, const struct score *s,
                              const struct continuation_options *o)
{
    *c = (struct context){.ticks_per_quarter = s->ticks_per_quarter,
                          .chords_to_come = INT64_MAX};
    memset(c->track_map, -1, sizeof c->track_map);
    c->kit.first = score_split_kit(s, c->kit.home, &c->kit.tracks);
    c->kit.wanted = o->tracks;
    enum style style = o->style > 0 ? (enum style)o->style : STYLE_ANY;
    /* its bars and meters are needed so far */
    int64_t last = o->end_tick > 0 ? context_step_after(larger(o->begin_tick, 0),
                                                        s->ticks_per_quarter)
                                   : context_hole_end(s, o);
    const struct timeline *t = &s->timeline;
    const int64_t end = score_end_tick(s);
    const struct bar bar = timeline_bar_at(t, end);
    for (size_t i = 1; o->end_tick <= 0 && o->hole.to_tick <= 0 && i < t->n_meters;
         i++) {
        const int64_t tick =
            t->meters[i].tick; /* at the end: new bars have that meter */
        if (tick + timeline_beat_ticks(t, tick - 1) >= end &&
            tick <= bar.start + bar.length)
            last = step_from_tick(tick, s->ticks_per_quarter) + 1;
    }
    enum midi_status st = piece_from_score(&c->music, s, style, c->track_map, last);
    if (st)
        return st;
    c->cap_notes = c->music.n_notes;
    c->hole.scale = o->scale;
    c->is_hole = o->hole.to_tick > 0;
    st = c->is_hole ? context_hole_place(c, s, o) : place_after(c, s, o);
    if (!st && o->hole.to_tick > 0)
        st = read_chords(c, s, piece_bar_start(&c->music, c->music.n_bars));
    c->open_to = c->hole.to;
    if (!st)
        st = timeline_signature(s, tick_from_step(c->hole.from, c->ticks_per_quarter),
                                &c->signature);
    if (!st)
        st = read_gates(c, s, o);
    if (!st)
        st = context_keep_motif(c, s, o);
    if (st)
        context_fini(c);
    else
        context_limit(c, s, o);
    return st;
}

enum midi_status context_copy(struct context *to, const struct context *from)
{
    const struct piece *p = &from->music;
    *to = *from;
    to->cap_notes = p->n_notes;
    to->music.notes = array_copy(p->notes, p->n_notes, sizeof *p->notes);
    to->music.chords = array_copy(p->chords, p->n_chords, sizeof *p->chords);
    to->music.meters = array_copy(p->meters, p->n_meters, sizeof *p->meters);
    to->standing = array_copy(from->standing, from->n_standing, sizeof *from->standing);
    to->motif.notes =
        array_copy(from->motif.notes, from->motif.n, sizeof *from->motif.notes);
    if (to->music.notes && to->music.chords && to->music.meters && to->standing &&
        to->motif.notes)
        return MIDI_OK;
    context_fini(to);
    return MIDI_NO_MEMORY;
}

void context_fini(struct context *c)
{
    piece_fini(&c->music);
    free(c->standing);
    free(c->motif.notes);
    *c = (struct context){0};
}

enum midi_status context_add_note(struct context *c, const struct grid_note *n)
{
    struct piece *p = &c->music;
    if (!ARRAY_GROW(p->notes, p->n_notes, c->cap_notes))
        return MIDI_NO_MEMORY;
    size_t i = p->n_notes++;
    for (; i > 0 && grid_note_compare(&p->notes[i - 1], n) > 0; i--)
        p->notes[i] = p->notes[i - 1];
    p->notes[i] = *n;
    return MIDI_OK;
}

enum midi_status context_set_chord(struct context *c, const struct grid_chord *chord)
{
    struct piece *p = &c->music;
    size_t at = 0;
    while (at < p->n_chords && p->chords[at].step < chord->step)
        at++;
    if (at == p->n_chords || p->chords[at].step != chord->step) {
        struct grid_chord *more =
            array_resize(p->chords, p->n_chords + 1, sizeof *more);
        if (!more)
            return MIDI_NO_MEMORY;
        p->chords = more;
        memmove(more + at + 1, more + at, (p->n_chords++ - at) * sizeof *more);
    }
    p->chords[at] = *chord;
    return MIDI_OK;
}

void context_hide_chords(const struct context *c, struct piece *window, int64_t origin)
{
    size_t n = 0;
    for (size_t i = 0; i < window->n_chords; i++) {
        const int64_t step = origin + window->chords[i].step;
        const bool is_to_come = step >= c->chords_to_come && step < c->hole.to;
        if (!is_to_come &&
            !(n && grid_chord_equal(&window->chords[n - 1], &window->chords[i])))
            window->chords[n++] = window->chords[i];
    }
    window->n_chords = n;
}

void context_add_bars_to(struct context *c, int64_t step)
{
    int32_t bar = (int32_t)piece_bar_at(&c->music, step);
    int32_t n = bar + (piece_bar_start(&c->music, bar) < step);
    c->music.n_bars = n > c->music.n_bars ? n : c->music.n_bars;
}

/* The last n_bars, without their first `skipped` notes. */
static enum midi_status encode_last(const struct context *c, int32_t n_bars,
                                    size_t skipped, struct context_window *w)
{
    struct piece part = {0};
    int32_t first = c->music.n_bars - n_bars;
    int64_t origin = piece_bar_start(&c->music, first);
    *w = (struct context_window){.origin = origin,
                                 .n_bars = n_bars,
                                 .first_note = piece_note_at(&c->music, origin)};
    enum midi_status st = piece_window(&part, &c->music, first, n_bars);
    if (st)
        return st;
    skipped = skipped < part.n_notes ? skipped : part.n_notes;
    part.n_notes -= skipped;
    w->first_note += skipped;
    memmove(part.notes, part.notes + skipped, part.n_notes * sizeof *part.notes);
    context_declare(c, &part);
    context_hide_chords(c, &part, origin);
    st = tokens_encode(&w->tokens, &part, false);
    piece_fini(&part);
    return st;
}

static void add_token(struct tokens *t, int32_t id)
{
    t->id[t->n] = id;
    t->note[t->n++] = -1;
}

enum midi_status context_say_where(const struct context *c, struct context_window *w)
{
    enum { MOST = 2 };
    struct tokens *t = &w->tokens;
    const int64_t from = c->hole.from;
    if (!c->begins_there)
        return MIDI_OK;
    int32_t *id = array_resize(t->id, t->n + MOST, sizeof *id);
    t->id = id ? id : t->id;
    int32_t *note = array_resize(t->note, t->n + MOST, sizeof *note);
    t->note = note ? note : t->note;
    if (!id || !note)
        return MIDI_NO_MEMORY;
    int32_t bar = (int32_t)piece_bar_at(&c->music, from);
    int32_t position = (int32_t)(from - piece_bar_start(&c->music, bar));
    if (position >= TOKEN_RADIX)
        add_token(t, TOKEN_POSX + position / TOKEN_RADIX - 1);
    add_token(t, TOKEN_POS + position % TOKEN_RADIX);
    return MIDI_OK;
}

/* Doubles the number of bars until it is too much, then halves the doubt. */
enum midi_status context_encode(const struct context *c, size_t max_tokens,
                                struct context_window *out)
{
    int32_t all = c->music.n_bars - c->first_bar, fits = 0, too_many = all + 1;
    *out = (struct context_window){0};
    while (too_many - fits > 1) {
        bool is_bounded = too_many <= all;
        int32_t twice = fits == 0 ? 1 : fits > all / 2 ? all : 2 * fits;
        int32_t n = is_bounded ? fits + (too_many - fits) / 2 : twice;
        struct context_window tried;
        enum midi_status st = encode_last(c, n, 0, &tried);
        bool is_better = !st && tried.tokens.n <= max_tokens;
        tokens_fini(is_better ? &out->tokens : &tried.tokens);
        if (st) {
            tokens_fini(&out->tokens);
            return st;
        }
        if (is_better) {
            *out = tried;
            fits = n;
        } else {
            too_many = n;
        }
    }
    if (fits > 0)
        return MIDI_OK;
    /* A bar does not fit alone: twice as many of its first notes are left out until it does. */
    for (size_t skipped = 1;; skipped *= 2) {
        enum midi_status st = encode_last(c, 1, skipped, out);
        if (st || out->tokens.n <= max_tokens || skipped > c->music.n_notes)
            return st;
        tokens_fini(&out->tokens);
    }
}
