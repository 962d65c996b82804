#include "midi/base/array.h"

#include <stdlib.h>
#include <string.h>

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

void *array_copy(const void *list, size_t n, size_t size)
{
    void *copy = calloc(n + 1, size);
    if (copy && n)
        memcpy(copy, list, n * size);
    return copy;
}

bool array_add(void *at, size_t *n, size_t *cap, const void *element, size_t size)
{
    char *list;
    memcpy(&list, at, sizeof list);
    char *grown = array_grow(list, *n, cap, size);
    if (!grown)
        return false;
    memcpy(grown + (*n)++ * size, element, size);
    memcpy(at, &grown, sizeof grown);
    return true;
}

size_t array_first_at(const void *list, size_t n, size_t size, int64_t tick)
{
    size_t at;
    ARRAY_PASS(at, n, *(const int64_t *)((const char *)list + at * size) < tick);
    return at;
}
