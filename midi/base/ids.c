#include "midi/base/ids.h"

#include <stdbool.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* In a loaded file ids ascend with time, so that there is seldom anything to sort. */
void ids_sort(uint64_t *ids, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (ids[i - 1] > ids[i]) {
            qsort(ids, n, sizeof *ids, compare);
            return;
        }
}

const uint64_t *ids_find(const uint64_t *ids, size_t n, uint64_t id)
{
    bool is_outside = !n || id < ids[0] || id > ids[n - 1]; /* most are */
    return is_outside ? NULL : bsearch(&id, ids, n, sizeof *ids, compare);
}
