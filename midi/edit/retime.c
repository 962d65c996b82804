/* Inserting and removing time.
 *
 * Inserting is one edit. Removing takes edits that empty the span, and one that then closes
 * the gap. The last tempo, meter and key, and the last programs and controllers of the span
 * move to its end, unless they are set again there. So the music after the span does not
 * change. */
#include "midi/base/array.h"
#include "midi/edit/apply.h"
#include "midi/edit/timeline_events.h"
#include "midi/score/chunk.h"
#include "midi/score/notes.h"

#include <stdlib.h>

bool event_sets_up(const struct event *e)
{
    if (e->n_data < 2 || e->data[0] < 0xA0)
        return false; /* an unpaired note */
    if (e->data[0] != 0xFF)
        return true;
    uint8_t type = e->data[1];
    return type != META_TEXT && type != META_LYRIC && type != META_MARKER &&
           type != META_CUE;
}

bool event_is_timeline(const struct event *e)
{
    size_t n;
    return event_meta(e, META_TEMPO, &n) || event_meta(e, META_METER, &n);
}

/* Whether the music and its chunks would still end before TICK_MAX. */
static bool insert_time_fits(const struct score *s, int64_t by)
{
    int64_t last = score_last_tick(s);
    for (size_t i = 0; i < s->n_chunks; i++)
        last = s->chunks[i].end_tick > last ? s->chunks[i].end_tick : last;
    if (s->taps.n && s->taps.list[s->taps.n - 1].tick > last)
        last = s->taps.list[s->taps.n - 1].tick;
    return by > 0 && last <= TICK_MAX - by;
}

enum midi_status change_insert_time(struct change *c, const struct score *s, int64_t at,
                                    int64_t by)
{
    if (at < 0 || !insert_time_fits(s, by))
        return change_fail(c, MIDI_BAD_EDIT);
    return change_put(c, (struct edit){.kind = EDIT_TIME, .time = {at, by}});
}

/* -- emptying a span -- */

struct removal {
    struct change *change;
    const struct score *score;
    int64_t at, to;
    /* The last tempo, meter and key up to `to`, in any chunk. A chunk of -1 means
     * none. */
    struct timeline_event last_signs[TIMELINE_KEY + 1];
};

static void remove_notes(const struct removal *r, int track)
{
    const struct track *t = &r->score->tracks[track];
    for (size_t i = 0; i < t->n_notes && t->notes[i].start < r->to; i++) {
        struct note n = t->notes[i];
        int64_t lasts = r->at - n.start, beyond = n.length - (r->to - n.start);
        if (lasts <= 0) {
            change_remove_note(r->change, track, &t->notes[i]);
        } else if (n.length > lasts) {
            /* The note sounds into the span. It ends there, or continues after it. */
            n.length = lasts + (beyond > 0 ? beyond : 0);
            n.raw_length = 0;
            change_replace_note(r->change, track, &t->notes[i], n);
        }
    }
}

enum { CHANNEL_STATES = 131 }; /* controllers, program, pressure, bend */

/* Returns a number for the state that a channel message sets, or -1 if it sets none
 * that lasts. */
static int channel_state(const struct event *e)
{
    int channel = e->data[0] & 0x0F, kind = e->data[0] & 0xF0;
    bool is_control = kind == 0xB0 && e->n_data == 3 && e->data[1] < CC_CHANNEL_MODE;
    int state = is_control     ? e->data[1]
                : kind == 0xC0 ? 128
                : kind == 0xD0 ? 129
                : kind == 0xE0 ? 130
                               : -1;
    return state < 0 ? -1 : channel * CHANNEL_STATES + state;
}

static enum midi_status find_last_signs(struct removal *r)
{
    struct timeline_events g;
    enum midi_status st = timeline_events_collect(&g, r->score,
                                                  TIMELINE_BIT(TIMELINE_TEMPO) |
                                                      TIMELINE_BIT(TIMELINE_METER) |
                                                      TIMELINE_BIT(TIMELINE_KEY));
    for (int kind = 0; kind <= TIMELINE_KEY; kind++)
        r->last_signs[kind].chunk = -1;
    for (size_t i = 0; !st && i < g.n && g.list[i].tick <= r->to; i++)
        r->last_signs[g.list[i].kind] = g.list[i];
    timeline_events_fini(&g);
    return st;
}

static void empty_chunk(const struct removal *r, int chunk)
{
    const struct chunk *c = &r->score->chunks[chunk];
    const size_t from = ARRAY_FIRST_AT(c->events, c->n_events, r->at),
                 to = ARRAY_FIRST_AT(c->events, c->n_events, r->to);
    size_t end = to, n;
    bool is_set[16 * CHANNEL_STATES] = {false};
    /* keep[i]: event `from` + i moves to the span's end. */
    bool *keep = calloc(to - from + 1, sizeof *keep);
    if (!keep) {
        change_fail(r->change, MIDI_NO_MEMORY);
        return;
    }
    /* The last event of each channel state moves, unless one at the end sets it again. */
    while (end < c->n_events && c->events[end].tick == r->to)
        end++;
    for (size_t i = end; i-- > from;) {
        const int state = c->events[i].n_data ? channel_state(&c->events[i]) : -1;
        if (state >= 0 && i < to)
            keep[i - from] = !is_set[state];
        if (state >= 0)
            is_set[state] = true;
    }
    for (size_t i = from; i < to; i++) {
        const struct event *e = &c->events[i];
        const bool is_sign = event_is_timeline(e) || event_meta(e, META_KEY, &n);
        bool is_last = false;
        for (int kind = 0; kind <= TIMELINE_KEY; kind++)
            is_last |=
                r->last_signs[kind].chunk == chunk && r->last_signs[kind].event == i;
        const bool sets_up = e->tick == 0 && event_sets_up(e) && channel_state(e) < 0;
        keep[i - from] |= is_sign ? is_last : sets_up;
    }
    /* Goes backwards, so that undoing restores the order of events at one tick. */
    for (size_t i = to; i-- > from;) {
        struct event after = c->events[i];
        after.tick = r->to;
        after.order = (uint32_t)(i - from);
        change_event(r->change, chunk, &c->events[i], keep[i - from] ? &after : NULL);
    }
    free(keep);
    if (c->end_tick >= r->at && c->end_tick < r->to)
        change_put(r->change, (struct edit){.kind = EDIT_CHUNK_END,
                                            .track = chunk,
                                            .end = {c->end_tick, r->to}});
}

enum midi_status change_remove_time(struct change *c, const struct score *s, int64_t at,
                                    int64_t by)
{
    if (at < 0 || by <= 0 || at > TICK_MAX - by)
        return change_fail(c, MIDI_BAD_EDIT);
    struct removal r = {.change = c, .score = s, .at = at, .to = at + by};
    change_fail(c, find_last_signs(&r));
    for (int track = 0; track < (int)s->n_tracks; track++)
        remove_notes(&r, track);
    for (int chunk = 0; chunk < (int)s->n_chunks; chunk++)
        if (!s->chunks[chunk].is_unknown)
            empty_chunk(&r, chunk);
    change_remove_taps(c, s, r.at, r.to);
    return change_put(
        c, (struct edit){.kind = EDIT_TIME, .has_before = true, .time = {at, by}});
}

/* -- applying: both notes and events are sorted by time, so those that move are the ends of
 * the lists. At the tick itself some events stay, and others pass them; an insertion sort
 * puts the events in order again, and is exact in both directions -- */

const struct edit *change_time(const struct change *c)
{
    for (size_t i = 0; i < c->n_edits; i++)
        if (c->edits[i].kind == EDIT_TIME)
            return &c->edits[i];
    return NULL;
}

/* Whether the event stays where time is inserted. At the start everything stays that
 * sets up the music; elsewhere the meter and the tempo stay, so that the new bars are
 * whole. */
static bool stays(const struct event *e, int64_t at)
{
    if (e->tick != at)
        return false;
    return at == 0 ? event_sets_up(e) : event_is_timeline(e);
}

/* `at` is the tick where time is inserted, or -1 if time is removed. */
static void shift_events(struct chunk *c, int64_t from, int64_t by, int64_t at)
{
    for (size_t i = c->n_events; i > 0 && c->events[i - 1].tick >= from; i--)
        if (!stays(&c->events[i - 1], at))
            c->events[i - 1].tick += by;
    if (c->end_tick >= from)
        c->end_tick += by;
    /* The events are nearly sorted, so insertion sort is quick. */
    for (size_t i = 1; i < c->n_events; i++) {
        struct event e = c->events[i];
        size_t k = i;
        for (; k > 0 && event_compare(&c->events[k - 1], &e) > 0; k--)
            c->events[k] = c->events[k - 1];
        c->events[k] = e;
    }
}

/* Moves the notes, events and taps from tick `from` on by `by` ticks. If time is
 * removed, `by` is negative, and the time to remove is empty. at: the tick where time
 * is inserted and some events stay, or -1. */
static enum midi_status shift_all(struct score *s, int64_t from, int64_t by, int64_t at)
{
    for (size_t i = 0; i < s->n_tracks; i++) {
        struct track *t = &s->tracks[i];
        if (!t->n_notes || t->notes[t->n_notes - 1].start < from)
            continue;
        struct note *notes = notes_own(t, 0);
        if (!notes)
            return MIDI_NO_MEMORY;
        for (size_t k = t->n_notes; k > 0 && notes[k - 1].start >= from; k--)
            notes[k - 1].start += by;
    }
    for (size_t i = 0; i < s->n_chunks; i++)
        if (!s->chunks[i].is_unknown)
            shift_events(&s->chunks[i], from, by, at);
    taps_shift(&s->taps, from, by);
    return MIDI_OK;
}

/* Whether nothing begins or ends in the span. */
static bool is_empty(const struct score *s, int64_t at, int64_t to)
{
    bool empty = true;
    for (size_t i = 0; empty && i < s->n_chunks; i++) {
        const struct chunk *c = &s->chunks[i];
        empty = ARRAY_FIRST_AT(c->events, c->n_events, at) ==
                    ARRAY_FIRST_AT(c->events, c->n_events, to) &&
                (c->is_unknown || c->end_tick < at || c->end_tick >= to);
    }
    for (int i = 0; empty && i < (int)s->n_tracks; i++)
        empty = score_first_note_at(s, i, at) == score_first_note_at(s, i, to);
    return empty;
}

/* Moves the ends of chunks as the change says. Returns false if the score is not what
 * the change expects. */
static bool move_ends(const struct change *c, struct score *s, bool is_forwards)
{
    for (size_t i = 0; i < c->n_edits; i++) {
        const struct edit *e = &c->edits[i];
        if (e->kind != EDIT_CHUNK_END)
            continue;
        const int64_t was = is_forwards ? e->end.before : e->end.after;
        if (e->track < 0 || (size_t)e->track >= s->n_chunks ||
            s->chunks[e->track].end_tick != was)
            return false;
        s->chunks[e->track].end_tick = is_forwards ? e->end.after : e->end.before;
    }
    return true;
}

enum midi_status retime(const struct change *c, struct score *s, bool takes_out,
                        bool is_forwards)
{
    const struct edit *time = change_time(c);
    if (!time || time->has_before != takes_out)
        return MIDI_OK;
    const int64_t at = time->time.at, by = time->time.by;
    if (takes_out && is_forwards &&
        (at > TICK_MAX - by || !move_ends(c, s, true) || !is_empty(s, at, at + by)))
        return MIDI_BAD_EDIT;
    if (is_forwards == takes_out)
        return shift_all(s, at + by, -by, -1);
    if (!insert_time_fits(s, by))
        return MIDI_BAD_EDIT;
    const enum midi_status st = shift_all(s, at, by, takes_out ? -1 : at);
    return !st && takes_out && !move_ends(c, s, false) ? MIDI_BAD_EDIT : st;
}
