/* See context.h. From a score to music on the grid with its hole: the end of the music, to be
 * continued, or a rectangle in it; and from that music to windows of tokens: the last bars, or
 * those around a part of the hole. Pure functions of the score and the notes added. */
#include "app/decoding/context.h"

#include "midi/base/array.h"
#include "midi/base/larger.h"
#include "midi/edit/timeline_events.h"
#include "midi/tokens/grid_chord.h"
#include "midi/tokens/token_time.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

enum {
    LOWEST = 21, /* the piano's keys */
    HIGHEST = 108,
    MAX_DISTANCE = 12, /* of pitches beyond those of the music, semitones */
    EMPTY_LOW = 28,    /* where an empty score may begin: a bass's lowest string */
    EMPTY_HIGH = 84,
};

/* The last step not after a tick. */
static int64_t step_before(int64_t tick, int ticks_per_quarter)
{
    int64_t step = step_from_tick(tick, ticks_per_quarter);
    return step - (tick_from_step(step, ticks_per_quarter) > tick);
}

int64_t context_step_after(int64_t tick, int ticks_per_quarter)
{
    int64_t step = step_from_tick(tick, ticks_per_quarter);
    return step + (tick_from_step(step, ticks_per_quarter) < tick);
}

/* A track of a split kit is read as its first. */
static int read_as(const struct context *c, int track)
{
    const bool is_of_kit =
        c->kit.first >= 0 && track >= 0 && track < 64 && c->kit.tracks >> track & 1;
    return is_of_kit ? c->kit.first : track;
}

int context_token_track(const struct context *c, int track)
{
    track = read_as(c, track);
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        if (c->track_map[t] == track)
            return t;
    return -1;
}

int context_score_track(const struct context *c, int token_track, int pitch)
{
    const int track = c->track_map[token_track];
    if (track < 0 || track != c->kit.first)
        return track;
    const int home = c->kit.home[pitch & 127];
    const int own = home < 0 ? track : home;
    return !c->kit.wanted || c->kit.wanted >> own & 1 ? own : -1;
}

struct grid_note context_grid_note(const struct context *c, const struct note *n,
                                   int token_track)
{
    const int tpq = c->ticks_per_quarter;
    const int64_t from = step_from_tick(n->start, tpq),
                  to = gate_read_end(
                      token_track < 0 ? GATE_NONE : c->gates[token_track], n, tpq);
    return (struct grid_note){.step = (int32_t)from,
                              .length = to > from ? (int32_t)(to - from) : 1,
                              .track = (uint8_t)token_track,
                              .pitch = n->pitch,
                              .velocity = (uint8_t)velocity_level(n->velocity)};
}

/* Records the steps that each note of the score touches, once the hole is placed: the grid has a
 * note at the nearest step, only the onset of a drum hit, and nothing that is muted, so the grid
 * alone does not show them all. is_cut: the music's notes end where the hole begins, also those that
 * ring on. */
static enum midi_status keep_standing(struct context *c, const struct score *s,
                                      bool is_cut)
{
    const int tpq = c->ticks_per_quarter;
    c->standing = calloc(score_n_notes(s) + 1, sizeof *c->standing);
    if (!c->standing)
        return MIDI_NO_MEMORY;
    for (int track = 0; track < (int)s->n_tracks; track++) {
        const int t = context_token_track(c, track);
        bool is_hit = t >= 0 && c->music.families[t] == FAMILY_DRUMS;
        for (size_t i = 0; t >= 0 && i < s->tracks[track].n_notes; i++) {
            const struct note *n = &s->tracks[track].notes[i];
            int64_t from = step_before(n->start, tpq);
            int64_t to = context_step_after(n->start + n->length, tpq);
            bool is_on_grid = tick_from_step(from, tpq) == n->start &&
                              tick_from_step(to, tpq) == n->start + n->length;
            bool is_in_music =
                !is_cut && is_on_grid && !is_hit && !s->tracks[track].mute;
            if (!is_in_music && from < c->hole.to && to > c->hole.from)
                c->standing[c->n_standing++] =
                    (struct standing){from, to, (uint8_t)t, n->pitch};
        }
    }
    return MIDI_OK;
}

/* Places a continuation: where it begins and ends. A bar that has begun is completed in addition. */
static enum midi_status place_hole(struct context *c, const struct score *s, int bars)
{
    struct piece *p = &c->music;
    const int tpq = s->ticks_per_quarter;
    /* The end of the music on the grid, and the step in or after which its last note begins; muted
     * notes count. A note that was played a little before a bar line belongs to the bar before,
     * although the grid has it on the line. */
    int64_t end = 0, last_onset = -1;
    for (size_t t = 0; t < s->n_tracks; t++) {
        const struct track *track = &s->tracks[t];
        const struct gate gate = piece_gate(track, tpq);
        for (size_t i = 0; i < track->n_notes; i++) {
            const struct note *n = &track->notes[i];
            end = larger(end, gate_read_end(gate, n, tpq));
            last_onset = larger(last_onset, step_before(n->start, tpq));
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
    /* Notes that ring on there are read as if they ended there, so that other pitches can begin with
     * the bar; their own pitches are blocked while they ring. Notes that the grid has only there are
     * not read. */
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
    return c->hole.to <= TOKEN_MAX_STEPS ? keep_standing(c, s, true) : MIDI_TOO_LONG;
}

enum midi_status context_read_chords(struct piece *p, const struct score *s,
                                     int64_t end)
{
    struct timeline_events g;
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
        int64_t step = step_from_tick(g.list[i].tick, s->ticks_per_quarter);
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

/* Chooses the token tracks of these tracks of the score. false: there are none. */
static bool choose_tracks(struct context *c, uint64_t wanted)
{
    bool any = false;
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++) {
        const int track = c->track_map[t];
        const bool is_named = track >= 0 && track < 64,
                   is_kit = is_named && track == c->kit.first;
        c->hole.tracks[t] =
            is_kit ? wanted & c->kit.tracks : is_named && wanted >> track & 1;
        any = any || c->hole.tracks[t];
    }
    return any;
}

/* Places what follows the music. It is a hole if it has chords to come, or controls. */
static enum midi_status place_after(struct context *c, const struct score *s,
                                    const struct continuation_options *o)
{
    struct piece *p = &c->music;
    int n = 0, low = HIGHEST, high = LOWEST;
    /* An empty score begins on all of its tracks that are not muted; one without tracks on a piano. */
    for (size_t i = 0; !p->n_notes && i < s->n_tracks && n < TOKEN_MAX_TRACKS; i++)
        if (!s->tracks[i].mute) {
            c->track_map[n] = (int)i;
            p->families[n++] = piece_family(&s->tracks[i]);
        }
    if (!p->n_notes && !n) {
        c->track_map[0] = 0;
        p->families[0] = s->n_tracks ? piece_family(&s->tracks[0]) : 0;
    }
    const bool has_wanted = o->tracks && choose_tracks(c, o->tracks);
    for (int t = 0; !has_wanted && t < TOKEN_MAX_TRACKS; t++)
        c->hole.tracks[t] = c->track_map[t] >= 0;
    for (size_t i = 0; i < p->n_notes; i++) {
        const int pitch = p->notes[i].pitch;
        if (piece_is_hit(p, &p->notes[i]))
            continue;
        low = pitch < low ? pitch : low;
        high = pitch > high ? pitch : high;
    }
    const bool is_empty = low > high;
    low = is_empty ? EMPTY_LOW : CLAMP(low - MAX_DISTANCE, LOWEST, HIGHEST);
    high = is_empty ? EMPTY_HIGH : CLAMP(high + MAX_DISTANCE, LOWEST, HIGHEST);
    c->hole.pitch_lo = (uint8_t)low;
    c->hole.pitch_hi = (uint8_t)high;
    if (o->end_tick > 0) {
        /* An answer begins at the tick that is asked for, but after the last note that has begun. */
        const int tpq = c->ticks_per_quarter;
        int64_t from = context_step_after(o->begin_tick, tpq);
        if (p->n_notes)
            from = larger(from, p->notes[p->n_notes - 1].step + 1);
        const int64_t to = larger(step_from_tick(o->end_tick, tpq), from + 1);
        if (to > TOKEN_MAX_STEPS || piece_bar_at(p, to) > TOKEN_MAX_BARS)
            return MIDI_TOO_LONG;
        c->hole.from = from;
        c->hole.to = to;
        c->begins_there = true;
        p->n_bars = (int32_t)piece_bar_at(p, from) + 1;
        c->first_bar = (int32_t)smaller(
            piece_bar_at(p, step_from_tick(larger(o->hear_tick, 0), tpq)),
            p->n_bars - 1);
        return keep_standing(c, s, false);
    }
    enum midi_status st = place_hole(c, s, CLAMP(o->bars, 1, CONTINUATION_MAX_BARS));
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
    st = context_read_chords(p, s, c->hole.to);
    if (st)
        return st;
    /* Chords that stop with the music are not read: the last would seem to go on. */
    if (p->n_chords && p->chords[p->n_chords - 1].step < c->hole.from)
        p->n_chords = 0;
    const bool returns = o->motif.kind != MOTIF_NONE;
    c->is_band = !returns && !p->n_notes && context_forms_band(c, s);
    c->guesses_chords = c->is_band && !p->n_chords;
    if (p->n_chords || returns || c->is_band)
        context_add_bars_to(c, c->hole.to);
    c->is_hole = p->n_chords || returns || c->is_band || continuation_has_controls(o);
    return MIDI_OK;
}

/* The step where the hole ends; 0: there is none. */
static int64_t hole_end(const struct score *s, const struct continuation_options *o)
{
    return o->hole.to_tick > 0 ? step_before(o->hole.to_tick, s->ticks_per_quarter) : 0;
}

/* Finds the gate of each track's notes, or else of the notes that are replaced on it. */
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
                                   : hole_end(s, o);
    const struct timeline *t = &s->timeline;
    const int64_t end = score_end_tick(s);
    const struct bar bar = timeline_bar_at(t, end);
    for (size_t i = 1; o->end_tick <= 0 && o->hole.to_tick <= 0 && i < t->n_meters;
         i++) {
        const int64_t tick = t->meters[i].tick;
        /* At the end: new bars have that meter. */
        if (tick + timeline_beat_ticks(t, tick - 1) >= end &&
            tick <= bar.start + bar.length)
            last = step_from_tick(tick, s->ticks_per_quarter) + 1;
    }
    /* The tracks of a hole are numbered with the others as they stand in the score, as models learn them,
     * also without notes: a second violin behind the cello would be another cello. */
    c->is_hole = o->hole.to_tick > 0;
    uint64_t wanted = c->is_hole ? o->tracks : 0;
    for (size_t i = 0; c->is_hole && !o->tracks && i < s->n_tracks && i < 64; i++)
        if (s->tracks[i].n_notes > 0 && !s->tracks[i].mute)
            wanted |= UINT64_C(1) << i;
    enum midi_status st =
        piece_from_tracks(&c->music, s, style, c->track_map, last, wanted);
    if (st)
        return st;
    for (int i = 0; i < TOKEN_MAX_TRACKS; i++)
        c->track_map[i] = read_as(c, c->track_map[i]);
    c->cap_notes = c->music.n_notes;
    if (c->is_hole) {
        /* The hole that is asked for is rounded inwards. */
        const struct continuation_hole *h = &o->hole;
        c->hole.from = context_step_after(h->from_tick, c->ticks_per_quarter);
        c->hole.to = hole_end(s, o);
        c->hole.pitch_lo = h->pitch_lo;
        c->hole.pitch_hi = h->pitch_hi;
        c->is_band = o->is_band && o->motif.kind == MOTIF_NONE;
        const bool has_tracks = choose_tracks(c, wanted);
        if (c->hole.from >= c->hole.to || h->pitch_lo > h->pitch_hi ||
            h->pitch_hi > 127 || !has_tracks)
            st = MIDI_EMPTY;
        if (!st)
            st = keep_standing(c, s, false);
        if (!st)
            st = context_read_chords(&c->music, s,
                                     piece_bar_start(&c->music, c->music.n_bars));
    } else {
        st = place_after(c, s, o);
    }
    c->hole.scale = o->scale;
    c->open_to = c->hole.to;
    if (c->is_hole) {
        c->hole.min_notes = o->hole.min_notes;
        c->request = (struct fill_request){.tracks = hole_tracks(&c->hole),
                                           .pitch_lo = c->hole.pitch_lo,
                                           .pitch_hi = c->hole.pitch_hi,
                                           .density = o->hole.density,
                                           .polyphony = o->hole.polyphony,
                                           .length = o->hole.length,
                                           .height = o->hole.height,
                                           .close = o->hole.close};
    }
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
    hole_plan_fini(&c->motif.plan);
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
    if (at > 0 && grid_chord_equal(&p->chords[at - 1], chord))
        memmove(p->chords + at, p->chords + at + 1,
                (--p->n_chords - at) * sizeof *p->chords);
    return MIDI_OK;
}

void context_add_bars_to(struct context *c, int64_t step)
{
    int32_t bar = (int32_t)piece_bar_at(&c->music, step);
    int32_t n = bar + (piece_bar_start(&c->music, bar) < step);
    c->music.n_bars = n > c->music.n_bars ? n : c->music.n_bars;
}

/* -- windows -- */

/* Encodes the bars of a part of the hole, with up to `beside` bars before it and some after it, or a
 * continuation's last bar with `beside` bars before it.
 * From 2 on `less` leaves notes out, the more the larger it is; a continuation keeps its last ones.
 * MIDI_TOO_LONG: more bars or steps than a request can speak of. */
static enum midi_status encode_bars(const struct context *c, int64_t from, int64_t to,
                                    int32_t beside, size_t less,
                                    struct context_window *w)
{
    struct fill f = {.request = c->request};
    struct piece *p = &f.around;
    int32_t end = c->music.n_bars, first = end - 1 - beside;
    if (c->is_hole) {
        /* A part that is not the last has no bars after it, since what is still to be written would look
         * silent. Both numbers of bars were measured: the nearest help most. */
        enum { BARS_AFTER = 2 };
        const int64_t own = piece_bar_at(&c->music, from),
                      own_end = piece_bar_at(&c->music, to - 1) + 1,
                      n_lacking = larger(beside - own, 0), /* that are not before it */
            after = smaller(beside, BARS_AFTER + n_lacking);
        if (to < c->open_to)
            end = (int32_t)smaller(own_end, end);
        /* A part that begins where the bars end has the last one. */
        first = (int32_t)larger(smaller(own - beside, end - 1), 0);
        end = (int32_t)smaller(own_end + after, end);
    }
    const int64_t origin = piece_bar_start(&c->music, first);
    *w = (struct context_window){.origin = origin,
                                 .n_bars = end - first,
                                 .first_note = piece_note_at(&c->music, origin)};
    if (c->is_hole && (to - origin > FILL_MAX_STEP || w->n_bars > BAR_TABLE_SIZE))
        return MIDI_TOO_LONG;
    f.request.from = (int32_t)(from - origin);
    f.request.to = (int32_t)(to - origin);
    f.request.close = c->request.close && to == c->hole.to;
    enum midi_status st = piece_window(p, &c->music, first, w->n_bars);
    if (!st && c->is_hole && less > 1) {
        /* The notes stay that are at most four quarters, divided by `less`, away from the hole, and of
         * those in its time one in `less`. */
        const int64_t thin = (int64_t)less, far = STEPS_PER_QUARTER * 4 / thin;
        int64_t n_beside = 0;
        size_t n = 0;
        for (size_t i = 0; i < p->n_notes; i++) {
            const struct grid_note *note = &p->notes[i];
            const int64_t after = note->step - f.request.to,
                          before =
                              f.request.from - (note->step + (int64_t)note->length),
                          away = larger(larger(after, before), 0);
            if (away <= far && (away > 0 || n_beside++ % thin == 0))
                p->notes[n++] = *note;
        }
        p->n_notes = n;
    } else if (!st && less > 1) {
        const size_t skipped = less / 2 < p->n_notes ? less / 2 : p->n_notes;
        p->n_notes -= skipped;
        w->first_note += skipped;
        memmove(p->notes, p->notes + skipped, p->n_notes * sizeof *p->notes);
    }
    /* A window declares the tracks of the hole, with or without notes. */
    for (int t = 0; !st && t < TOKEN_MAX_TRACKS; t++)
        if (c->hole.tracks[t])
            p->families[t] = c->music.families[t];
    /* Chords that are still to come are not in it. */
    size_t n_chords = 0;
    for (size_t i = 0; !st && i < p->n_chords; i++) {
        const int64_t step = origin + p->chords[i].step;
        const bool is_to_come = step >= c->chords_to_come && step < c->hole.to;
        if (!is_to_come &&
            !(n_chords && grid_chord_equal(&p->chords[n_chords - 1], &p->chords[i])))
            p->chords[n_chords++] = p->chords[i];
    }
    p->n_chords = n_chords;
    if (!st)
        st = c->is_hole ? fill_encode(&w->tokens, &f, false)
                        : tokens_encode(&w->tokens, p, false);
    fill_fini(&f);
    return st;
}

/* Doubles the bars that are read beside the least ones until they do not fit, then bisects. */
enum midi_status context_encode(const struct context *c, int64_t from, int64_t to,
                                int64_t before, size_t max_tokens,
                                struct context_window *out)
{
    enum { LEAST = 1 << 20 }; /* of `less`: hardly a note is left */
    const struct piece *music = &c->music;
    const int32_t all = music->n_bars - (c->is_hole ? 0 : c->first_bar + 1);
    int32_t fits = -1, too_many = all + 1;
    size_t most = max_tokens; /* with bars beside the least ones */
    enum midi_status st = MIDI_OK;
    *out = (struct context_window){0};
    if (before > 0 && before <= from) {
        const int64_t beside = piece_bar_at(music, from) - piece_bar_at(music, before);
        st = encode_bars(c, from, to, (int32_t)beside, 1, out);
        const bool holds_enough = !st && out->tokens.n >= max_tokens / 2;
        if ((st && st != MIDI_TOO_LONG) ||
            (holds_enough && out->tokens.n <= max_tokens))
            return st;
        tokens_fini(&out->tokens);
        most -= max_tokens / 4; /* later parts have room to begin there, too */
    }
    while (too_many - fits > 1) {
        const int32_t twice = fits < all / 2 ? 2 * fits + 2 : all,
                      beside = too_many <= all ? fits + (too_many - fits) / 2 : twice;
        struct context_window tried;
        st = encode_bars(c, from, to, beside, 1, &tried);
        if (st && st != MIDI_TOO_LONG) {
            tokens_fini(&out->tokens);
            return st;
        }
        const bool is_better = !st && tried.tokens.n <= (beside ? most : max_tokens);
        tokens_fini(is_better ? &out->tokens : &tried.tokens);
        if (is_better)
            *out = tried;
        fits = is_better ? beside : fits;
        too_many = is_better ? too_many : beside;
    }
    if (fits >= 0)
        return MIDI_OK;
    /* Even the least bars have too many notes: only some of them are read. */
    for (size_t less = 2; less <= LEAST; less *= 2) {
        st = encode_bars(c, from, to, 0, less, out);
        if (st || out->tokens.n <= max_tokens)
            return st;
        tokens_fini(&out->tokens);
    }
    return MIDI_TOO_LONG;
}
