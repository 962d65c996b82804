/* Timeline events are collected in one pass and then sorted. */
#include "midi/edit/timeline_events.h"

#include "midi/base/array.h"
#include "midi/score/chord.h"
#include "midi/score/chunk.h"
#include "midi/edit/apply.h"
#include "midi/score/notes.h"

#include <stdlib.h>
#include <string.h>

static const uint8_t TEXTS[TIMELINE_KINDS] = {[TIMELINE_MARKER] = META_MARKER,
                                              [TIMELINE_CUE_POINT] = META_CUE,
                                              [TIMELINE_LYRIC] = META_LYRIC,
                                              [TIMELINE_CHORD] = META_TEXT};

static bool is_chord(const uint8_t *text, size_t n)
{
    char symbol[CHORD_TEXT] = "";
    struct chord_symbol c;
    if (n < 1 || n >= sizeof symbol || memchr(text, 0, n))
        return false;
    memcpy(symbol, text, n);
    return chord_symbol_read(symbol, &c);
}

bool chunk_is_karaoke(const struct chunk *c)
{
    for (size_t i = 0; i < c->n_events; i++) {
        size_t n;
        const uint8_t *text = event_meta(&c->events[i], META_TEXT, &n);
        if (text && n && *text == '@')
            return true;
    }
    return false;
}

static bool read_event(struct timeline_event *g, const struct event *e)
{
    size_t n;
    int us;
    if (!e->n_data || e->data[0] != 0xFF) /* most events are no metas */
        return false;
    for (int kind = TIMELINE_MARKER; kind <= TIMELINE_LYRIC; kind++)
        if (event_meta(e, TEXTS[kind], &n)) {
            g->kind = (enum timeline_kind)kind;
            return true;
        }
    const uint8_t *text = event_meta(e, META_TEXT, &n);
    g->kind = TIMELINE_CHORD;
    if (text)
        return is_chord(text, n);
    if (event_tempo_read(e, &us)) {
        g->kind = TIMELINE_TEMPO;
        g->bpm = us ? 60e6 / us : 0;
        return us;
    }
    if (event_meter_read(e, &g->numerator, &g->denominator)) {
        g->kind = TIMELINE_METER;
        return g->numerator;
    }
    const uint8_t *key = event_meta(e, META_KEY, &n);
    if (!key || n < 2)
        return false;
    g->kind = TIMELINE_KEY;
    g->sharps = key[0] < 128 ? key[0] : key[0] - 256;
    g->minor = key[1] == 1;
    return g->sharps >= -7 && g->sharps <= 7;
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

enum midi_status timeline_events_collect(struct timeline_events *out,
                                         const struct score *s, unsigned kinds)
{
    size_t capacity = 0;
    *out = (struct timeline_events){0};
    for (size_t k = 0; k < s->n_chunks; k++) {
        const struct chunk *c = &s->chunks[k];
        const bool has_words =
            kinds & TIMELINE_BIT(TIMELINE_CHORD) && chunk_is_karaoke(c);
        const unsigned here = has_words ? kinds & ~TIMELINE_BIT(TIMELINE_CHORD) : kinds;
        for (size_t i = 0; i < c->n_events; i++) {
            struct timeline_event g = {
                .tick = c->events[i].tick, .chunk = (int)k, .event = i};
            if (read_event(&g, &c->events[i]) && (here & TIMELINE_BIT(g.kind)) &&
                !array_add(&out->list, &out->n, &capacity, &g, sizeof g)) {
                timeline_events_fini(out);
                return MIDI_NO_MEMORY;
            }
        }
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

enum midi_status timeline_signature(const struct score *s, int64_t tick,
                                    struct signature *out)
{
    struct timeline_events g;
    enum midi_status st = timeline_events_collect(&g, s, TIMELINE_BIT(TIMELINE_KEY));
    size_t i = 0;
    *out = (struct signature){0};
    while (!st && i + 1 < g.n && g.list[i + 1].tick <= tick)
        i++;
    if (!st && g.n)
        *out = signature_of(g.list[i].sharps, g.list[i].minor);
    timeline_events_fini(&g);
    return st;
}

static const struct event *event_of(const struct score *s,
                                    const struct timeline_event *g)
{
    return &s->chunks[g->chunk].events[g->event];
}

const uint8_t *timeline_event_text(const struct score *s,
                                   const struct timeline_event *g, size_t *n)
{
    const struct event *e = event_of(s, g);
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

enum midi_status change_remove_timeline(struct change *c, const struct score *s,
                                        enum timeline_kind kind, int64_t from,
                                        int64_t to)
{
    struct timeline_events g;
    enum midi_status st = timeline_events_collect(&g, s, TIMELINE_BIT(kind));
    for (size_t i = 0; !st && i < g.n; i++)
        if (g.list[i].tick >= from && g.list[i].tick < to)
            change_remove_timeline_event(c, s, &g.list[i]);
    timeline_events_fini(&g);
    return change_fail(c, st);
}

static enum midi_status put_event(struct change *c, const struct score *s, int64_t tick,
                                  uint8_t *data, size_t n)
{
    int chunk = score_first_chunk(s);
    if (chunk < 0)
        return change_fail(c, MIDI_BAD_EDIT);
    uint32_t order = change_free_order(c, s, chunk, tick);
    struct event e = {tick, order, (uint32_t)n, data};
    return change_event(c, chunk, NULL, &e);
}

enum midi_status change_add_chord(struct change *c, const struct score *s, int64_t tick,
                                  const char *symbol)
{
    uint8_t data[CHORD_TEXT + 6];
    size_t n = strlen(symbol);
    int chunk = score_first_chunk(s);
    if (tick < 0 || tick > TICK_MAX || chunk < 0 ||
        !is_chord((const uint8_t *)symbol, n) || chunk_is_karaoke(&s->chunks[chunk]))
        return change_fail(c, MIDI_BAD_EDIT);
    return put_event(c, s, tick, data, event_meta_write(data, META_TEXT, symbol, n));
}

enum midi_status change_set_text(struct change *c, const struct score *s,
                                 enum timeline_kind kind, int64_t tick,
                                 const char *text)
{
    uint8_t data[MOST_TEXT + 6];
    size_t n = strlen(text);
    if (kind < TIMELINE_MARKER || tick < 0 || tick > TICK_MAX || n > MOST_TEXT)
        return change_fail(c, MIDI_BAD_EDIT);
    if (!n || kind == TIMELINE_CHORD) {
        change_remove_timeline(c, s, kind, tick, tick + 1);
        return n ? change_add_chord(c, s, tick, text) : change_status(c);
    }
    return change_set_meta(c, s, tick, data,
                           event_meta_write(data, TEXTS[kind], text, n));
}

enum midi_status change_set_key(struct change *c, const struct score *s, int64_t tick,
                                int sharps, bool minor)
{
    uint8_t data[8];
    const uint8_t key[2] = {(uint8_t)sharps, minor};
    if (sharps < -7 || sharps > 7)
        return change_fail(c, MIDI_BAD_EDIT);
    return change_set_meta(c, s, tick, data,
                           event_meta_write(data, META_KEY, key, sizeof key));
}

/* -- ramps -- */

/* Adds a tempo; others at `tick` are removed already. */
static void put_tempo(struct change *c, const struct score *s, int64_t tick, double bpm)
{
    uint8_t data[6];
    size_t n = change_tempo_bytes(data, bpm);
    if (n)
        put_event(c, s, tick, data, n);
    else
        change_fail(c, MIDI_BAD_EDIT);
}

enum midi_status change_ramp_tempo(struct change *c, const struct score *s,
                                   int64_t from, int64_t to, double bpm_from,
                                   double bpm_to)
{
    if (from < 0 || to <= from || to > TICK_MAX)
        return change_fail(c, MIDI_BAD_EDIT);
    int n = 0;
    double step = (bpm_to - bpm_from) / (double)(to - from);
    change_remove_timeline(c, s, TIMELINE_TEMPO, from, to);
    for (int64_t at = from; at < to; at = timeline_next_beat(&s->timeline, at)) {
        if (++n > MOST_STEPS)
            return change_fail(c, MIDI_BAD_EDIT);
        put_tempo(c, s, at, bpm_from + step * (double)(at - from));
    }
    const struct timeline *t = &s->timeline;
    size_t next = ARRAY_FIRST_AT(t->tempos, t->n_tempos, to);
    if (next == t->n_tempos || t->tempos[next].tick > to)
        put_tempo(c, s, to, bpm_to);
    return change_status(c);
}
