/* How surprising the notes of a piece are: looking one up, and the worst bar. See inspector.h. */
#include "app/inspection/inspector.h"

#include "midi/base/array.h"

#include <stdlib.h>

static int compare_ids(const void *a, const void *b)
{
    const struct note_surprise *x = a, *y = b;
    return (x->id > y->id) - (x->id < y->id);
}

void surprise_sort(struct note_surprise *notes, size_t n)
{
    qsort(notes, n, sizeof *notes, compare_ids);
}

const struct note_surprise *surprise_find(const struct note_surprise *notes, size_t n,
                                          uint64_t id)
{
    const struct note_surprise key = {.id = id};
    return n ? bsearch(&key, notes, n, sizeof *notes, compare_ids) : NULL;
}

static int compare_ticks(const void *a, const void *b)
{
    const struct note_surprise *x = a, *y = b;
    if (x->tick != y->tick)
        return x->tick < y->tick ? -1 : 1;
    return (x->nats > y->nats) - (x->nats < y->nats);
}

bool surprise_worst_bar(const struct timeline *t, const struct note_surprise *notes,
                        size_t n, struct bar *bar, float *mean)
{
    struct note_surprise *list = array_copy(notes, n, sizeof *list);
    bool any = false;
    if (!list)
        return false;
    qsort(list, n, sizeof *list, compare_ticks);
    for (size_t i = 0, from; i < n;) {
        const struct bar of = timeline_bar_at(t, list[i].tick);
        double sum = 0;
        for (from = i; i < n && (i == from || list[i].tick < of.start + of.length); i++)
            sum += (double)list[i].nats;
        const float of_bar = (float)(sum / (double)(i - from));
        if (i - from < 2 || (any && of_bar <= *mean))
            continue;
        any = true;
        *bar = of;
        *mean = of_bar;
    }
    free(list);
    return any;
}
