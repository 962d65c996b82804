/* Controllers, bends and pressure of a pass, as events of the tracks' chunks. See record.h. */
#include "midi/record/record_making.h"

#include "midi/edit/controllers.h"
#include "midi/transport/held_keys.h"
#include "midi/score/note.h"

#include <stdlib.h>
#include <string.h>

static int by_tick(const void *a, const void *b)
{
    const struct recorded_event *x = *(const struct recorded_event *const *)a;
    const struct recorded_event *y = *(const struct recorded_event *const *)b;
    if (x->tick != y->tick)
        return x->tick < y->tick ? -1 : 1;
    return (x > y) - (x < y); /* both in one array, as they came */
}

static void collect_events(struct making *m, int track)
{
    m->n_events = 0;
    for (size_t i = 0; i < m->recording->n_events; i++) {
        const struct recorded_event *e = &m->recording->events[i];
        bool is_out = m->span->mode == RECORD_PUNCH && !making_has(m, e->tick);
        if (e->track == track && e->pass == m->pass && !is_out)
            m->events[m->n_events++] = e;
    }
    qsort(m->events, m->n_events, sizeof(struct recorded_event *), by_tick);
}

/* What a hand or a foot does while it plays, and not what sets the track up. */
static bool is_gesture(const uint8_t *data)
{
    int kind = data[0] & 0xf0, number = data[1];
    bool is_pedal = number >= CC_PEDAL && number < CC_PEDAL + 6;
    return kind == 0xa0 || kind == 0xd0 || kind == 0xe0 ||
           (kind == 0xb0 &&
            (is_pedal || number == CC_MODULATION || number == CC_EXPRESSION));
}

static bool was_played(const struct making *m, const uint8_t *data)
{
    for (size_t i = 0; i < m->n_events; i++)
        if (m->events[i]->data[0] == data[0] && m->events[i]->data[1] == data[1])
            return true;
    return false;
}

static enum midi_status remove_events(struct making *m, const struct track *t)
{
    const struct chunk *c = &m->score->chunks[t->chunk];
    enum midi_status st = MIDI_OK;
    for (size_t i = control_first_event(c, m->span->from);
         !st && i < c->n_events && c->events[i].tick < m->span->to; i++) {
        const struct event *e = &c->events[i];
        bool is_own = e->n_data >= 2 && e->data[0] >= 0xa0 && e->data[0] < 0xf0 &&
                      (e->data[0] & 15) == t->channel;
        if (is_own && (is_gesture(e->data) ||
                       ((e->data[0] & 0xf0) == 0xb0 && was_played(m, e->data))))
            st = change_event(m->change, t->chunk, e, NULL);
    }
    return st;
}

struct last_place {
    int64_t tick;
    uint32_t order, apart; /* apart: between tracks that share a chunk */
};

static bool has_event(const struct chunk *c, int64_t tick, const uint8_t *data,
                      size_t n)
{
    for (size_t i = control_first_event(c, tick);
         i < c->n_events && c->events[i].tick == tick; i++)
        if (c->events[i].n_data == n && !memcmp(c->events[i].data, data, n))
            return true;
    return false;
}

/* Each has a place of its own, after the last that was put. */
static enum midi_status put_event(struct making *m, int chunk, struct last_place *last,
                                  int64_t tick, const uint8_t *data, size_t n)
{
    uint8_t bytes[3] = {data[0], data[1], n > 2 ? data[2] : 0};
    if (m->is_again && has_event(&m->score->chunks[chunk], tick, bytes, n))
        return MIDI_OK;
    bool again = tick == last->tick && last->order < ORDER_LAST;
    uint32_t first = control_next_order(&m->score->chunks[chunk], tick);
    uint32_t order = again                              ? last->order + 1
                     : first < ORDER_LAST - last->apart ? first + last->apart
                                                        : ORDER_LAST;
    last->tick = tick;
    last->order = order;
    struct event e = {
        .tick = tick, .order = order, .n_data = (uint32_t)n, .data = bytes};
    return change_event(m->change, chunk, NULL, &e);
}

/* What was held when it ended does not hold for the rest of the piece. */
static enum midi_status release_at_end(struct making *m, int chunk,
                                       struct last_place *last, struct held_keys *held)
{
    uint8_t data[3];
    enum midi_status st = MIDI_OK;
    while (!st && held_keys_end(held, data))
        st = put_event(m, chunk, last, m->span->to, data,
                       (data[0] & 0xf0) == 0xd0 ? 2 : 3);
    return st;
}

/* Those that were collected. */
static enum midi_status put_events(struct making *m, int track)
{
    const struct track *t = &m->score->tracks[track];
    struct last_place last = {-1, 0, (uint32_t)track << 12};
    struct held_keys held = {0};
    enum midi_status st = MIDI_OK;
    for (size_t i = 0; !st && i < m->n_events; i++) {
        const struct recorded_event *e = m->events[i];
        held_keys_follow(&held, e->data);
        st = put_event(m, t->chunk, &last, e->tick, e->data, e->n_data);
    }
    return st ? st : release_at_end(m, t->chunk, &last, &held);
}

enum midi_status making_change_events(struct making *m, int track)
{
    collect_events(m, track);
    enum midi_status st =
        making_replaces(m) ? remove_events(m, &m->score->tracks[track]) : MIDI_OK;
    return st ? st : put_events(m, track);
}

/* -- gestures alone -- */

static int by_track(const void *a, const void *b)
{
    const struct recorded_event *x = *(const struct recorded_event *const *)a;
    const struct recorded_event *y = *(const struct recorded_event *const *)b;
    return x->track != y->track ? (x->track > y->track) - (x->track < y->track)
                                : by_tick(a, b);
}

/* Those in the span, of tracks that there are, by track and then by tick. */
static size_t list_gestures(const struct making *m, const struct recorded_event **list)
{
    size_t n = 0;
    for (size_t i = 0; i < m->recording->n_events; i++) {
        const struct recorded_event *e = &m->recording->events[i];
        bool is_on_track = e->track >= 0 && (size_t)e->track < m->score->n_tracks;
        if (is_on_track && e->pass == m->pass && making_has(m, e->tick))
            list[n++] = e;
    }
    qsort(list, n, sizeof(struct recorded_event *), by_track);
    return n;
}

enum midi_status change_add_gestures(struct change *c, const struct score *s,
                                     const struct recording *r, int64_t from,
                                     int64_t to)
{
    const struct record_span span = {.mode = RECORD_PUNCH, .from = from, .to = to};
    struct making m = {
        .score = s, .recording = r, .span = &span, .change = c, .is_again = true};
    const struct recorded_event **list =
        calloc(r->n_events + 1, sizeof(struct recorded_event *));
    enum midi_status st = list ? MIDI_OK : MIDI_NO_MEMORY;
    size_t n = list ? list_gestures(&m, list) : 0;
    for (size_t i = 0; !st && i < n; i += m.n_events) {
        m.events = &list[i];
        m.n_events = 1;
        while (i + m.n_events < n && list[i + m.n_events]->track == list[i]->track)
            m.n_events++;
        st = put_events(&m, list[i]->track);
    }
    free(list);
    return st;
}
