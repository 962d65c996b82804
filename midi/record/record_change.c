/* Makes one change of a pass of a recording.
 *
 * Recording never makes notes of one pitch overlap on a track: a note ends where it is
 * struck again, and a played note ends where the next existing one begins. */
#include "midi/record/record.h"
#include "midi/base/array.h"

#include "midi/edit/controllers.h"
#include "midi/transport/held_keys.h"

#include <stdlib.h>
#include <string.h>

struct pass_builder {
    const struct score *score;
    const struct recording *recording;
    unsigned pass;
    const struct record_span *span;
    struct change *change;
    bool is_again; /* skips events that the score has */

    struct note *notes; /* room for all played notes; holds those of one track */
    size_t n_notes;     /* of `notes`, which are sorted by pitch and start */
    const struct recorded_event **events; /* room for all; of one track, by tick */
    size_t n_events;
};

/* Whether the tick lies in the span. */
static bool making_has(const struct pass_builder *m, int64_t tick)
{
    return tick >= m->span->from && tick < m->span->to;
}

static bool making_replaces(const struct pass_builder *m)
{
    return m->span->mode == RECORD_REPLACE || m->span->mode == RECORD_PUNCH;
}

static int by_tick(const void *a, const void *b)
{
    const struct recorded_event *x = *(const struct recorded_event *const *)a;
    const struct recorded_event *y = *(const struct recorded_event *const *)b;
    if (x->tick != y->tick)
        return x->tick < y->tick ? -1 : 1;
    return (x > y) - (x < y); /* both are in one array, in the order played */
}

static void collect_events(struct pass_builder *m, int track)
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

/* Whether the message is a gesture of hand or foot, and does not set up the track. */
static bool is_gesture(const uint8_t *data)
{
    int kind = data[0] & 0xf0, number = data[1];
    bool is_pedal = number >= CC_PEDAL && number <= CC_PEDAL_LAST;
    return kind == 0xa0 || kind == 0xd0 || kind == 0xe0 ||
           (kind == 0xb0 &&
            (is_pedal || number == CC_MODULATION || number == CC_EXPRESSION));
}

/* Whether the message is a controller that was played, too. */
static bool was_played(const struct pass_builder *m, const uint8_t *data)
{
    bool played = false;
    for (size_t i = 0; (data[0] & 0xf0) == 0xb0 && i < m->n_events; i++)
        played |= m->events[i]->data[0] == data[0] && m->events[i]->data[1] == data[1];
    return played;
}

static void remove_events(struct pass_builder *m, const struct track *t)
{
    const struct chunk *c = &m->score->chunks[t->chunk];
    for (size_t i = ARRAY_FIRST_AT(c->events, c->n_events, m->span->from);
         i < c->n_events && c->events[i].tick < m->span->to; i++) {
        const struct event *e = &c->events[i];
        bool is_own = e->n_data >= 2 && e->data[0] >= 0xa0 && e->data[0] < 0xf0 &&
                      (e->data[0] & 15) == t->channel;
        if (is_own && (is_gesture(e->data) || was_played(m, e->data)))
            change_event(m->change, t->chunk, e, NULL);
    }
}

struct last_place {
    int64_t tick;
    uint32_t order, apart; /* `apart` spaces the orders of tracks that share a chunk */
};

/* Adds an event after all others at its tick, with an order that no other event has. */
static void put_event(struct pass_builder *m, int chunk, struct last_place *last,
                      int64_t tick, const uint8_t *data, size_t n)
{
    uint8_t bytes[3] = {data[0], data[1], n > 2 ? data[2] : 0};
    const struct chunk *c = &m->score->chunks[chunk];
    for (size_t i = ARRAY_FIRST_AT(c->events, c->n_events, tick);
         m->is_again && i < c->n_events && c->events[i].tick == tick; i++)
        if (c->events[i].n_data == n && !memcmp(c->events[i].data, bytes, n))
            return;
    bool again = tick == last->tick && last->order < ORDER_LAST;
    uint32_t first = control_next_order(c, tick);
    uint32_t order = again                              ? last->order + 1
                     : first < ORDER_LAST - last->apart ? first + last->apart
                                                        : ORDER_LAST;
    last->tick = tick;
    last->order = order;
    struct event e = {tick, order, (uint32_t)n, bytes};
    change_event(m->change, chunk, NULL, &e);
}

/* Adds the collected events. */
static void put_events(struct pass_builder *m, int track)
{
    const struct track *t = &m->score->tracks[track];
    uint8_t end[3];
    struct last_place last = {-1, 0, (uint32_t)track << 12};
    struct held_keys held = {0};
    for (size_t i = 0; i < m->n_events; i++) {
        const struct recorded_event *e = m->events[i];
        held_keys_follow(&held, e->data);
        put_event(m, t->chunk, &last, e->tick, e->data, e->n_data);
    }
    /* What is held at the end is released, or it would hold for the rest of the
     * piece. */
    while (held_keys_end(&held, end))
        put_event(m, t->chunk, &last, m->span->to, end,
                  (end[0] & 0xf0) == 0xd0 ? 2 : 3);
}

enum midi_status change_add_gestures(struct change *c, const struct score *s,
                                     const struct recording *r, int64_t from,
                                     int64_t to)
{
    const struct record_span span = {.mode = RECORD_PUNCH, .from = from, .to = to};
    struct pass_builder m = {
        .score = s, .recording = r, .span = &span, .change = c, .is_again = true};
    m.events = calloc(r->n_events + 1, sizeof(struct recorded_event *));
    if (!m.events)
        return change_fail(c, MIDI_NO_MEMORY);
    for (int t = 0; t < (int)s->n_tracks; t++) {
        collect_events(&m, t);
        put_events(&m, t);
    }
    free(m.events);
    return change_status(c);
}

/* -- played notes of a track -- */

static int by_pitch(const void *a, const void *b)
{
    const struct note *x = a, *y = b;
    if (x->pitch != y->pitch)
        return x->pitch - y->pitch;
    return (x->start > y->start) - (x->start < y->start);
}

static void collect_notes(struct pass_builder *m, int track)
{
    m->n_notes = 0;
    for (size_t i = 0; i < m->recording->n_notes; i++) {
        const struct recorded_note *r = &m->recording->notes[i];
        struct note n = r->note;
        bool is_out = m->span->mode == RECORD_PUNCH && !making_has(m, n.start);
        if (r->track != track || r->pass != m->pass || is_out)
            continue;
        if (m->span->mode == RECORD_PUNCH && n.length > m->span->to - n.start)
            n.length = m->span->to - n.start;
        m->notes[m->n_notes++] = n;
    }
    qsort(m->notes, m->n_notes, sizeof *m->notes, by_pitch);
    /* Two keyboards may have played the same key. Of two notes struck at once the later
     * stays. */
    for (size_t i = 0; i + 1 < m->n_notes; i++) {
        struct note *n = &m->notes[i];
        const struct note *next = n + 1;
        if (n->pitch == next->pitch && n->length > next->start - n->start)
            n->length = next->start - n->start;
    }
}

/* -- existing notes -- */

static bool overlaps_next(const struct note *n, const struct note *next)
{
    return n->pitch == next->pitch && n->start <= next->start &&
           n->length > next->start - n->start;
}

static void meet_note(struct pass_builder *m, int track, const struct note *n)
{
    size_t i; /* of the first played note of its pitch from its start on */
    ARRAY_PASS(i, m->n_notes, by_pitch(&m->notes[i], n) < 0);
    struct note *after = i < m->n_notes ? &m->notes[i] : NULL;
    const bool is_struck =
        after && after->pitch == n->pitch && after->start == n->start;
    if ((making_replaces(m) && making_has(m, n->start)) || is_struck) {
        change_remove_note(m->change, track, n);
        return;
    }
    if (i > 0 && overlaps_next(&m->notes[i - 1], n))
        m->notes[i - 1].length = n->start - m->notes[i - 1].start;
    if (!after || !overlaps_next(n, after))
        return;
    struct note cut = *n;
    cut.length = after->start - n->start;
    cut.raw_length = 0;
    change_replace_note(m->change, track, n, cut);
}

static void change_notes(struct pass_builder *m, int track)
{
    const struct track *t = &m->score->tracks[track];
    collect_notes(m, track);
    for (size_t i = 0; i < t->n_notes; i++)
        meet_note(m, track, &t->notes[i]);
    for (size_t i = 0; i < m->n_notes; i++)
        if (m->notes[i].length > 0)
            change_add_note(m->change, track, m->notes[i]);
}

/* -- all of it -- */

struct change *record_change(const struct score *s, const struct recording *r,
                             unsigned pass, const struct record_span *span,
                             const char *label)
{
    struct pass_builder m = {
        .score = s,
        .recording = r,
        .pass = pass,
        .span = span,
        .change = change_create(label),
        .notes = calloc(r->n_notes + 1, sizeof *m.notes),
        .events = calloc(r->n_events + 1, sizeof(struct recorded_event *)),
    };
    const bool has_memory = m.change && m.notes && m.events;
    for (int t = 0; has_memory && t < (int)s->n_tracks; t++) {
        bool concerns = making_replaces(&m) && t < 64 && span->tracks >> t & 1;
        for (size_t i = 0; !concerns && i < r->n_notes; i++)
            concerns = r->notes[i].track == t;
        for (size_t i = 0; !concerns && i < r->n_events; i++)
            concerns = r->events[i].track == t;
        if (!concerns)
            continue;
        change_notes(&m, t);
        collect_events(&m, t);
        if (making_replaces(&m))
            remove_events(&m, &s->tracks[t]);
        put_events(&m, t);
    }
    free(m.notes);
    free(m.events);
    if (has_memory && !change_status(m.change))
        return m.change;
    change_destroy(m.change);
    return NULL;
}
