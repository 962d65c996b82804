/* See bar_table.h. */
#include "midi/score/bar_table.h"

void bar_table_add(struct bar_table *t, int32_t start)
{
    if (t->n < BAR_TABLE_SIZE)
        t->starts[t->n] = start;
    t->n += t->n <= BAR_TABLE_SIZE; /* one too many is enough to know */
    t->end = start + t->length;
}

void bar_table_set_length(struct bar_table *t, int32_t length)
{
    t->end += length - t->length;
    t->length = length;
}

bool bar_table_is_whole(const struct bar_table *t)
{
    return t->n > 0 && t->n <= BAR_TABLE_SIZE && t->length > 0;
}

int32_t bar_table_start(const struct bar_table *t, int index)
{
    return index < t->n ? t->starts[index] : t->end + (index - t->n) * t->length;
}

int bar_table_at(const struct bar_table *t, int32_t step)
{
    if (step >= t->end)
        return t->n + (step - t->end) / t->length;
    int low = 0, high = t->n - 1;
    while (low < high) {
        int middle = low + (high - low + 1) / 2;
        if (t->starts[middle] <= step)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}
