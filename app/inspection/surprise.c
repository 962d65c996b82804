#include "app/inspection/inspector.h"

#include <stdlib.h>

static int compare_ids(const void *a, const void *b)
{
    const struct note_surprise *x = a, *y = b;
    return (x->id > y->id) - (x->id < y->id);
}

void surprise_sort(struct note_surprise *notes, size_t n)
{
    if (n)
        qsort(notes, n, sizeof *notes, compare_ids);
}

const struct note_surprise *surprise_find(const struct note_surprise *notes, size_t n,
                                          uint64_t id)
{
    const struct note_surprise key = {.id = id};
    return n ? bsearch(&key, notes, n, sizeof *notes, compare_ids) : NULL;
}

struct in_bar {
    int64_t tick;
    float nats;
};

static int compare_ticks(const void *a, const void *b)
{
    const struct in_bar *x = a, *y = b;
    if (x->tick != y->tick)
        return x->tick < y->tick ? -1 : 1;
    return (x->nats > y->nats) - (x->nats < y->nats);
}

static bool counts(const struct note_surprise *n, uint64_t tracks)
{
    bool is_named = n->track >= 0 && n->track < 64;
    return !tracks || (is_named && tracks >> n->track & 1);
}

/* Of notes by time. */
static bool find_worst(const struct timeline *t, const struct in_bar *notes, size_t n,
                       struct bar *worst, float *mean)
{
    bool any = false;
    for (size_t i = 0; i < n;) {
        const struct bar bar = timeline_bar_at(t, notes[i].tick);
        double sum = 0;
        size_t from = i;
        for (; i < n && notes[i].tick < bar.start + bar.length; i++)
            sum += (double)notes[i].nats;
        if (i == from) /* no bar has it */
            i++;
        float of_bar = (float)(sum / (double)(i - from));
        if (i - from < 2 || (any && of_bar <= *mean))
            continue;
        any = true;
        *worst = bar;
        *mean = of_bar;
    }
    return any;
}

bool surprise_worst_bar(const struct timeline *t, const struct note_surprise *notes,
                        size_t n, uint64_t tracks, struct bar *bar, float *mean)
{
    struct in_bar *list = calloc(n + 1, sizeof *list);
    size_t n_list = 0;
    if (!list)
        return false;
    for (size_t i = 0; i < n; i++)
        if (counts(&notes[i], tracks))
            list[n_list++] = (struct in_bar){notes[i].tick, notes[i].nats};
    qsort(list, n_list, sizeof *list, compare_ticks);
    bool any = find_worst(t, list, n_list, bar, mean);
    free(list);
    return any;
}
