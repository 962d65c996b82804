/* A hole in the music: its place on the grid, and the bars around it in the model's context.
 * See context.h. */
#include "app/decoding/context.h"

#include "midi/base/larger.h"
#include "midi/tokens/token_time.h"

#include <stdlib.h>

enum { MOST_THIN = 1 << 12 };

int64_t context_step_before(int64_t tick, int ticks_per_quarter)
{
    int64_t step = step_from_tick(tick, ticks_per_quarter);
    return step - (tick_from_step(step, ticks_per_quarter) > tick);
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

void context_map_track(struct context *c, const struct score *s, int t, int track)
{
    bool is_there = track >= 0 && (size_t)track < s->n_tracks;
    track = read_as(c, track);
    c->track_map[t] = track;
    c->music.families[t] = is_there ? piece_family(&s->tracks[track]) : 0;
}

void context_declare(const struct context *c, struct piece *part)
{
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        if (c->hole.tracks[t])
            part->families[t] = c->music.families[t];
}

/* Numbers the token tracks as the tracks stand in the score, as models learn them: a second
 * violin behind the cello would be another cello. */
static void order_tracks(struct context *c)
{
    const struct context was = *c;
    uint8_t number[TOKEN_MAX_TRACKS] = {0};
    c->request.tracks = 0;
    for (int t = 0; t < TOKEN_MAX_TRACKS && was.track_map[t] >= 0; t++) {
        for (int other = 0; other < TOKEN_MAX_TRACKS; other++)
            number[t] +=
                was.track_map[other] >= 0 && was.track_map[other] < was.track_map[t];
        c->track_map[number[t]] = was.track_map[t];
        c->music.families[number[t]] = was.music.families[t];
        c->hole.tracks[number[t]] = was.hole.tracks[t];
        c->request.tracks |= (uint64_t)was.hole.tracks[t] << number[t];
    }
    for (size_t i = 0; i < c->music.n_notes; i++)
        c->music.notes[i].track = number[c->music.notes[i].track];
    piece_sort(&c->music);
}

enum midi_status context_keep_standing(struct context *c, const struct score *s,
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
            int64_t from = context_step_before(n->start, tpq);
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

int64_t context_hole_end(const struct score *s, const struct continuation_options *o)
{
    return o->hole.to_tick > 0
               ? context_step_before(o->hole.to_tick, s->ticks_per_quarter)
               : 0;
}

struct fill_request context_request(const struct hole *hole,
                                    const struct continuation_hole *asked)
{
    return (struct fill_request){.pitch_lo = hole->pitch_lo,
                                 .pitch_hi = hole->pitch_hi,
                                 .density = asked->density,
                                 .polyphony = asked->polyphony,
                                 .length = asked->length,
                                 .height = asked->height,
                                 .close = asked->close};
}

enum midi_status context_hole_place(struct context *c, const struct score *s,
                                    const struct continuation_options *o)
{
    const struct continuation_hole *h = &o->hole;
    c->hole.from = context_step_after(h->from_tick, c->ticks_per_quarter);
    c->hole.to = context_hole_end(s, o);
    c->hole.pitch_lo = h->pitch_lo;
    c->hole.pitch_hi = h->pitch_hi;
    c->hole.min_notes = h->min_notes;
    c->request = context_request(&c->hole, h);
    c->is_band = o->is_band && o->motif.kind == MOTIF_NONE;
    for (int track = 0; track < (int)s->n_tracks && track < TOKEN_MAX_TRACKS; track++) {
        const bool is_heard = s->tracks[track].n_notes > 0 && !s->tracks[track].mute;
        int t = context_token_track(c, track);
        if (!(o->tracks ? o->tracks >> track & 1 : is_heard))
            continue;
        if (t < 0) /* without notes, it gets a new token track, if one is left */
            t = context_token_track(c, -1);
        if (t < 0)
            return MIDI_TOO_LONG;
        context_map_track(c, s, t, track);
        c->hole.tracks[t] = true;
    }
    order_tracks(c);
    bool is_empty = c->hole.from >= c->hole.to || h->pitch_lo > h->pitch_hi ||
                    h->pitch_hi > 127 || !c->request.tracks;
    return is_empty ? MIDI_EMPTY : context_keep_standing(c, s, false);
}

/* [first, end): the bars of the hole and `beside` bars before it, as far as they exist. */
struct bars {
    int32_t first, end;
};

/* None after a part that is not the last: what is still to be written would look silent. */
static struct bars bars_around(const struct context *c, int64_t from, int64_t to,
                               int32_t beside)
{
    const int64_t own_end = piece_bar_at(&c->music, to - 1) + 1;
    const int32_t all = c->music.n_bars,
                  n = to < c->open_to && own_end < all ? (int32_t)own_end : all;
    int64_t own = piece_bar_at(&c->music, from), first = own - beside;
    int32_t left = first < 0 ? (int32_t)own : beside;
    int64_t end = own_end + context_bars_after(beside, left);
    first = first < n ? first : n - 1; /* it begins where they end: the last one */
    return (struct bars){(int32_t)(first < 0 ? 0 : first),
                         (int32_t)(end < n ? end : n)};
}

/* MIDI_TOO_LONG: more bars or steps than a request can speak of. thin: 1, or how many
 * times too full the bars are. */
static enum midi_status encode_bars(const struct context *c, int64_t from, int64_t to,
                                    struct bars b, size_t thin,
                                    struct context_window *w)
{
    struct fill f = {.request = c->request};
    int64_t origin = piece_bar_start(&c->music, b.first);
    *w = (struct context_window){.origin = origin,
                                 .n_bars = b.end - b.first,
                                 .first_note = piece_note_at(&c->music, origin)};
    if (to - origin > FILL_MAX_STEP || w->n_bars > BAR_TABLE_SIZE)
        return MIDI_TOO_LONG;
    f.request.from = (int32_t)(from - origin);
    f.request.to = (int32_t)(to - origin);
    f.request.close = c->request.close && to == c->hole.to;
    enum midi_status st = piece_window(&f.around, &c->music, b.first, w->n_bars);
    if (!st &&
        thin >
            1) { /* keeps what is near the hole, and every so-manieth note in its time */
        const int64_t far = STEPS_PER_QUARTER * 4 / (int64_t)thin;
        struct grid_note *notes = f.around.notes;
        size_t n = 0, n_beside = 0;
        for (size_t i = 0; i < f.around.n_notes; i++) {
            const int64_t after = notes[i].step - f.request.to,
                          before = f.request.from -
                                   (notes[i].step + (int64_t)notes[i].length),
                          away = larger(larger(after, before), 0);
            if (away <= far && (away > 0 || n_beside++ % thin == 0))
                notes[n++] = notes[i];
        }
        f.around.n_notes = n;
    }
    if (!st) {
        context_declare(c, &f.around);
        context_hide_chords(c, &f.around, origin);
        st = fill_encode(&w->tokens, &f, false);
    }
    fill_fini(&f);
    return st;
}

/* Doubles the bars around the hole until they do not fit, then bisects. */
enum midi_status context_encode_hole(const struct context *c, int64_t from, int64_t to,
                                     size_t max_tokens, struct context_window *out)
{
    const int32_t all = c->music.n_bars;
    int32_t fits = -1, too_many = all + 1;
    *out = (struct context_window){0};
    while (too_many - fits > 1) {
        int32_t twice = fits < all / 2 ? 2 * fits + 2 : all;
        int32_t beside = too_many <= all ? fits + (too_many - fits) / 2 : twice;
        struct context_window tried;
        enum midi_status st =
            encode_bars(c, from, to, bars_around(c, from, to, beside), 1, &tried);
        if (st && st != MIDI_TOO_LONG) {
            tokens_fini(&out->tokens);
            return st;
        }
        const bool is_better = !st && tried.tokens.n <= max_tokens;
        tokens_fini(is_better ? &out->tokens : &tried.tokens);
        if (is_better) {
            *out = tried;
            fits = beside;
        } else {
            too_many = beside;
        }
    }
    if (fits >= 0)
        return MIDI_OK;
    /* The hole's own bars have too many notes: only some of them are read. */
    const struct bars own = bars_around(c, from, to, 0);
    for (size_t thin = 2; thin <= MOST_THIN; thin *= 2) {
        enum midi_status st = encode_bars(c, from, to, own, thin, out);
        if (st || out->tokens.n <= max_tokens)
            return st;
        tokens_fini(&out->tokens);
    }
    return MIDI_TOO_LONG;
}
