/* A recording in progress: takes messages, and holds notes and events. */
#include "midi/record/record.h"

#include "midi/base/array.h"
#include "midi/score/notes.h"

#include <math.h>
#include <stdlib.h>

void recording_fini(struct recording *r)
{
    free(r->notes);
    free(r->events);
    *r = (struct recording){0};
}

void recording_begin(struct recording *r, int64_t from, int64_t early)
{
    recording_fini(r);
    r->from = from;
    r->early = early;
}

void recording_set_loop(struct recording *r, int64_t from, int64_t to)
{
    r->loop_from = from;
    r->loop_to = to > from ? to : from;
}

static int64_t nearest(double tick)
{
    return tick >= (double)TICK_MAX ? TICK_MAX : llround(tick);
}

/* Finds the tick of a message. Returns false if it came before the recording began. */
static bool find_tick(const struct recording *r, const struct live_event *e,
                      int64_t *tick)
{
    int64_t at = nearest(e->tick), from = e->pass ? r->loop_from : r->from;
    *tick = at > from ? at : from;
    return e->has_tick && at >= from - (e->pass ? 0 : r->early);
}

/* -- notes -- */

int64_t recorded_end(const struct recording *r, const struct recorded_note *n,
                     int64_t tick, unsigned pass)
{
    if (!n->is_held)
        return n->note.start + n->note.length;
    int64_t end = pass != n->pass && r->loop_to > r->loop_from ? r->loop_to : tick;
    return end > n->note.start ? end : n->note.start + 1;
}

/* Ends the note of a key. *held is the note's number from 1, or 0 if the key has
 * none. */
static void end_note(struct recording *r, size_t *held, int64_t tick, unsigned pass,
                     int velocity)
{
    if (!*held)
        return;
    struct recorded_note *n = &r->notes[*held - 1];
    n->note.length = recorded_end(r, n, tick, pass) - n->note.start;
    n->note.off_velocity = (uint8_t)velocity;
    n->is_held = false;
    *held = 0;
}

static void strike(struct recording *r, const struct live_event *e, int64_t tick,
                   int track)
{
    size_t *held = &r->held[e->status & 15][e->data1 & 127];
    end_note(r, held, tick, e->pass, 64);
    if (!ARRAY_GROW(r->notes, r->n_notes, r->cap_notes)) {
        r->is_short_of_memory = true;
        return;
    }
    int64_t early = nearest(e->tick) - tick;
    r->notes[r->n_notes++] = (struct recorded_note){
        .track = track,
        .pass = e->pass,
        .is_held = true,
        .note = {.start = tick,
                 .length = 1,
                 .pitch = e->data1 & 127,
                 .velocity = e->data2 & 127,
                 .off_velocity = 64,
                 .on_order = ORDER_LAST,
                 .off_order = ORDER_FIRST,
                 .raw_start = (int32_t)(early < 0 ? early : 0)},
    };
    *held = r->n_notes;
}

void recording_end(struct recording *r, int64_t tick, unsigned pass)
{
    for (int channel = 0; channel < 16; channel++)
        for (int key = 0; key < 128; key++)
            end_note(r, &r->held[channel][key], tick, pass, 64);
}

/* -- events -- */

static void add_event(struct recording *r, const struct live_event *e, int64_t tick,
                      int track, uint8_t channel)
{
    int kind = e->status & 0xf0;
    bool is_short = kind == 0xc0 || kind == 0xd0;
    if (!ARRAY_GROW(r->events, r->n_events, r->cap_events)) {
        r->is_short_of_memory = true;
        return;
    }
    r->events[r->n_events++] = (struct recorded_event){
        .track = track,
        .pass = e->pass,
        .tick = tick,
        .n_data = is_short ? 2 : 3,
        .data = {(uint8_t)(kind | (channel & 15)), e->data1 & 127, e->data2 & 127},
    };
}

void recording_feed(struct recording *r, const struct live_event *e, int track,
                    uint8_t channel)
{
    int kind = e->status & 0xf0;
    int64_t tick;
    if (e->has_tick && (kind == 0x80 || (kind == 0x90 && !e->data2)))
        /* A key that was pressed before the recording began has no note to end. */
        end_note(r, &r->held[e->status & 15][e->data1 & 127], nearest(e->tick), e->pass,
                 kind == 0x80 ? e->data2 & 127 : 64);
    else if (kind == 0xb0 && e->data1 >= CC_CHANNEL_MODE)
        return;
    else if (kind >= 0x90 && kind < 0xf0 && find_tick(r, e, &tick)) {
        if (kind == 0x90)
            strike(r, e, tick, track);
        else
            add_event(r, e, tick, track, channel);
    }
}

size_t recording_n_notes(const struct recording *r, unsigned pass)
{
    size_t n = 0;
    for (size_t i = 0; i < r->n_notes; i++)
        n += r->notes[i].pass == pass;
    return n;
}

bool recording_has_pass(const struct recording *r, unsigned pass)
{
    for (size_t i = 0; i < r->n_events; i++)
        if (r->events[i].pass == pass)
            return true;
    return recording_n_notes(r, pass) > 0;
}
