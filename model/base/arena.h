/* A memory arena: one block, handed out from its start in parts that are aligned to a
 * cache line. An arena without a block hands out NULL and only counts bytes. So one
 * function that lays out an arena serves twice: its first call measures the block, its
 * second divides it.
 *
 * Sizes are not checked for overflow: callers bound them first. An arena belongs to one
 * thread. */
#ifndef MODEL_ARENA_H
#define MODEL_ARENA_H

#include "model/base/parts.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { ARENA_LINE = 64 };

struct arena {
    uint8_t *block; /* aligned to a line; NULL: the arena only counts */
    size_t n_bytes; /* handed out so far */
};

static inline void *arena_bytes(struct arena *a, size_t n_bytes)
{
    void *part = a->block ? a->block + a->n_bytes : NULL;
    a->n_bytes += whole_parts(n_bytes, ARENA_LINE);
    return part;
}

/* Asks Linux to back a block with pages of 2 MB. Code that reads much memory then looks
 * up fewer page addresses. Other systems choose the size of pages themselves. */
static inline void large_pages_ask(void *block, size_t n)
{
#ifdef MADV_HUGEPAGE
    madvise(block, n, MADV_HUGEPAGE);
#else
    (void)block;
    (void)n;
#endif
}

/* A block of whole cache lines, from large pages if it fills some. Release it with
 * free(). NULL: out of memory. */
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

/* A part for n numbers of four bytes: float, int32_t or uint32_t. */
static inline void *arena_floats(struct arena *a, size_t n)
{
    return arena_bytes(a, n * sizeof(float));
}

#endif
