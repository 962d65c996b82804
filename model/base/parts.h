/* Divides n things into parts of one size. The last part may be smaller. */
#ifndef MODEL_PARTS_H
#define MODEL_PARTS_H

#include <stddef.h>

static inline int least(int a, int b)
{
    return a < b ? a : b;
}

static inline size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static inline int n_parts(int n, int size)
{
    return (n + size - 1) / size;
}

/* The number of things in part i. */
static inline int part_size(int n, int size, int i)
{
    return least(n - i * size, size);
}

/* n rounded up to whole parts. */
static inline size_t whole_parts(size_t n, size_t size)
{
    return (n + size - 1) / size * size;
}

#endif
