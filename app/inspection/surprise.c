/* How surprising the notes of a piece are: looking one up, and the worst bar. See inspector.h. */
#include "app/inspection/inspector.h"

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
                        size_t n, uint64_t tracks, struct bar *bar, float *mean)
{
    struct note_surprise *list = calloc(n + 1, sizeof *list);
    size_t n_list = 0;
    bool any = false;
    if (!list)
        return false;
    for (size_t i = 0; i < n; i++) {
        const int track = notes[i].track;
        if (!tracks || (track >= 0 && track < 64 && tracks >> track & 1))
            list[n_list++] = notes[i];
    }
    qsort(list, n_list, sizeof *list, compare_ticks);
    for (size_t i = 0, from; i < n_list;) {
        const struct bar of = timeline_bar_at(t, list[i].tick);
        double sum = 0;
        for (from = i; i < n_list && (i == from || list[i].tick < of.start + of.length);
             i++)
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
