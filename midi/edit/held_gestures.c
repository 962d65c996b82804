/* Gestures go with their notes: each span in which no note stays is cleared or moved on its own. */
#include "midi/edit/held_internal.h"

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
 * `value`. Returns whether there was such a one. */
static bool take_out(const struct free_span *f, int value, int64_t by)
{
    const struct channel_events *e = f->events;
    bool is_kept = false;
    for (size_t i = e->n; i-- > 0;) {
        const struct channel_event *h = &e->list[i];
        if (h->tick < f->from || h->tick >= f->to || !held_sets(h, f->control) ||
            (!by && !h->tick))
            continue;
        if (!by && !is_kept && h->tick == f->from &&
            control_value(h->event, e->channel & 15, f->control) == value)
            is_kept = true;
        else
            change_event(f->change, h->chunk, h->event, NULL);
    }
    return is_kept;
}

/* Restores the value that was in force at `to`, if the span now ends with another
 * one. */
static void put_back(const struct free_span *f, int now)
{
    const struct channel_events *e = f->events;
    const struct channel_event *by;
    const int old = held_value_at(e, f->control, f->to, true, &by);
    if (old != now && !f->is_last && !held_is_set(e, f->control, f->to))
        held_put_value(f->change, e, by, f->control, f->to, old, FIRST);
}

static void clear_span(const struct free_span *f)
{
    const struct channel_events *e = f->events;
    const struct edit_time near = held_near(e->score, f->from, true, true);
    const struct usual u = held_usual(f->change, e, f->control, near, THE_LONGEST);
    const struct channel_event *by;
    const int before = held_value_at(e, f->control, f->from, f->from > 0, &by);
    const int now = is_usual(&u, before) ? before : (int)u.value;
    if (!take_out(f, now, 0) && now != before)
        held_put_value(f->change, e, by, f->control, f->from, now, LAST);
    put_back(f, now);
}

/* Adds the events again, `by` ticks later. An event that lands after the span is
 * followed at once by the value that was in force there. */
static void move_span(const struct free_span *f, int64_t by)
{
    const struct channel_events *e = f->events;
    int now = held_value_at(e, f->control, f->from, true, NULL);
    take_out(f, 0, by);
    for (size_t i = 0; i < e->n; i++) {
        const struct channel_event *h = &e->list[i];
        const int value = control_value(h->event, e->channel & 15, f->control);
        const int64_t tick = larger(h->tick + by, 0);
        if (h->tick < f->from || h->tick >= f->to || value < 0)
            continue;
        const bool comes_before =
            tick == f->to &&
            change_free_order(f->change, e->score, h->chunk, tick) == ORDER_FIRST;
        held_put_value(f->change, e, h, f->control, tick, value,
                       comes_before ? FIRST : LAST);
        now = tick < f->to || comes_before ? value : now;
        const int old = held_value_at(e, f->control, tick, false, NULL);
        if (tick >= f->to && !comes_before && old != value)
            held_put_value(f->change, e, h, f->control, tick, old, LAST);
    }
    put_back(f, now);
}

enum midi_status change_move_gestures(struct change *c, const struct score *s,
                                      const struct score *stays, uint64_t tracks,
                                      int64_t from, int64_t to, int64_t by)
{
    const int64_t beat = timeline_beat_ticks(&s->timeline, from);
    struct channel_events e;
    for (int t = -1; held_next_channel(c, s, tracks, &t, &e); free(e.list)) {
        struct spans stay;
        if (!held_sounding(&stay, stays, e.channel, from, to, beat)) {
            change_fail(c, MIDI_NO_MEMORY);
            continue;
        }
        bool is_last = true;
        for (int k = 0; k < (int)stays->n_tracks; k++)
            is_last &= score_channel(stays, k) != e.channel ||
                       score_first_note_at(stays, k, to) == stays->tracks[k].n_notes;
        EACH_CONTROL(k, &e, control_is_gesture)
        {
            struct free_span f = {c, &e, k, from, from, is_last};
            for (size_t i = 0; i <= stay.n; i++) {
                f.to = i < stay.n ? stay.list[i].from : to;
                if (f.to > f.from && by)
                    move_span(&f, by);
                else if (f.to > f.from)
                    clear_span(&f);
                f.from = i < stay.n ? stay.list[i].to : to;
            }
        }
        free(stay.list);
    }
    return change_status(c);
}
