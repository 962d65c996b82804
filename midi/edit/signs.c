/* The signs of a score: one pass over its events, then sorted. */
#include "midi/edit/signs.h"

#include "midi/score/chunk.h"

#include <stdlib.h>
#include <string.h>

static const uint8_t *meta(const struct event *e, uint8_t type, size_t least)
{
    size_t n;
    const uint8_t *data = event_meta(e, type, &n);
    return data && n >= least ? data : NULL;
}

static bool read_tempo(struct sign *g, const struct event *e)
{
    const uint8_t *us = meta(e, META_TEMPO, 3);
    int n = us ? us[0] << 16 | us[1] << 8 | us[2] : 0;
    if (!n)
        return false;
    g->kind = SIGN_TEMPO;
    g->bpm = 60e6 / n;
    return true;
}

static bool read_meter(struct sign *g, const struct event *e)
{
    const uint8_t *meter = meta(e, META_METER, 2);
    if (!meter || !meter[0] || meter[1] > 7)
        return false;
    g->kind = SIGN_METER;
    g->numerator = meter[0];
    g->denominator = 1 << meter[1];
    return true;
}

static bool read_key(struct sign *g, const struct event *e)
{
    const uint8_t *key = meta(e, META_KEY, 2);
    if (!key)
        return false;
    g->kind = SIGN_KEY;
    g->sharps = key[0] < 128 ? key[0] : key[0] - 256;
    g->minor = key[1] == 1;
    return g->sharps >= -7 && g->sharps <= 7;
}

static bool read_sign(struct sign *g, const struct event *e)
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
        g->kind = SIGN_MARKER;
        break;
    case META_CUE:
        g->kind = SIGN_CUE;
        break;
    case META_LYRIC:
        g->kind = SIGN_LYRIC;
        break;
    default:
        return false;
    }
    return meta(e, e->data[1], 0);
}

static bool append(struct signs *to, size_t *capacity, const struct sign *g)
{
    if (to->n == *capacity) {
        size_t grown = *capacity ? 2 * *capacity : 16;
        struct sign *list = reallocarray(to->list, grown, sizeof *list);
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
    const struct sign *x = a, *y = b;
    if (x->tick != y->tick)
        return x->tick < y->tick ? -1 : 1;
    if (x->kind != y->kind)
        return (int)x->kind - (int)y->kind;
    if (x->chunk != y->chunk)
        return x->chunk - y->chunk;
    return (x->event > y->event) - (x->event < y->event);
}

static bool collect_chunk(struct signs *to, size_t *capacity, const struct score *s,
                          int chunk, unsigned kinds)
{
    const struct chunk *c = &s->chunks[chunk];
    for (size_t i = 0; i < c->n_events; i++) {
        struct sign g = {.tick = c->events[i].tick, .chunk = chunk, .event = i};
        if (read_sign(&g, &c->events[i]) && (kinds & SIGN(g.kind)) &&
            !append(to, capacity, &g))
            return false;
    }
    return true;
}

enum midi_status signs_collect(struct signs *out, const struct score *s, unsigned kinds)
{
    size_t capacity = 0;
    *out = (struct signs){0};
    for (size_t c = 0; c < s->n_chunks; c++)
        if (!collect_chunk(out, &capacity, s, (int)c, kinds)) {
            signs_fini(out);
            return MIDI_NO_MEMORY;
        }
    if (out->n)
        qsort(out->list, out->n, sizeof *out->list, compare);
    return MIDI_OK;
}

void signs_fini(struct signs *g)
{
    free(g->list);
    *g = (struct signs){0};
}

size_t signs_first_at(const struct signs *g, int64_t tick)
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

const uint8_t *sign_text(const struct score *s, const struct sign *g, size_t *n)
{
    const struct event *e = &s->chunks[g->chunk].events[g->event];
    *n = 0;
    return g->kind >= SIGN_MARKER ? event_meta(e, e->data[1], n) : e->data;
}

const char *sign_copy(const struct score *s, const struct sign *g, char *buf, size_t n)
{
    size_t n_text;
    const uint8_t *text = sign_text(s, g, &n_text);
    size_t most = n_text < n - 1 ? n_text : n - 1;
    memcpy(buf, text, most);
    buf[most] = '\0';
    return buf;
}
