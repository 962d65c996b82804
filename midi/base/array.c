#include "midi/base/array.h"

#include <stdlib.h>

void *array_grow(void *list, size_t n, size_t *cap, size_t size)
{
    if (n < *cap)
        return list;
    size_t more = *cap ? 2 * *cap : 1;
    void *grown = reallocarray(list, more, size);
    if (grown)
        *cap = more;
    return grown;
}

size_t array_first_at(const void *list, size_t n, size_t size, int64_t tick)
{
    size_t at;
    ARRAY_PASS(at, n, *(const int64_t *)((const char *)list + at * size) < tick);
    return at;
}
