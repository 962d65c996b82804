#include "midi/base/array.h"

#include <stdlib.h>
#include <string.h>

void *array_resize(void *old, size_t n, size_t size)
{
    return n > SIZE_MAX / size ? NULL : realloc(old, n * size);
}

bool array_grow(void *list, size_t n, size_t *cap, size_t size)
{
    if (n < *cap)
        return true;
    void *old;
    memcpy(&old, list, sizeof old);
    size_t more = *cap ? 2 * *cap : 1;
    void *grown = array_resize(old, more, size);
    if (!grown)
        return false;
    memcpy(list, &grown, sizeof grown);
    *cap = more;
    return true; /* cppcheck-suppress memleak ; the caller's list owns it now */
}

void *array_copy(const void *list, size_t n, size_t size)
{
    void *copy = calloc(n + 1, size);
    if (copy && n)
        memcpy(copy, list, n * size);
    return copy;
}

bool array_add(void *list, size_t *n, size_t *cap, const void *element, size_t size)
{
    char *at;
    if (!array_grow(list, *n, cap, size))
        return false;
    memcpy(&at, list, sizeof at);
    memcpy(at + (*n)++ * size, element, size);
    return true;
}

bool array_push(void *list, size_t *n, const void *element, size_t size)
{
    size_t cap = *n & (*n - 1) ? *n + 1 : *n; /* full if n is a power of 2 */
    return array_add(list, n, &cap, element, size);
}

size_t array_first_at(const void *list, size_t n, size_t size, int64_t tick)
{
    size_t at;
    ARRAY_PASS(at, n, *(const int64_t *)((const char *)list + at * size) < tick);
    return at;
}
