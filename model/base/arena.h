/* Divides one block of memory into parts, each aligned to a cache line. Without a block
 * it only counts, so one function both measures a block and divides it. The caller
 * keeps sizes far from overflow. Plain data of one thread. */
#ifndef MODEL_ARENA_H
#define MODEL_ARENA_H

#include <stddef.h>
#include <stdint.h>

enum { ARENA_LINE = 64 };

struct arena {
    uint8_t *block; /* aligned to a line; NULL: parts are NULL and only counted */
    size_t n_bytes; /* handed out so far */
};

static inline size_t arena_lines(size_t n_bytes)
{
    return (n_bytes + ARENA_LINE - 1) / ARENA_LINE * ARENA_LINE;
}

static inline void *arena_bytes(struct arena *a, size_t n_bytes)
{
    void *part = a->block ? a->block + a->n_bytes : NULL;
    a->n_bytes += arena_lines(n_bytes);
    return part;
}

/* Room for n numbers of four bytes: float, int32_t or uint32_t. */
static inline void *arena_floats(struct arena *a, size_t n)
{
    return arena_bytes(a, n * sizeof(float));
}

#endif
