/* Collects timeline events in one pass, then sorts them. */
#include "midi/edit/timeline_events.h"

#include "midi/score/chunk.h"
#include "midi/edit/apply.h"
#include "midi/score/notes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const uint8_t *meta(const struct event *e, uint8_t type, size_t least)
{
    size_t n;
    const uint8_t *data = event_meta(e, type, &n);
    return data && n >= least ? data : NULL;
}

static bool read_tempo(struct timeline_event *g, const struct event *e)
{
    const uint8_t *us = meta(e, META_TEMPO, 3);
    int n = us ? us[0] << 16 | us[1] << 8 | us[2] : 0;
    if (!n)
        return false;
    g->kind = TIMELINE_TEMPO;
    g->bpm = 60e6 / n;
    return true;
}

static bool read_meter(struct timeline_event *g, const struct event *e)
{
    const uint8_t *meter = meta(e, META_METER, 2);
    if (!meter || !meter[0] || meter[1] > 7)
        return false;
    g->kind = TIMELINE_METER;
    g->numerator = meter[0];
    g->denominator = 1 << meter[1];
    return true;
}

static bool read_key(struct timeline_event *g, const struct event *e)
{
    const uint8_t *key = meta(e, META_KEY, 2);
    if (!key)
        return false;
    g->kind = TIMELINE_KEY;
    g->sharps = key[0] < 128 ? key[0] : key[0] - 256;
    g->minor = key[1] == 1;
    return g->sharps >= -7 && g->sharps <= 7;
}

static bool read_event(struct timeline_event *g, const struct event *e)
{
    if (e->n_data < 3 || e->data[0] != 0xFF)
        return false;
    switch (e->data[1]) {
    case META_TEMPO:
        return read_tempo(g, e);
    case META_METER:
        return read_meter(g, e);
    case META_KEY:
        return read_key(g, e);
    case META_MARKER:
        g->kind = TIMELINE_MARKER;
        break;
    case META_CUE:
        g->kind = TIMELINE_CUE_POINT;
        break;
    case META_LYRIC:
        g->kind = TIMELINE_LYRIC;
        break;
    default:
        return false;
    }
    return meta(e, e->data[1], 0);
}

static bool append(struct timeline_events *to, size_t *capacity,
                   const struct timeline_event *g)
{
    if (to->n == *capacity) {
        size_t grown = *capacity ? 2 * *capacity : 16;
        struct timeline_event *list = reallocarray(to->list, grown, sizeof *list);
        if (!list)
            return false;
        to->list = list;
        *capacity = grown;
    }
    to->list[to->n++] = *g;
    return true;
}

static int compare(const void *a, const void *b)
{
    const struct timeline_event *x = a, *y = b;
    if (x->tick != y->tick)
        return x->tick < y->tick ? -1 : 1;
    if (x->kind != y->kind)
        return (int)x->kind - (int)y->kind;
    if (x->chunk != y->chunk)
        return x->chunk - y->chunk;
    return (x->event > y->event) - (x->event < y->event);
}

static bool collect_chunk(struct timeline_events *to, size_t *capacity,
                          const struct score *s, int chunk, unsigned kinds)
{
    const struct chunk *c = &s->chunks[chunk];
    for (size_t i = 0; i < c->n_events; i++) {
        struct timeline_event g = {
            .tick = c->events[i].tick, .chunk = chunk, .event = i};
        if (read_event(&g, &c->events[i]) && (kinds & TIMELINE_BIT(g.kind)) &&
            !append(to, capacity, &g))
            return false;
    }
    return true;
}

enum midi_status timeline_events_collect(struct timeline_events *out,
                                         const struct score *s, unsigned kinds)
{
    size_t capacity = 0;
    *out = (struct timeline_events){0};
    for (size_t c = 0; c < s->n_chunks; c++)
        if (!collect_chunk(out, &capacity, s, (int)c, kinds)) {
            timeline_events_fini(out);
            return MIDI_NO_MEMORY;
        }
    if (out->n)
        qsort(out->list, out->n, sizeof *out->list, compare);
    return MIDI_OK;
}

void timeline_events_fini(struct timeline_events *g)
{
    free(g->list);
    *g = (struct timeline_events){0};
}

size_t timeline_events_first_at(const struct timeline_events *g, int64_t tick)
{
    size_t lo = 0, hi = g->n;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (g->list[mid].tick < tick)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

const uint8_t *timeline_event_text(const struct score *s,
                                   const struct timeline_event *g, size_t *n)
{
    const struct event *e = &s->chunks[g->chunk].events[g->event];
    *n = 0;
    return g->kind >= TIMELINE_MARKER ? event_meta(e, e->data[1], n) : e->data;
}

const char *timeline_event_copy_text(const struct score *s,
                                     const struct timeline_event *g, char *buf,
                                     size_t n)
{
    size_t n_text;
    const uint8_t *text = timeline_event_text(s, g, &n_text);
    size_t most = n_text < n - 1 ? n_text : n - 1;
    memcpy(buf, text, most);
    buf[most] = '\0';
    return buf;
}

enum { MOST_STEPS = 4096, MOST_TEXT = 4096 };

static const struct event *event_of(const struct score *s,
                                    const struct timeline_event *g)
{
    return &s->chunks[g->chunk].events[g->event];
}

enum midi_status change_remove_timeline_event(struct change *c, const struct score *s,
                                              const struct timeline_event *g)
{
    return change_event(c, g->chunk, event_of(s, g), NULL);
}

enum midi_status change_move_timeline_event(struct change *c, const struct score *s,
                                            const struct timeline_event *g,
                                            int64_t tick)
{
    struct event moved = *event_of(s, g);
    moved.tick = tick;
    moved.order = change_free_order(c, s, g->chunk, tick);
    return change_event(c, g->chunk, event_of(s, g), &moved);
}

/* Removes those of one kind in [from, to). */
static enum midi_status remove_all(struct change *c, const struct score *s,
                                   enum timeline_kind kind, int64_t from, int64_t to)
{
    struct timeline_events g;
    enum midi_status st = timeline_events_collect(&g, s, TIMELINE_BIT(kind));
    for (size_t i = 0; !st && i < g.n; i++)
        if (g.list[i].tick >= from && g.list[i].tick < to)
            st = change_remove_timeline_event(c, s, &g.list[i]);
    timeline_events_fini(&g);
    return st;
}

enum midi_status change_set_text(struct change *c, const struct score *s,
                                 enum timeline_kind kind, int64_t tick,
                                 const char *text)
{
    uint8_t data[MOST_TEXT + 6];
    size_t n = strlen(text);
    uint8_t type = kind == TIMELINE_MARKER      ? META_MARKER
                   : kind == TIMELINE_CUE_POINT ? META_CUE
                                                : META_LYRIC;
    if (kind < TIMELINE_MARKER || tick < 0 || tick > TICK_MAX || n > MOST_TEXT)
        return MIDI_BAD_EDIT;
    if (!n)
        return remove_all(c, s, kind, tick, tick + 1);
    return change_set_meta(c, s, tick, data, event_meta_write(data, type, text, n));
}

/* -- ramps -- */

static bool has_tempo_at(const struct score *s, int64_t tick)
{
    const struct timeline *t = &s->timeline;
    for (size_t i = 0; i < t->n_tempos; i++)
        if (t->tempos[i].tick == tick)
            return tick > 0;
    return false;
}

/* Returns the next beat or bar line. */
static int64_t next_beat(const struct timeline *t, int64_t tick)
{
    struct bar bar = timeline_bar_at(t, tick);
    int64_t beat = timeline_beat_ticks(t, tick), end = bar.start + bar.length;
    int64_t next = bar.start + ((tick - bar.start) / beat + 1) * beat;
    return next < end ? next : end;
}

/* Replaces any tempo at `tick`. */
static enum midi_status put_tempo(struct change *c, const struct score *s, int64_t tick,
                                  double bpm)
{
    uint8_t data[6];
    double us = 60e6 / bpm;
    if (!(us >= 1 && us <= 0xFFFFFF)) /* also refuses NaN */
        return MIDI_BAD_EDIT;
    int chunk = score_first_chunk(s);
    if (chunk < 0)
        return MIDI_BAD_EDIT;
    event_tempo_write(data, (uint32_t)lround(us));
    struct event e = {.tick = tick,
                      .order = change_free_order(c, s, chunk, tick),
                      .n_data = sizeof data,
                      .data = data};
    return change_event(c, chunk, NULL, &e);
}

enum midi_status change_ramp_tempo(struct change *c, const struct score *s,
                                   int64_t from, int64_t to, double bpm_from,
                                   double bpm_to)
{
    if (from < 0 || to <= from || to > TICK_MAX)
        return MIDI_BAD_EDIT;
    int n = 0;
    double step = (bpm_to - bpm_from) / (double)(to - from);
    enum midi_status st = remove_all(c, s, TIMELINE_TEMPO, from, to);
    for (int64_t at = from; !st && at < to; at = next_beat(&s->timeline, at))
        st = ++n > MOST_STEPS
                 ? MIDI_BAD_EDIT
                 : put_tempo(c, s, at, bpm_from + step * (double)(at - from));
    if (!st && !has_tempo_at(s, to))
        st = put_tempo(c, s, to, bpm_to);
    return st;
}
