/* The events of a chunk: blocks of bytes, sorted insertion, and reading and writing of
 * meta events. */
#include "midi/score/chunk.h"
#include "midi/base/array.h"
#include "midi/base/bytes.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct event_block {
    struct event_block *next;
    uint8_t bytes[];
};

uint8_t *chunk_alloc_data(struct chunk *c, size_t n)
{
    if (n > SIZE_MAX - sizeof(struct event_block))
        return NULL;
    struct event_block *b = malloc(sizeof *b + n);
    if (!b)
        return NULL;
    b->next = c->blocks;
    c->blocks = b;
    return b->bytes;
}

void chunk_fini(struct chunk *c)
{
    while (c->blocks) {
        struct event_block *next = c->blocks->next;
        free(c->blocks);
        c->blocks = next;
    }
    free(c->events);
    free(c->raw);
    *c = (struct chunk){0};
}

enum midi_status chunk_copy(struct chunk *to, const struct chunk *from)
{
    *to = *from;
    size_t n_bytes = 0;
    for (size_t i = 0; i < from->n_events; i++)
        n_bytes += from->events[i].n_data;
    to->blocks = NULL;
    to->raw = from->n_raw ? array_copy(from->raw, from->n_raw, 1) : NULL;
    to->events = array_copy(from->events, from->n_events, sizeof *to->events);
    to->cap_events = from->n_events;
    uint8_t *data = chunk_alloc_data(to, n_bytes);
    if ((from->n_raw && !to->raw) || !to->events || !data) {
        chunk_fini(to);
        return MIDI_NO_MEMORY;
    }
    for (size_t i = 0; i < to->n_events; i++) {
        memcpy(data, from->events[i].data, from->events[i].n_data);
        to->events[i].data = data;
        data += from->events[i].n_data;
    }
    return MIDI_OK;
}

int event_compare(const struct event *a, const struct event *b)
{
    if (a->tick != b->tick)
        return a->tick < b->tick ? -1 : 1;
    return (a->order > b->order) - (a->order < b->order);
}

bool event_equal(const struct event *a, const struct event *b)
{
    return event_compare(a, b) == 0 && a->n_data == b->n_data &&
           memcmp(a->data, b->data, a->n_data) == 0;
}

enum midi_status chunk_insert_event(struct chunk *c, const struct event *e)
{
    if (!ARRAY_GROW(c->events, c->n_events, c->cap_events))
        return MIDI_NO_MEMORY;
    struct event copy = *e;
    copy.data = chunk_alloc_data(c, e->n_data);
    if (!copy.data)
        return MIDI_NO_MEMORY;
    memcpy(copy.data, e->data, e->n_data);

    size_t at;
    ARRAY_PASS(at, c->n_events, event_compare(&c->events[at], e) <= 0);
    memmove(&c->events[at + 1], &c->events[at], (c->n_events - at) * sizeof *c->events);
    c->events[at] = copy;
    c->n_events++;
    return MIDI_OK;
}

const uint8_t *event_meta(const struct event *e, uint8_t type, size_t *n)
{
    if (e->n_data < 3 || e->data[0] != 0xFF || e->data[1] != type)
        return NULL;
    const uint8_t *at = e->data + 2, *end = e->data + e->n_data;
    uint32_t length;
    if (!vlq_read(&at, end, &length) || length > (size_t)(end - at))
        return NULL;
    *n = length;
    return at;
}

size_t event_meta_write(uint8_t *to, uint8_t type, const void *contents, size_t n)
{
    assert(n <= VLQ_MAX);
    to[0] = 0xFF;
    to[1] = type;
    size_t n_head = 2 + vlq_write(to + 2, (uint32_t)n);
    if (n)
        memcpy(to + n_head, contents, n);
    return n_head + n;
}

size_t event_tempo_write(uint8_t to[6], uint32_t us_per_quarter)
{
    uint8_t us[3] = {(uint8_t)(us_per_quarter >> 16), (uint8_t)(us_per_quarter >> 8),
                     (uint8_t)us_per_quarter};
    return event_meta_write(to, META_TEMPO, us, sizeof us);
}

/* MIDI counts 24 clocks a quarter. A click is one unit of the denominator. */
size_t event_meter_write(uint8_t to[7], int numerator, int denominator)
{
    uint8_t log2 = 0;
    while (1 << log2 < denominator)
        log2++;
    int clocks = 96 / denominator;
    uint8_t meter[4] = {(uint8_t)numerator, log2, (uint8_t)(clocks ? clocks : 1), 8};
    return event_meta_write(to, META_METER, meter, sizeof meter);
}

bool event_tempo_read(const struct event *e, int *us_per_quarter)
{
    size_t n;
    const uint8_t *us = event_meta(e, META_TEMPO, &n);
    if (!us || n < 3)
        return false;
    *us_per_quarter = us[0] << 16 | us[1] << 8 | us[2];
    return true;
}

bool event_meter_read(const struct event *e, int *numerator, int *denominator)
{
    size_t n;
    const uint8_t *meter = event_meta(e, META_METER, &n);
    if (!meter || n < 2 || meter[1] > 7)
        return false;
    *numerator = meter[0];
    *denominator = 1 << meter[1];
    return true;
}
