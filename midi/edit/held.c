/* Values that a channel holds: what is in force, and what is usual.
 *
 * The messages of a channel are gathered from all chunks once for each change, and then
 * each control is read along them. */
#include "midi/edit/held_internal.h"

#include "midi/base/array.h"
#include "midi/base/larger.h"
#include "midi/score/chunk.h"

#include <math.h>
#include <stdlib.h>

/* -- spans in which notes sound -- */

static int by_from(const void *a, const void *b)
{
    const struct edit_time *x = a, *y = b;
    return (x->from > y->from) - (x->from < y->from);
}

bool held_sounding(struct spans *out, const struct score *s, int channel, int64_t from,
                   int64_t to, int64_t tail)
{
    *out = (struct spans){0};
    for (int t = 0; t < (int)s->n_tracks; t++) {
        const struct track *track = &s->tracks[t];
        for (size_t i = 0; score_channel(s, t) == channel && i < track->n_notes; i++) {
            const struct note *n = &track->notes[i];
            const struct edit_time at = {larger(n->start, from),
                                         smaller(n->start + n->length, to)};
            const bool rings_over = n->start < from && at.to - from <= tail;
            if (at.to > at.from && !rings_over &&
                !array_add(&out->list, &out->n, &out->cap, &at, sizeof at)) {
                free(out->list);
                return false;
            }
        }
    }
    if (out->n)
        qsort(out->list, out->n, sizeof *out->list, by_from);
    size_t n = 0;
    for (size_t i = 0; i < out->n; i++) /* joins those that touch */
        if (n && out->list[i].from <= out->list[n - 1].to)
            out->list[n - 1].to = larger(out->list[n - 1].to, out->list[i].to);
        else
            out->list[n++] = out->list[i];
    out->n = n;
    return true;
}

/* -- the messages of a channel -- */

static int compare_events(const void *a, const void *b)
{
    const struct channel_event *x = a, *y = b;
    if (x->tick != y->tick)
        return x->tick < y->tick ? -1 : 1;
    if (x->chunk != y->chunk)
        return x->chunk - y->chunk;
    return (x->event > y->event) - (x->event < y->event);
}

bool held_events(struct channel_events *out, const struct score *s, int channel)
{
    *out = (struct channel_events){.score = s, .channel = channel};
    for (int c = 0; c < (int)s->n_chunks; c++)
        for (size_t i = 0; i < s->chunks[c].n_events; i++) {
            const struct event *e = &s->chunks[c].events[i];
            const int kind = e->n_data >= 2 ? e->data[0] & 0xF0 : 0;
            const struct channel_event h = {e->tick, c, e};
            if ((kind != 0xB0 && kind != 0xC0 && kind != 0xD0 && kind != 0xE0) ||
                chunk_channel(&s->chunks[c], e->data[0]) != channel)
                continue;
            if (!array_add(&out->list, &out->n, &out->cap, &h, sizeof h)) {
                free(out->list);
                return false;
            }
            out->has.has[CONTROL_BEND] |= kind == 0xE0;
            out->has.has[CONTROL_PRESSURE] |= kind == 0xD0;
            if (kind == 0xB0)
                out->has.has_change[e->data[1] & 127] = true;
        }
    if (out->n)
        qsort(out->list, out->n, sizeof *out->list, compare_events);
    return true;
}

bool held_sets(const struct channel_event *h, struct control k)
{
    return control_value(h->event, h->event->data[0] & 15, k) >= 0;
}

int held_value_at(const struct channel_events *e, struct control k, int64_t tick,
                  bool is_before, const struct channel_event **by)
{
    int value = control_rest(k);
    const struct channel_event *last = NULL;
    for (size_t i = 0; i < e->n && e->list[i].tick + is_before <= tick; i++) {
        const int now = control_after(e->list[i].event, e->channel & 15, k, value);
        last = held_sets(&e->list[i], k) || now != value ? &e->list[i] : last;
        value = now;
    }
    if (by)
        *by = last;
    return value;
}

int held_value(const struct score *s, int channel, struct control k, int64_t tick)
{
    struct channel_events e;
    int value = control_rest(k);
    if (held_events(&e, s, channel)) {
        value = held_value_at(&e, k, tick, false, NULL);
        free(e.list);
    }
    return value;
}

int held_programs(const struct score *s, int track, struct control_point *out, int most)
{
    const struct control program = {CONTROL_PROGRAM, 0};
    const struct track *t = &s->tracks[track];
    struct channel_events e;
    const size_t n_notes = t->n_notes;
    const int64_t first = n_notes ? t->notes[0].start : 0,
                  last = n_notes ? t->notes[n_notes - 1].start : 0;
    int n = 1;
    out[0] = (struct control_point){first, t->program};
    if (!held_events(&e, s, score_channel(s, track)))
        return n;
    for (size_t i = 0; i < e.n && e.list[i].tick <= last; i++) {
        const int value = control_value(e.list[i].event, e.channel & 15, program);
        if (value >= 0 && e.list[i].tick <= first)
            out[0].value = value;
        else if (value >= 0 && n < most && value != out[n - 1].value)
            out[n++] = (struct control_point){e.list[i].tick, value};
    }
    free(e.list);
    return n;
}

bool control_is_gesture(struct control k)
{
    const int n = k.number;
    return k.kind == CONTROL_BEND || k.kind == CONTROL_PRESSURE ||
           (k.kind == CONTROL_CHANGE &&
            (n == CC_MODULATION || n == CC_BREATH || n == CC_FOOT ||
             n == CC_EXPRESSION || control_is_switch(k)));
}

bool held_next_control(const struct channel_events *e, struct control *k,
                       bool (*is_wanted)(struct control))
{
    for (; k->kind < CONTROL_KINDS; k->number = 0, k->kind++)
        for (; k->number < (k->kind == CONTROL_CHANGE ? 128 : 1); k->number++) {
            const bool is_there = k->kind == CONTROL_CHANGE
                                      ? e->has.has_change[k->number]
                                      : e->has.has[k->kind];
            if (is_there && is_wanted(*k))
                return true;
        }
    return false;
}

/* -- usual values -- */

/* Adds how long each value is in force under the notes in [from, to). */
static bool weigh_control(struct weights *out, const struct channel_events *e,
                          struct control k, int64_t from, int64_t to)
{
    struct spans sounding;
    if (!held_sounding(&sounding, e->score, e->channel, from, to, 0))
        return false;
    size_t i = 0;
    int value = control_rest(k);
    bool ok = true;
    for (size_t span = 0; ok && span < sounding.n; span++) {
        int64_t at = sounding.list[span].from;
        while (ok && at < sounding.list[span].to) {
            for (; i < e->n && e->list[i].tick <= at; i++)
                value = control_after(e->list[i].event, e->channel & 15, k, value);
            const int64_t next = i < e->n ? e->list[i].tick : INT64_MAX;
            const int64_t until = smaller(sounding.list[span].to, next);
            ok = weights_add(out, value, at, until);
            at = until;
        }
    }
    free(sounding.list);
    return ok;
}

static bool is_ever_lifted(const struct channel_events *e, struct control k)
{
    bool is_down = false;
    for (size_t i = 0; i < e->n; i++) {
        const int value = control_value(e->list[i].event, e->channel & 15, k);
        if (value >= 0 && value < 64 && is_down)
            return true;
        is_down = value >= 0 ? value >= 64 : is_down;
    }
    return false;
}

/* Returns the start of the channel's first note. */
static int64_t first_start(const struct channel_events *e)
{
    int64_t first = INT64_MAX;
    for (int t = 0; t < (int)e->score->n_tracks; t++)
        if (score_channel(e->score, t) == e->channel && e->score->tracks[t].n_notes)
            first = smaller(first, e->score->tracks[t].notes[0].start);
    return first < INT64_MAX ? first : 0;
}

struct usual held_usual(struct change *c, const struct channel_events *e,
                        struct control k, struct edit_time near,
                        enum usual_choice choice)
{
    struct weights w = {0};
    struct usual u = {0};
    bool ok = weigh_control(&w, e, k, near.from, near.to);
    if (ok && !w.n)
        ok = weigh_control(&w, e, k, 0, INT64_MAX);
    if (ok && k.kind == CONTROL_BEND) {
        u = usual_of(&w, 0.5, BEND_CENTRE, choice);
        if (u.value != held_value_at(e, k, first_start(e), false, NULL))
            u.value = BEND_CENTRE;
        u.low = u.high = u.value;
    } else if (ok && control_is_switch(k)) {
        u = usual_of(&w, 1, 0, choice);
        u.value = u.low >= 64 && !is_ever_lifted(e, k) ? u.value : 0;
        u.low = u.value >= 64 ? 64 : 0;
        u.high = u.value >= 64 ? 127 : 63;
    } else if (ok) {
        u = usual_of(&w, 0.25, NAN, choice);
    }
    free(w.list);
    if (!ok)
        change_fail(c, MIDI_NO_MEMORY);
    return u;
}

struct edit_time held_near(const struct score *s, int64_t tick, bool before, bool after)
{
    const int64_t span = HELD_BARS * timeline_bar_ticks(&s->timeline, tick);
    return (struct edit_time){before ? larger(tick - span, 0) : tick,
                              after ? tick + span : tick};
}

/* -- values put into a change -- */

enum midi_status held_put_event(struct change *c, const struct score *s, int chunk,
                                int64_t tick, enum order_at_tick order, uint8_t *data,
                                size_t n)
{
    const struct event e = {tick,
                            order == FIRST ? change_free_order(c, s, chunk, tick)
                                           : change_next_order(c, s, chunk, tick),
                            (uint32_t)n, data};
    return change_event(c, chunk, NULL, &e);
}

enum midi_status held_put_value(struct change *c, const struct channel_events *e,
                                const struct channel_event *by, struct control k,
                                int64_t tick, int value, enum order_at_tick order)
{
    uint8_t data[3];
    const size_t n = control_write(data, e->channel, k, value);
    for (size_t i = 0; !by && i < e->n; i++)
        by = held_sets(&e->list[i], k) ? &e->list[i] : NULL;
    return held_put_event(c, e->score, by ? by->chunk : e->list[0].chunk, tick, order,
                          data, n);
}

bool held_next_channel(struct change *c, const struct score *s, uint64_t tracks,
                       int *track, struct channel_events *e)
{
    for (int t = ++*track; t < (int)s->n_tracks && t < 64; t = ++*track) {
        bool is_first = tracks >> t & 1;
        for (int k = 0; k < t; k++)
            is_first &=
                !(tracks >> k & 1) || score_channel(s, k) != score_channel(s, t);
        if (!is_first)
            continue;
        if (held_events(e, s, score_channel(s, t)))
            return true;
        change_fail(c, MIDI_NO_MEMORY);
        return false;
    }
    return false;
}

bool held_is_set(const struct channel_events *e, struct control k, int64_t tick)
{
    bool is_set = false;
    for (size_t i = 0; i < e->n; i++)
        is_set |= e->list[i].tick == tick && held_sets(&e->list[i], k);
    return is_set;
}
