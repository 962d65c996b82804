/* Everything goes where the plan has it. The order of events that come to one tick stays
 * theirs, and the new tempos and meters stand before them. */
#include "midi/edit/lay_plan.h"

#include "midi/edit/apply.h"
#include "midi/score/chunk.h"
#include "midi/edit/controllers.h"
#include "midi/score/note.h"

#include <stdlib.h>
#include <string.h>

struct moving {
    struct change *change;
    const struct score *score;
    const struct lay_plan *plan;
    const struct lay_wish *wish;
};

static int64_t new_tick(const struct moving *m, int64_t tick)
{
    return lay_plan_tick(m->plan, m->score, tick);
}

/* -- notes -- */

static int32_t cut(int64_t ticks)
{
    return (int32_t)(ticks > INT32_MAX    ? INT32_MAX
                     : ticks < -INT32_MAX ? -INT32_MAX
                                          : ticks);
}

/* How it was played stays so too. */
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

static enum midi_status move_notes(const struct moving *m, int track)
{
    const struct track *t = &m->score->tracks[track];
    enum midi_status st = MIDI_OK;
    for (size_t i = 0; !st && i < t->n_notes; i++) {
        const struct note *n = &t->notes[i];
        if (n->start + n->length <= m->plan->from)
            continue;
        struct note to = moved_note(m, n);
        if (!note_equal(&to, n))
            st = change_replace_note(m->change, track, n, to);
    }
    return st;
}

/* -- events -- */

static bool is_sign(const struct event *e)
{
    size_t n;
    return event_meta(e, META_TEMPO, &n) || event_meta(e, META_METER, &n);
}

/* Those of all chunks from there on. The last first: undone, they come back one after
 * another, each after its equals by tick and order. */
static enum midi_status remove_signs(const struct moving *m)
{
    enum midi_status st = MIDI_OK;
    for (size_t k = 0; k < m->score->n_chunks; k++) {
        const struct chunk *c = &m->score->chunks[k];
        size_t first = control_first_event(c, m->plan->from);
        for (size_t i = c->n_events; !st && i > first; i--)
            if (is_sign(&c->events[i - 1]))
                st = change_event(m->change, (int)k, &c->events[i - 1], NULL);
    }
    return st;
}

/* The place that was taken last at a tick. */
struct taken {
    int64_t tick;
    uint32_t order;
    bool is_any;
};

/* At least `order`, and after what is there. */
static uint32_t take_place(struct taken *t, int64_t tick, uint32_t order)
{
    if (t->is_any && t->tick == tick && order <= t->order)
        order = t->order < ORDER_LAST ? t->order + 1 : ORDER_LAST;
    *t = (struct taken){tick, order, true};
    return order;
}

static enum midi_status put_sign(const struct moving *m, int chunk, struct taken *taken,
                                 int64_t tick, uint8_t *data, size_t n)
{
    struct event e = {.tick = tick,
                      .order = take_place(taken, tick, ORDER_FIRST),
                      .n_data = (uint32_t)n,
                      .data = data};
    return change_event(m->change, chunk, NULL, &e);
}

/* The meter stands at `from` and, where an upbeat makes a short bar, after that. */
static int64_t second_meter(const struct lay_plan *p)
{
    return p->from + (p->first_tick - p->from) % p->bar_ticks;
}

/* What the plan has at its i-th moment: a tempo that is another than before. */
static bool has_tempo(const struct lay_plan *p, size_t i)
{
    size_t before = i;
    while (before > 0 && !(p->at[before - 1].us > 0))
        before--;
    return i + 1 < p->n && p->at[i].us > 0 &&
           (before == 0 || p->at[before - 1].us != p->at[i].us);
}

struct signs_put {
    size_t next;  /* of the plan's moments */
    int n_meters; /* that were put */
};

/* The tick of the next tempo or meter; INT64_MAX: there is none. */
static int64_t next_sign(const struct moving *m, struct signs_put *put, bool *is_meter)
{
    const struct lay_plan *p = m->plan;
    int64_t meter = put->n_meters == 0 ? p->from : second_meter(p);
    bool has_meter = put->n_meters < 1 + (second_meter(p) > p->from);
    while (put->next + 1 < p->n && !has_tempo(p, put->next))
        put->next++;
    int64_t tempo = put->next + 1 < p->n ? p->at[put->next].tick : INT64_MAX;
    *is_meter = has_meter && meter <= tempo;
    return *is_meter ? meter : tempo;
}

/* All that are due up to `tick`. */
static enum midi_status put_signs(const struct moving *m, int chunk,
                                  struct taken *taken, struct signs_put *put,
                                  int64_t tick)
{
    enum midi_status st = MIDI_OK;
    uint8_t data[7];
    bool is_meter;
    for (int64_t at;
         !st && (at = next_sign(m, put, &is_meter)) <= tick && at < INT64_MAX;) {
        size_t n =
            is_meter ? event_meter_write(data, m->wish->numerator, m->wish->denominator)
                     : event_tempo_write(data, (uint32_t)m->plan->at[put->next].us);
        st = put_sign(m, chunk, taken, at, data, n);
        if (is_meter)
            put->n_meters++;
        else
            put->next++;
    }
    return st;
}

/* Where the chunk's events go, in places[i] that of the i-th, and new signs between them
 * where it is the chunk for those. */
static enum midi_status find_places(const struct moving *m, int chunk, bool with_signs,
                                    struct taken *places)
{
    const struct chunk *c = &m->score->chunks[chunk];
    struct taken taken = {0};
    struct signs_put put = {0};
    enum midi_status st = MIDI_OK;
    for (size_t i = control_first_event(c, m->plan->from); !st && i < c->n_events;
         i++) {
        const struct event *e = &c->events[i];
        int64_t tick = new_tick(m, e->tick);
        if (is_sign(e))
            continue;
        if (with_signs)
            st = put_signs(m, chunk, &taken, &put, tick);
        take_place(&taken, tick, e->order);
        places[i] = taken;
    }
    return st || !with_signs ? st : put_signs(m, chunk, &taken, &put, INT64_MAX);
}

static enum midi_status move_event(const struct moving *m, int chunk,
                                   const struct event *e, const struct taken *to)
{
    struct event moved = *e;
    moved.tick = to->tick;
    moved.order = to->order;
    bool is_same = to->tick == e->tick && to->order == e->order;
    return is_same ? MIDI_OK : change_event(m->change, chunk, e, &moved);
}

static enum midi_status move_events(const struct moving *m, int chunk, bool with_signs)
{
    const struct chunk *c = &m->score->chunks[chunk];
    struct taken *places = calloc(c->n_events + 1, sizeof *places);
    size_t first = control_first_event(c, m->plan->from);
    enum midi_status st =
        places ? find_places(m, chunk, with_signs, places) : MIDI_NO_MEMORY;
    for (size_t i = c->n_events; !st && i > first; i--)
        if (places[i - 1].is_any)
            st = move_event(m, chunk, &c->events[i - 1], &places[i - 1]);
    free(places);
    return st;
}

/* -- all of it -- */

static enum midi_status remove_taps(const struct moving *m)
{
    const struct taps *t = &m->score->taps;
    enum midi_status st = MIDI_OK;
    for (size_t i = taps_first_at(t, m->plan->from); !st && i < t->n; i++)
        st = change_tap(m->change, t->list[i], false);
    return st;
}

enum midi_status lay_move(struct change *c, const struct score *s,
                          const struct lay_plan *p, const struct lay_wish *w)
{
    const struct moving m = {c, s, p, w};
    int first = score_first_chunk(s);
    enum midi_status st = first < 0 ? MIDI_BAD_EDIT : remove_signs(&m);
    for (int k = 0; !st && k < (int)s->n_chunks; k++)
        if (!s->chunks[k].is_unknown)
            st = move_events(&m, k, k == first);
    for (int t = 0; !st && t < (int)s->n_tracks; t++)
        st = move_notes(&m, t);
    return st ? st : remove_taps(&m);
}
