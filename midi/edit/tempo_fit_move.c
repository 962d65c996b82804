/* Moves everything to its planned tick. Events that meet at one tick stay in order; the
 * new tempos and meters come before them. */
#include "midi/edit/tempo_fit.h"
#include "midi/base/array.h"

#include "midi/edit/apply.h"
#include "midi/score/chunk.h"
#include "midi/score/notes.h"

#include <stdlib.h>

struct moving {
    struct change *change;
    const struct score *score;
    const struct tempo_fit *plan;
    const struct tempo_fit_request *request;
};

static int64_t new_tick(const struct moving *m, int64_t tick)
{
    return tempo_fit_tick(m->plan, m->score, tick);
}

/* -- notes -- */

static int32_t cut(int64_t ticks)
{
    return (int32_t)(ticks > INT32_MAX    ? INT32_MAX
                     : ticks < -INT32_MAX ? -INT32_MAX
                                          : ticks);
}

/* Returns the note at its new time; its played time moves along. */
static struct note moved_note(const struct moving *m, const struct note *n)
{
    struct note to = *n;
    int64_t end = n->start + n->length;
    int64_t played = n->start + n->raw_start;
    int64_t played_end = played + n->length + n->raw_length;
    to.start = new_tick(m, n->start);
    to.length = new_tick(m, end) - to.start;
    if (to.length < 1 && n->length > 0)
        to.length = 1;
    if (n->raw_start || n->raw_length) {
        int64_t start = new_tick(m, played);
        to.raw_start = cut(start - to.start);
        to.raw_length = cut(new_tick(m, played_end) - start - to.length);
    }
    return to;
}

/* A note lasts at least one tick. So in bars of very few ticks it can reach into the
 * next note of its pitch, with which it did not overlap before. Then the fit is
 * refused. */
static enum midi_status move_notes(const struct moving *m, int track,
                                   struct tempo_fit_report *r)
{
    const struct track *t = &m->score->tracks[track];
    int64_t ended[128] = {0}, ends[128] = {0}; /* last ends by pitch, old and new */
    enum midi_status st = MIDI_OK;
    for (size_t i = 0; !st && i < t->n_notes; i++) {
        const struct note *n = &t->notes[i];
        if (n->start + n->length <= m->plan->from)
            continue;
        struct note to = moved_note(m, n);
        int64_t *was = &ended[n->pitch], *is = &ends[n->pitch];
        if (n->start >= *was && to.start < *is) {
            r->error = TEMPO_FIT_TOO_CLOSE;
            r->close_tick = n->start;
            return MIDI_BAD_EDIT;
        }
        *was = n->start + n->length > *was ? n->start + n->length : *was;
        *is = to.start + to.length > *is ? to.start + to.length : *is;
        if (!note_equal(&to, n))
            st = change_replace_note(m->change, track, n, to);
    }
    return st;
}

/* -- events -- */

/* Removes the tempos and meters of all chunks from `from` on, the last first, so that
 * undo restores each after those of equal tick and order. */
static enum midi_status remove_timeline(const struct moving *m)
{
    enum midi_status st = MIDI_OK;
    for (size_t k = 0; k < m->score->n_chunks; k++) {
        const struct chunk *c = &m->score->chunks[k];
        size_t first = ARRAY_FIRST_AT(c->events, c->n_events, m->plan->from);
        for (size_t i = c->n_events; !st && i > first; i--)
            if (event_is_timeline(&c->events[i - 1]))
                st = change_event(m->change, (int)k, &c->events[i - 1], NULL);
    }
    return st;
}

/* The last order that is used at a tick. */
struct taken {
    int64_t tick;
    uint32_t order;
    bool is_any;
};

/* Returns an order for an event at `tick`: `order`, or the next one after those used
 * there. */
static uint32_t take_place(struct taken *t, int64_t tick, uint32_t order)
{
    if (t->is_any && t->tick == tick && order <= t->order)
        order = t->order < ORDER_LAST ? t->order + 1 : ORDER_LAST;
    *t = (struct taken){tick, order, true};
    return order;
}

/* Returns the tick of a second meter, which ends the upbeat, a short bar; it is `from`
 * if there is no upbeat. */
static int64_t second_meter(const struct tempo_fit *p)
{
    return p->from + (p->first_tick - p->from) % p->bar_ticks;
}

/* Whether the tempo changes at the i-th moment. */
static bool has_tempo(const struct tempo_fit *p, size_t i)
{
    size_t before = i;
    while (before > 0 && !(p->at[before - 1].us > 0))
        before--;
    return i + 1 < p->n && p->at[i].us > 0 &&
           (before == 0 || p->at[before - 1].us != p->at[i].us);
}

struct timeline_put {
    size_t next;  /* index of the next moment */
    int n_meters; /* number of meters put so far */
};

/* Returns the tick of the next tempo or meter, or INT64_MAX. */
static int64_t next_timeline_tick(const struct moving *m, struct timeline_put *put,
                                  bool *is_meter)
{
    const struct tempo_fit *p = m->plan;
    int64_t meter = put->n_meters == 0 ? p->from : second_meter(p);
    bool has_meter = put->n_meters < 1 + (second_meter(p) > p->from);
    while (put->next + 1 < p->n && !has_tempo(p, put->next))
        put->next++;
    int64_t tempo = put->next + 1 < p->n ? p->at[put->next].tick : INT64_MAX;
    *is_meter = has_meter && meter <= tempo;
    return *is_meter ? meter : tempo;
}

/* Puts all tempos and meters up to `tick`. */
static enum midi_status put_timeline(const struct moving *m, int chunk,
                                     struct taken *taken, struct timeline_put *put,
                                     int64_t tick)
{
    enum midi_status st = MIDI_OK;
    uint8_t data[7];
    bool is_meter;
    for (int64_t at; !st && (at = next_timeline_tick(m, put, &is_meter)) <= tick &&
                     at < INT64_MAX;) {
        size_t n = is_meter
                       ? event_meter_write(data, m->request->numerator,
                                           m->request->denominator)
                       : event_tempo_write(data, (uint32_t)m->plan->at[put->next].us);
        struct event e = {at, take_place(taken, at, ORDER_FIRST), (uint32_t)n, data};
        st = change_event(m->change, chunk, NULL, &e);
        if (is_meter)
            put->n_meters++;
        else
            put->next++;
    }
    return st;
}

/* Finds the new tick and order of each of the chunk's events, places[i]. If this chunk
 * is to hold the new tempos and meters, puts them between the events. */
static enum midi_status find_places(const struct moving *m, int chunk,
                                    bool with_timeline, struct taken *places)
{
    const struct chunk *c = &m->score->chunks[chunk];
    struct taken taken = {0};
    struct timeline_put put = {0};
    enum midi_status st = MIDI_OK;
    for (size_t i = ARRAY_FIRST_AT(c->events, c->n_events, m->plan->from);
         !st && i < c->n_events; i++) {
        const struct event *e = &c->events[i];
        int64_t tick = new_tick(m, e->tick);
        if (event_is_timeline(e))
            continue;
        if (with_timeline)
            st = put_timeline(m, chunk, &taken, &put, tick);
        take_place(&taken, tick, e->order);
        places[i] = taken;
    }
    return st || !with_timeline ? st : put_timeline(m, chunk, &taken, &put, INT64_MAX);
}

static enum midi_status move_events(const struct moving *m, int chunk,
                                    bool with_timeline)
{
    const struct chunk *c = &m->score->chunks[chunk];
    struct taken *places = calloc(c->n_events + 1, sizeof *places);
    size_t first = ARRAY_FIRST_AT(c->events, c->n_events, m->plan->from);
    enum midi_status st =
        places ? find_places(m, chunk, with_timeline, places) : MIDI_NO_MEMORY;
    for (size_t i = c->n_events; !st && i > first; i--) {
        const struct event *e = &c->events[i - 1];
        const struct taken *to = &places[i - 1];
        const struct event moved = {to->tick, to->order, e->n_data, e->data};
        if (to->is_any && event_compare(e, &moved) != 0)
            st = change_event(m->change, chunk, e, &moved);
    }
    free(places);
    return st;
}

enum midi_status tempo_fit_move(struct change *c, const struct score *s,
                                const struct tempo_fit *p,
                                const struct tempo_fit_request *w,
                                struct tempo_fit_report *r)
{
    const struct moving m = {c, s, p, w};
    int first = score_first_chunk(s);
    enum midi_status st = first < 0 ? MIDI_BAD_EDIT : remove_timeline(&m);
    for (int k = 0; !st && k < (int)s->n_chunks; k++)
        if (!s->chunks[k].is_unknown)
            st = move_events(&m, k, k == first);
    for (int t = 0; !st && t < (int)s->n_tracks; t++)
        st = move_notes(&m, t, r);
    return st ? st : change_remove_taps(c, s, p->from, INT64_MAX);
}
