/* Builds changes. Nothing here alters a score. */
#include "midi/base/array.h"
#include "midi/edit/apply.h"
#include "midi/edit/controllers.h"
#include "midi/score/chunk.h"
#include "midi/score/notes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct change *change_create(const char *label)
{
    const size_t n = strlen(label) + 1;
    struct change *c = calloc(1, sizeof *c + n);
    if (c)
        memcpy(c->label, label, n);
    return c;
}

void change_destroy(struct change *c)
{
    if (!c)
        return;
    for (size_t i = 0; i < c->n_edits; i++)
        if (c->edits[i].kind == EDIT_EVENT) {
            free(c->edits[i].event_before.data);
            free(c->edits[i].event_after.data);
        }
    free(c->edits);
    free(c);
}

enum midi_status change_fail(struct change *c, enum midi_status st)
{
    if (c && !c->failure)
        c->failure = st;
    return change_status(c);
}

enum midi_status change_put(struct change *c, struct edit e)
{
    if (change_status(c))
        return change_status(c);
    if (!ARRAY_GROW(c->edits, c->n_edits, c->cap_edits))
        return c->failure = MIDI_NO_MEMORY;
    c->edits[c->n_edits++] = e;
    c->kinds |= 1u << e.kind;
    return MIDI_OK;
}

size_t change_count(const struct change *c, enum edit_kind kind)
{
    size_t n = 0;
    for (size_t i = 0; c && i < c->n_edits; i++)
        n += c->edits[i].kind == kind;
    return n;
}

enum midi_status change_add_note(struct change *c, int track, struct note n)
{
    if (!note_is_valid(&n))
        return change_fail(c, MIDI_BAD_EDIT);
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

enum midi_status change_replace_note(struct change *c, int track,
                                     const struct note *before, struct note after)
{
    if (!note_is_valid(&after))
        return change_fail(c, MIDI_BAD_EDIT);
    after.id = before->id;
    if (before->start != after.start || before->length != after.length ||
        before->pitch != after.pitch)
        note_lose_order(&after);
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
        return change_fail(c, MIDI_BAD_EDIT);
    struct edit e = {
        .kind = EDIT_EVENT, .track = chunk, .has_before = before, .has_after = after};
    bool ok = !before || copy_event(&e.event_before, before);
    if (ok && after)
        ok = copy_event(&e.event_after, after);
    if (ok ? change_put(c, e) : change_fail(c, MIDI_NO_MEMORY)) {
        free(e.event_before.data);
        free(e.event_after.data);
    }
    return change_status(c);
}

enum midi_status change_add_all(struct change *c, const struct change *from)
{
    for (size_t i = 0; i < from->n_edits; i++) {
        const struct edit *e = &from->edits[i];
        if (e->kind == EDIT_EVENT)
            change_event(c, e->track, e->has_before ? &e->event_before : NULL,
                         e->has_after ? &e->event_after : NULL);
        else
            change_put(c, *e);
    }
    return change_fail(c, from->failure);
}

int score_first_chunk(const struct score *s)
{
    for (size_t i = 0; i < s->n_chunks; i++)
        if (!s->chunks[i].is_unknown)
            return (int)i;
    return -1;
}

uint32_t change_free_order(const struct change *c, const struct score *s, int chunk,
                           int64_t tick)
{
    const struct chunk *to = &s->chunks[chunk];
    uint32_t order = ORDER_FIRST, before;
    do {
        before = order;
        for (size_t i = 0; i < to->n_events && to->events[i].tick <= tick; i++)
            order += to->events[i].tick == tick && to->events[i].order == order;
        /* the edits of a change are not sorted */
        for (size_t i = 0; c && i < c->n_edits; i++) {
            const struct edit *e = &c->edits[i];
            order += e->kind == EDIT_EVENT && e->track == chunk && e->has_after &&
                     e->event_after.tick == tick && e->event_after.order == order;
        }
    } while (order != before);
    return order;
}

uint32_t change_next_order(const struct change *c, const struct score *s, int chunk,
                           int64_t tick)
{
    uint32_t order = control_next_order(&s->chunks[chunk], tick);
    for (size_t i = 0; c && i < c->n_edits; i++) {
        const struct event *e = &c->edits[i].event_after;
        if (c->edits[i].kind == EDIT_EVENT && c->edits[i].track == chunk &&
            c->edits[i].has_after && e->tick == tick && e->order >= order)
            order = e->order < ORDER_LAST ? e->order + 1 : ORDER_LAST;
    }
    return order;
}

enum midi_status change_set_meta(struct change *c, const struct score *s, int64_t tick,
                                 uint8_t *data, size_t n)
{
    int chunk = score_first_chunk(s);
    const struct event *before = NULL; /* the last one is in force */
    for (size_t i = 0; i < s->n_chunks; i++) {
        const struct chunk *in = &s->chunks[i];
        for (size_t k = ARRAY_FIRST_AT(in->events, in->n_events, tick), n_of;
             k < in->n_events && in->events[k].tick == tick; k++)
            if (event_meta(&in->events[k], data[1], &n_of)) {
                before = &in->events[k];
                chunk = (int)i;
            }
    }
    if (chunk < 0)
        return change_fail(c, MIDI_BAD_EDIT);
    uint32_t order = before ? before->order : change_free_order(c, s, chunk, tick);
    struct event after = {tick, order, (uint32_t)n, data};
    return change_event(c, chunk, before, &after);
}

size_t change_tempo_bytes(uint8_t data[6], double bpm)
{
    double us = 60e6 / bpm;
    bool fits = us >= 1 && us <= 0xFFFFFF; /* false for NaN, too */
    return fits ? event_tempo_write(data, (uint32_t)lround(us)) : 0;
}

enum midi_status change_set_tempo(struct change *c, const struct score *s, int64_t tick,
                                  double bpm)
{
    uint8_t data[6];
    size_t n = change_tempo_bytes(data, bpm);
    return n ? change_set_meta(c, s, tick, data, n) : change_fail(c, MIDI_BAD_EDIT);
}

enum midi_status change_set_meter(struct change *c, const struct score *s, int64_t tick,
                                  int numerator, int denominator)
{
    if (numerator < 1 || numerator > 255 || denominator < 1 || denominator > 128 ||
        (denominator & (denominator - 1)))
        return change_fail(c, MIDI_BAD_EDIT);
    uint8_t data[7];
    return change_set_meta(c, s, tick, data,
                           event_meter_write(data, numerator, denominator));
}

enum midi_status change_add_track(struct change *c, const struct score *s,
                                  const char *name, uint8_t channel, uint8_t program)
{
    if (program > 127)
        return change_fail(c, MIDI_BAD_EDIT);
    struct edit e = {.kind = EDIT_TRACK,
                     .track = (int)(s->n_tracks + change_count(c, EDIT_TRACK)),
                     .has_after = true,
                     .track_info = {.channel = channel, .program = program}};
    strncpy(e.track_info.name, name, sizeof e.track_info.name - 1);
    return change_put(c, e);
}

enum midi_status change_tap(struct change *c, struct tap tap, bool puts)
{
    if (tap.tick < 0 || tap.tick > TICK_MAX || tap.kind >= TAP_KINDS)
        return change_fail(c, MIDI_BAD_EDIT);
    return change_put(
        c, (struct edit){
               .kind = EDIT_TAP, .has_before = !puts, .has_after = puts, .tap = tap});
}

enum midi_status change_remove_taps(struct change *c, const struct score *s,
                                    int64_t from, int64_t to)
{
    const struct taps *taps = &s->taps;
    for (size_t i = taps_first_at(taps, from); i < taps->n && taps->list[i].tick < to;
         i++)
        change_tap(c, taps->list[i], false);
    return change_status(c);
}
