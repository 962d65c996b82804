/* Divides one block of memory into parts, each aligned to a cache line. Without a block
 * it only counts, so one function both measures a block and divides it. The caller
 * keeps sizes far from overflow. Plain data of one thread. */
#ifndef MODEL_ARENA_H
#define MODEL_ARENA_H

#include "model/base/parts.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { ARENA_LINE = 64 };

struct arena {
    uint8_t *block; /* aligned to a line; NULL: parts are NULL and only counted */
    size_t n_bytes; /* handed out so far */
};

static inline void *arena_bytes(struct arena *a, size_t n_bytes)
{
    void *part = a->block ? a->block + a->n_bytes : NULL;
    a->n_bytes += whole_parts(n_bytes, ARENA_LINE);
    return part;
}

/* Asks for large pages, which spare lookups of addresses in memory that is walked through: on
 * Linux; other systems give them by themselves or not at all. */
static inline void large_pages_ask(void *block, size_t n)
{
#ifdef MADV_HUGEPAGE
    madvise(block, n, MADV_HUGEPAGE);
#else
    (void)block;
    (void)n;
#endif
}

/* A block for free(): whole lines, on large pages if it is large. NULL: no memory. */
static inline void *arena_block(size_t n_bytes)
{
    const size_t page = (size_t)1 << 21;
    if (n_bytes < 2 * page)
        return aligned_alloc(ARENA_LINE, whole_parts(n_bytes, ARENA_LINE));
    const size_t n = whole_parts(n_bytes, page);
    void *block = aligned_alloc(page, n);
    if (block)
        large_pages_ask(block, n);
    return block;
}

/* Room for n numbers of four bytes: float, int32_t or uint32_t. */
static inline void *arena_floats(struct arena *a, size_t n)
{
    return arena_bytes(a, n * sizeof(float));
}

#endif
