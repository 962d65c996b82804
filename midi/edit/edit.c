/* Builds changes. Does not touch a score. */
#include "midi/base/array.h"
#include "midi/edit/apply.h"
#include "midi/score/chunk.h"
#include "midi/score/notes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct change *change_create(const char *label)
{
    const size_t n = strlen(label) + 1;
    struct change *c = calloc(1, sizeof *c + n);
    if (!c)
        return NULL;
    memcpy(c->label, label, n);
    return c;
}

void change_destroy(struct change *c)
{
    if (!c)
        return;
    for (size_t i = 0; i < c->n_edits; i++) {
        if (c->edits[i].kind != EDIT_EVENT)
            continue;
        free(c->edits[i].event_before.data);
        free(c->edits[i].event_after.data);
    }
    free(c->edits);
    free(c);
}

struct edit *change_append(struct change *c, enum edit_kind kind, int track)
{
    if (!c || !ARRAY_GROW(c->edits, c->n_edits, c->cap_edits))
        return NULL;
    struct edit *e = &c->edits[c->n_edits++];
    memset(e, 0, sizeof *e);
    e->kind = kind;
    e->track = track;
    return e;
}

enum midi_status change_put(struct change *c, struct edit e)
{
    struct edit *at = change_append(c, e.kind, e.track);
    if (!at)
        return MIDI_NO_MEMORY;
    *at = e;
    return MIDI_OK;
}

void change_trim(struct change *c)
{
    if (!c->n_edits || c->n_edits == c->cap_edits)
        return;
    struct edit *edits = reallocarray(c->edits, c->n_edits, sizeof *edits);
    if (!edits)
        return; /* the capacity stays */
    c->edits = edits;
    c->cap_edits = c->n_edits;
}

enum midi_status change_add_note(struct change *c, int track, struct note n)
{
    if (!note_is_valid(&n))
        return MIDI_BAD_EDIT;
    return change_put(
        c, (struct edit){
               .kind = EDIT_NOTE, .track = track, .has_after = true, .after = n});
}

enum midi_status change_remove_note(struct change *c, int track, const struct note *n)
{
    return change_put(
        c, (struct edit){
               .kind = EDIT_NOTE, .track = track, .has_before = true, .before = *n});
}

static bool is_moved(const struct note *before, const struct note *after)
{
    return before->start != after->start || before->length != after->length ||
           before->pitch != after->pitch;
}

enum midi_status change_replace_note(struct change *c, int track,
                                     const struct note *before, struct note after)
{
    if (!note_is_valid(&after))
        return MIDI_BAD_EDIT;
    after.id = before->id;
    if (is_moved(before, &after)) {
        after.on_order = ORDER_LAST;
        after.off_order = ORDER_FIRST;
        after.flags &= (uint8_t)~NOTE_HANGING;
    }
    return change_put(c, (struct edit){.kind = EDIT_NOTE,
                                       .track = track,
                                       .has_before = true,
                                       .has_after = true,
                                       .before = *before,
                                       .after = after});
}

static bool copy_event(struct event *to, const struct event *from)
{
    *to = *from;
    to->data = array_copy(from->data, from->n_data, 1);
    return to->data;
}

enum midi_status change_event(struct change *c, int chunk, const struct event *before,
                              const struct event *after)
{
    if (after && (after->n_data == 0 || after->tick < 0 || after->tick > TICK_MAX))
        return MIDI_BAD_EDIT;
    struct edit *e = change_append(c, EDIT_EVENT, chunk);
    if (!e)
        return MIDI_NO_MEMORY;
    e->has_before = before != NULL;
    e->has_after = after != NULL;
    if ((!before || copy_event(&e->event_before, before)) &&
        (!after || copy_event(&e->event_after, after)))
        return MIDI_OK;
    free(e->event_before.data);
    c->n_edits--;
    return MIDI_NO_MEMORY;
}

enum midi_status change_add_all(struct change *c, const struct change *from)
{
    enum midi_status st = MIDI_OK;
    for (size_t i = 0; !st && i < from->n_edits; i++) {
        const struct edit *e = &from->edits[i];
        st = e->kind == EDIT_EVENT
                 ? change_event(c, e->track, e->has_before ? &e->event_before : NULL,
                                e->has_after ? &e->event_after : NULL)
                 : change_put(c, *e);
    }
    return st;
}

int score_first_chunk(const struct score *s)
{
    for (size_t i = 0; i < s->n_chunks; i++)
        if (!s->chunks[i].is_unknown)
            return (int)i;
    return -1;
}

/* Returns the first order from `order` on that no event of the chunk has at the
 * tick. */
static uint32_t past_events(const struct chunk *c, int64_t tick, uint32_t order)
{
    for (size_t i = 0; i < c->n_events && c->events[i].tick <= tick; i++)
        order += c->events[i].tick == tick && c->events[i].order == order;
    return order;
}

/* The same for the events that the change adds; its edits are unsorted. */
static uint32_t past_edits(const struct change *c, int chunk, int64_t tick,
                           uint32_t order)
{
    for (size_t i = 0; c && i < c->n_edits; i++) {
        const struct edit *e = &c->edits[i];
        order += e->kind == EDIT_EVENT && e->track == chunk && e->has_after &&
                 e->event_after.tick == tick && e->event_after.order == order;
    }
    return order;
}

uint32_t change_free_order(const struct change *c, const struct score *s, int chunk,
                           int64_t tick)
{
    uint32_t order = ORDER_FIRST, before;
    do {
        before = order;
        order = past_events(&s->chunks[chunk], tick, order);
        order = past_edits(c, chunk, tick, order);
    } while (order != before);
    return order;
}

/* Finds the last event of this type at `tick`, the one that counts, and its chunk.
 * NULL: none; the chunk is where to add one, or -1. */
static const struct event *find_meta(const struct score *s, uint8_t type, int64_t tick,
                                     int *chunk)
{
    const struct event *found = NULL;
    *chunk = -1;
    for (size_t i = 0; i < s->n_chunks; i++) {
        const struct chunk *c = &s->chunks[i];
        if (*chunk < 0 && !c->is_unknown)
            *chunk = (int)i;
        for (size_t k = 0; k < c->n_events && c->events[k].tick <= tick; k++) {
            size_t n;
            if (c->events[k].tick < tick || !event_meta(&c->events[k], type, &n))
                continue;
            found = &c->events[k];
            *chunk = (int)i;
        }
    }
    return found;
}

enum midi_status change_set_meta(struct change *c, const struct score *s, int64_t tick,
                                 uint8_t *data, size_t n)
{
    if (tick < 0 || tick > TICK_MAX)
        return MIDI_BAD_EDIT;
    int chunk;
    const struct event *before = find_meta(s, data[1], tick, &chunk);
    if (chunk < 0)
        return MIDI_BAD_EDIT;
    struct event after = {
        .tick = tick,
        .order = before ? before->order : change_free_order(c, s, chunk, tick),
        .n_data = (uint32_t)n,
        .data = data,
    };
    return change_event(c, chunk, before, &after);
}

size_t change_tempo_bytes(uint8_t data[6], double bpm)
{
    double us = 60e6 / bpm;
    bool fits = us >= 1 && us <= 0xFFFFFF; /* NaN does not */
    return fits ? event_tempo_write(data, (uint32_t)lround(us)) : 0;
}

enum midi_status change_set_tempo(struct change *c, const struct score *s, int64_t tick,
                                  double bpm)
{
    uint8_t data[6];
    size_t n = change_tempo_bytes(data, bpm);
    return n ? change_set_meta(c, s, tick, data, n) : MIDI_BAD_EDIT;
}

enum midi_status change_set_meter(struct change *c, const struct score *s, int64_t tick,
                                  int numerator, int denominator)
{
    if (numerator < 1 || numerator > 255 || denominator < 1 || denominator > 128 ||
        (denominator & (denominator - 1)))
        return MIDI_BAD_EDIT;
    uint8_t data[7];
    return change_set_meta(c, s, tick, data,
                           event_meter_write(data, numerator, denominator));
}

enum midi_status change_add_track(struct change *c, const struct score *s,
                                  const char *name, uint8_t channel, uint8_t program)
{
    if (channel > 15 || program > 127)
        return MIDI_BAD_EDIT;
    size_t index = s->n_tracks;
    for (size_t i = 0; c && i < c->n_edits; i++)
        index += c->edits[i].kind == EDIT_TRACK;
    struct edit e = {.kind = EDIT_TRACK,
                     .track = (int)index,
                     .has_after = true,
                     .track_info = {.channel = channel, .program = program}};
    strncpy(e.track_info.name, name, sizeof e.track_info.name - 1);
    return change_put(c, e);
}

enum midi_status change_insert_time(struct change *c, const struct score *s, int64_t at,
                                    int64_t by)
{
    if (at < 0 || !insert_time_fits(s, by))
        return MIDI_BAD_EDIT;
    return change_put(c, (struct edit){.kind = EDIT_TIME, .time = {at, by}});
}

enum midi_status change_tap(struct change *c, struct tap tap, bool puts)
{
    if (tap.tick < 0 || tap.tick > TICK_MAX || tap.kind >= TAP_KINDS)
        return MIDI_BAD_EDIT;
    return change_put(
        c, (struct edit){
               .kind = EDIT_TAP, .has_before = !puts, .has_after = puts, .tap = tap});
}
