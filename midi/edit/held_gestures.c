/* Gestures that go with their notes (held.h): each span in which no note stays is
 * cleared or moved on its own. */
#include "midi/edit/held_parts.h"

#include "midi/base/larger.h"

#include <stdlib.h>

/* One control in one span in which no note stays. */
struct free_span {
    struct change *change;
    const struct channel_events *events;
    struct control control;
    int64_t from, to;
    bool is_last; /* no note of the channel begins at `to` or later */
};

/* Removes the events of the control in the span. If they are not to move (`by` is 0),
 * two kinds stay: those at tick 0, which set up the piece, and one at `from` that sets
 * `value`; *is_kept tells whether there was one. */
static enum midi_status take_out(const struct free_span *f, int value, int64_t by,
                                 bool *is_kept)
{
    const struct channel_events *e = f->events;
    enum midi_status st = MIDI_OK;
    *is_kept = false;
    for (size_t i = e->n; !st && i-- > 0;) {
        const struct held_event *h = &e->list[i];
        if (h->tick < f->from || h->tick >= f->to || !held_sets(h, f->control) ||
            (!by && !h->tick))
            continue;
        if (!by && !*is_kept && h->tick == f->from &&
            control_value(h->event, e->channel & 15, f->control) == value)
            *is_kept = true;
        else
            st = change_event(f->change, h->chunk, h->event, NULL);
    }
    return st;
}

/* Restores the value that was in force at `to`, if the span now ends with another
 * one. */
static enum midi_status put_back(const struct free_span *f, int now)
{
    const struct channel_events *e = f->events;
    const struct held_event *by;
    const int old = held_value_at(e, f->control, f->to, true, &by);
    if (old == now || f->is_last || held_is_set_at(e, f->control, f->to))
        return MIDI_OK;
    return held_put(f->change, e, held_chunk_for(e, f->control, by), f->control, f->to,
                    old, FIRST);
}

static enum midi_status clear_span(const struct free_span *f)
{
    const struct channel_events *e = f->events;
    struct usual u = {0};
    const struct edit_time near = held_window(e->score, f->from, true, true);
    if (!held_find_usual(&u, e, f->control, near, THE_LONGEST))
        return MIDI_NO_MEMORY;
    const struct held_event *by;
    const int before = held_value_at(e, f->control, f->from, f->from > 0, &by);
    const int now = held_is_usual(&u, before) ? before : (int)u.value;
    bool is_kept;
    enum midi_status st = take_out(f, now, 0, &is_kept);
    if (!st && now != before && !is_kept)
        st = held_put(f->change, e, held_chunk_for(e, f->control, by), f->control,
                      f->from, now, LAST);
    return st ? st : put_back(f, now);
}

/* Adds the events again, `by` ticks later. An event that lands after the span is
 * followed at once by the value that was in force there. */
static enum midi_status move_span(const struct free_span *f, int64_t by)
{
    const struct channel_events *e = f->events;
    bool is_kept;
    const struct held_event *ruling;
    int now = held_value_at(e, f->control, f->from, true, &ruling);
    enum midi_status st = take_out(f, 0, by, &is_kept);
    for (size_t i = 0; !st && i < e->n; i++) {
        const struct held_event *h = &e->list[i];
        const int value = control_value(h->event, e->channel & 15, f->control);
        const int64_t tick = larger(h->tick + by, 0);
        if (h->tick < f->from || h->tick >= f->to || value < 0)
            continue;
        const bool comes_before =
            tick == f->to &&
            change_free_order(f->change, e->score, h->chunk, tick) == ORDER_FIRST;
        st = held_put(f->change, e, h->chunk, f->control, tick, value,
                      comes_before ? FIRST : LAST);
        now = tick < f->to || comes_before ? value : now;
        const int old = held_value_at(e, f->control, tick, false, NULL);
        if (!st && tick >= f->to && !comes_before && old != value)
            st = held_put(f->change, e, h->chunk, f->control, tick, old, LAST);
    }
    return st ? st : put_back(f, now);
}

static bool has_note_from(const struct score *s, int channel, int64_t from)
{
    for (int t = 0; t < (int)s->n_tracks; t++)
        if (score_channel(s, t) == channel &&
            score_first_note_at(s, t, from) < s->tracks[t].n_notes)
            return true;
    return false;
}

static enum midi_status each_free_span(struct change *c, const struct channel_events *e,
                                       const struct spans *stay, bool is_last,
                                       struct edit_time in, int64_t by)
{
    const int64_t from = in.from, to = in.to;
    enum midi_status st = MIDI_OK;
    EACH_CONTROL(k, e, control_is_gesture)
    {
        struct free_span f = {c, e, k, from, from, is_last};
        for (size_t i = 0; !st && i <= stay->n; i++) {
            f.to = i < stay->n ? stay->list[i].from : to;
            if (f.to > f.from)
                st = by ? move_span(&f, by) : clear_span(&f);
            f.from = i < stay->n ? stay->list[i].to : to;
        }
    }
    return st;
}

enum midi_status change_move_gestures(struct change *c, const struct score *s,
                                      const struct score *stays, uint64_t tracks,
                                      int64_t from, int64_t to, int64_t by)
{
    const int64_t beat = timeline_beat_ticks(&s->timeline, from);
    enum midi_status st = MIDI_OK;
    for (int t = 0; !st && t < (int)s->n_tracks; t++) {
        struct channel_events e;
        struct spans stay;
        if (!held_is_first_of_channel(s, tracks, t))
            continue;
        if (!held_gather(&e, s, score_channel(s, t)))
            return change_fail(c, MIDI_NO_MEMORY);
        if (held_find_sounding(&stay, stays, e.channel, from, to, beat)) {
            st = each_free_span(c, &e, &stay, !has_note_from(stays, e.channel, to),
                                (struct edit_time){from, to}, by);
            free(stay.list);
        } else {
            st = MIDI_NO_MEMORY;
        }
        free(e.list);
    }
    return change_fail(c, st);
}

enum midi_status change_clear_gestures(struct change *c, const struct score *s,
                                       const struct score *stays, uint64_t tracks,
                                       int64_t from, int64_t to)
{
    return change_move_gestures(c, s, stays, tracks, from, to, 0);
}
