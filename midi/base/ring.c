/* Single producer, single consumer (Lamport 1977, with C11 atomics). Each counter has
 * one writer, only grows, and wraps around with size_t. A release store publishes the
 * bytes written before it; an acquire load in the other thread receives them. */
#include "midi/base/ring.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { CACHE_LINE = 64 };

struct ring {
    size_t slot_size, mask; /* constant */
    unsigned char *slots;   /* record i is at (i & mask) * slot_size */

    _Alignas(CACHE_LINE) atomic_size_t n_pushed; /* writer stores, reader loads */
    _Alignas(CACHE_LINE) atomic_size_t n_popped; /* reader stores, writer loads */
};

struct ring *ring_create(size_t slots, size_t slot_size)
{
    if (!slots || !slot_size || slots > PTRDIFF_MAX / 2 / slot_size)
        return NULL;
    struct ring *r = aligned_alloc(CACHE_LINE, sizeof *r);
    if (!r)
        return NULL;
    size_t n = 1;
    while (n < slots)
        n *= 2;
    r->slot_size = slot_size;
    r->mask = n - 1;
    atomic_init(&r->n_pushed, 0);
    atomic_init(&r->n_popped, 0);
    r->slots = calloc(n, slot_size);
    if (!r->slots) {
        free(r);
        return NULL;
    }
    return r;
}

void ring_destroy(struct ring *r)
{
    if (!r)
        return;
    free(r->slots);
    free(r);
}

static unsigned char *slot(const struct ring *r, size_t i)
{
    return r->slots + (i & r->mask) * r->slot_size;
}

REALTIME bool ring_push(struct ring *r, const void *record)
{
    size_t pushed = atomic_load_explicit(&r->n_pushed, memory_order_relaxed);
    size_t popped = atomic_load_explicit(&r->n_popped, memory_order_acquire);
    if (pushed - popped > r->mask)
        return false;
    memcpy(slot(r, pushed), record, r->slot_size);
    atomic_store_explicit(&r->n_pushed, pushed + 1, memory_order_release);
    return true;
}

REALTIME bool ring_pop(struct ring *r, void *record)
{
    size_t popped = atomic_load_explicit(&r->n_popped, memory_order_relaxed);
    size_t pushed = atomic_load_explicit(&r->n_pushed, memory_order_acquire);
    if (pushed == popped)
        return false;
    memcpy(record, slot(r, popped), r->slot_size);
    atomic_store_explicit(&r->n_popped, popped + 1, memory_order_release);
    return true;
}
