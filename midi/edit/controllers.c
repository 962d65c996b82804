/* Reads channel values from events, and builds changes to them. */
#include "midi/edit/controllers.h"

#include "midi/base/array.h"
#include "midi/score/notes.h"

enum {
    LEVEL_AT_REST = 100, /* General MIDI resets the volume to this */
    CENTRE = 64,
};

/* Status byte and number of data bytes. Velocities have no message of their own. */
static const struct {
    uint8_t status, n_data;
} MESSAGES[CONTROL_KINDS] = {
    [CONTROL_CHANGE] = {0xB0, 2},   [CONTROL_BEND] = {0xE0, 2},
    [CONTROL_PRESSURE] = {0xD0, 1}, [CONTROL_KEY_PRESSURE] = {0xA0, 2},
    [CONTROL_PROGRAM] = {0xC0, 1},
};

bool control_equal(struct control a, struct control b)
{
    return a.kind == b.kind && a.number == b.number;
}

int control_least(struct control k)
{
    return k.kind == CONTROL_VELOCITY ? 1 : 0;
}

int control_most(struct control k)
{
    return k.kind == CONTROL_BEND ? 0x3FFF : 0x7F;
}

int control_rest(struct control k)
{
    bool is_centred = k.number == CC_BALANCE || k.number == CC_PAN ||
                      (k.number >= CC_SOUND_FIRST && k.number <= CC_SOUND_LAST);
    if (k.kind != CONTROL_CHANGE)
        return k.kind == CONTROL_BEND ? BEND_CENTRE : control_least(k);
    return k.number == CC_VOLUME       ? LEVEL_AT_REST
           : k.number == CC_EXPRESSION ? 0x7F
           : is_centred                ? CENTRE
                                       : 0;
}

bool control_is_switch(struct control k)
{
    return k.kind == CONTROL_CHANGE && k.number >= CC_PEDAL &&
           k.number <= CC_PEDAL_LAST;
}

bool control_is_editable(struct control k)
{
    return k.kind != CONTROL_KEY_PRESSURE && k.kind != CONTROL_PROGRAM;
}

/* Returns the bytes after the status byte if the event is a complete message of this
 * kind on this channel, else NULL. */
static const uint8_t *data_of(const struct event *e, enum control_kind kind,
                              int channel)
{
    uint32_t n = MESSAGES[kind].n_data;
    bool is_it =
        n && e->n_data == n + 1 && e->data[0] == (MESSAGES[kind].status | channel);
    for (uint32_t i = 1; is_it && i <= n; i++)
        is_it = e->data[i] < 0x80;
    return is_it ? e->data + 1 : NULL;
}

int control_value(const struct event *e, int channel, struct control k)
{
    const uint8_t *d = data_of(e, k.kind, channel);
    if (!d || (k.kind == CONTROL_CHANGE && d[0] != k.number))
        return -1;
    return k.kind == CONTROL_BEND ? d[0] | d[1] << 7 : d[MESSAGES[k.kind].n_data - 1];
}

int control_after(const struct event *e, int channel, struct control k, int value)
{
    const struct control reset = {CONTROL_CHANGE, CC_RESET};
    const int own = control_value(e, channel, k);
    const bool is_kept =
        k.kind == CONTROL_PROGRAM ||
        (k.kind == CONTROL_CHANGE &&
         (k.number == CC_BANK || k.number == CC_BANK_LOW || k.number == CC_VOLUME ||
          k.number == CC_BALANCE || k.number == CC_PAN ||
          (k.number >= CC_SOUND_FIRST && k.number <= CC_EFFECT_LAST)));
    if (own >= 0)
        return own;
    return !is_kept && control_value(e, channel, reset) >= 0 ? control_rest(k) : value;
}

size_t control_write(uint8_t to[3], int channel, struct control k, int value)
{
    const bool is_bend = k.kind == CONTROL_BEND,
               is_short = MESSAGES[k.kind].n_data == 1;
    to[0] = (uint8_t)(MESSAGES[k.kind].status | (channel & 15));
    to[1] = (uint8_t)(is_bend ? value & 0x7F : is_short ? value : k.number);
    to[2] = (uint8_t)(is_bend ? value >> 7 : value);
    return MESSAGES[k.kind].n_data + 1u;
}

int control_held(const struct control_point *points, size_t n, int64_t tick,
                 struct control k)
{
    size_t after = tick < INT64_MAX ? ARRAY_FIRST_AT(points, n, tick + 1) : n;
    return after ? points[after - 1].value : control_rest(k);
}

void controls_of_track(const struct score *s, int track, struct control_set *out)
{
    const struct track *t = &s->tracks[track];
    const struct chunk *c = &s->chunks[t->chunk];
    *out = (struct control_set){.has[CONTROL_VELOCITY] = true};
    for (size_t i = 0; i < c->n_events; i++) {
        const uint8_t *d = data_of(&c->events[i], CONTROL_CHANGE, t->channel);
        if (d)
            out->has_change[d[0]] = true;
        for (int kind = CONTROL_CHANGE; kind < CONTROL_KINDS; kind++)
            if (data_of(&c->events[i], (enum control_kind)kind, t->channel))
                out->has[kind] = true;
    }
}

/* -- changes -- */

uint32_t control_next_order(const struct chunk *c, int64_t tick)
{
    size_t after = ARRAY_FIRST_AT(c->events, c->n_events, tick + 1);
    if (after == 0 || c->events[after - 1].tick < tick)
        return ORDER_FIRST;
    uint32_t last = c->events[after - 1].order;
    return last < ORDER_LAST ? last + 1 : last;
}

/* The walk over the events of a chunk that are replaced, in step with the new
 * points. */
struct span_edit {
    struct change *change;
    int chunk, channel;
    const struct chunk *events;
    struct control control;
    int64_t added_tick; /* tick of the last added event, -1: none */
    uint32_t added_order;
};

static void put_point(struct span_edit *e, const struct event *before,
                      const struct control_point *p)
{
    const struct control k = e->control;
    if (before && control_value(before, e->channel, k) == p->value)
        return;
    if (!before) {
        bool again = p->tick == e->added_tick && e->added_order < ORDER_LAST;
        e->added_order =
            again ? e->added_order + 1 : control_next_order(e->events, p->tick);
        e->added_tick = p->tick;
    }
    uint8_t data[3];
    const size_t n = control_write(data, e->channel, k, p->value);
    struct event after = {p->tick, before ? before->order : e->added_order, (uint32_t)n,
                          data};
    change_event(e->change, e->chunk, before, &after);
}

/* Adds the points before `tick`. They replace no event. */
static void put_points_before(struct span_edit *e, int64_t tick,
                              const struct control_point *points, size_t n, size_t *at)
{
    while (*at < n && points[*at].tick < tick)
        put_point(e, NULL, &points[(*at)++]);
}

enum midi_status change_control(struct change *c, const struct score *s, int track,
                                struct control k, int64_t from, int64_t to,
                                const struct control_point *points, size_t n)
{
    if (k.kind == CONTROL_VELOCITY || !control_is_editable(k) || k.number > 0x7F ||
        track < 0 || (size_t)track >= s->n_tracks || from < 0)
        return change_fail(c, MIDI_BAD_EDIT);
    for (size_t i = 0; i < n; i++)
        if (points[i].tick < (i > 0 ? points[i - 1].tick : from) ||
            points[i].tick >= to || points[i].tick > TICK_MAX || points[i].value < 0 ||
            points[i].value > control_most(k))
            return change_fail(c, MIDI_BAD_EDIT);
    const struct track *t = &s->tracks[track];
    const struct chunk *in = &s->chunks[t->chunk];
    struct span_edit e = {c, t->chunk, t->channel, in, k, -1, 0};
    size_t at = 0;
    for (size_t i = ARRAY_FIRST_AT(in->events, in->n_events, from);
         i < in->n_events && in->events[i].tick < to; i++) {
        const struct event *event = &in->events[i];
        if (control_value(event, t->channel, k) < 0)
            continue;
        put_points_before(&e, event->tick, points, n, &at);
        if (at < n && points[at].tick == event->tick)
            put_point(&e, event, &points[at++]);
        else
            change_event(c, t->chunk, event, NULL);
    }
    put_points_before(&e, INT64_MAX, points, n, &at);
    return change_status(c);
}

static const struct mix_knob_about KNOBS[MIX_KNOBS] = {
    [MIX_VOLUME] = {"volume", "set the volume", {CONTROL_CHANGE, CC_VOLUME}, 0, 0, 127},
    [MIX_PAN] = {"pan", "set the pan", {CONTROL_CHANGE, CC_PAN}, CENTRE, -64, 63},
    [MIX_REVERB] = {"reverb", "set the reverb", {CONTROL_CHANGE, CC_REVERB}, 0, 0, 127},
    [MIX_CHORUS] = {"chorus", "set the chorus", {CONTROL_CHANGE, CC_CHORUS}, 0, 0, 127},
};

const struct mix_knob_about *mix_about(enum mix_knob k)
{
    return &KNOBS[k];
}

/* Returns the tick after the track's start, which reaches to its first note. */
static int64_t start_ends(const struct track *t)
{
    return t->n_notes ? t->notes[0].start + 1 : 1;
}

int mix_value(const struct score *s, int track, enum mix_knob k)
{
    const struct track *t = &s->tracks[track];
    const struct chunk *c = &s->chunks[t->chunk];
    int now = control_rest(KNOBS[k].control);
    for (size_t i = 0; i < c->n_events && c->events[i].tick < start_ends(t); i++) {
        int value = control_value(&c->events[i], t->channel, KNOBS[k].control);
        now = value >= 0 ? value : now;
    }
    return now - KNOBS[k].centre;
}

int64_t mix_next_tick(const struct score *s, int track, enum mix_knob k)
{
    const struct track *t = &s->tracks[track];
    const struct chunk *c = &s->chunks[t->chunk];
    for (size_t i = ARRAY_FIRST_AT(c->events, c->n_events, start_ends(t));
         i < c->n_events; i++)
        if (control_value(&c->events[i], t->channel, KNOBS[k].control) >= 0)
            return c->events[i].tick;
    return -1;
}

enum midi_status change_mix(struct change *c, const struct score *s, int track,
                            enum mix_knob k, int value)
{
    const struct control_point point = {0, value + KNOBS[k].centre};
    if (value < KNOBS[k].low || value > KNOBS[k].high)
        return change_fail(c, MIDI_BAD_EDIT);
    return change_control(c, s, track, KNOBS[k].control, 0,
                          start_ends(&s->tracks[track]), &point, 1);
}
