#include "app/inspection/attention_work.h"

#include <stdlib.h>

static int by_start(const void *a, const void *b)
{
    const struct ordered_note *x = a, *y = b;
    if (x->note->start != y->note->start)
        return x->note->start < y->note->start ? -1 : 1;
    if (x->track != y->track)
        return x->track - y->track;
    if (x->note->pitch != y->note->pitch)
        return x->note->pitch - y->note->pitch;
    return (x->note->id > y->note->id) - (x->note->id < y->note->id);
}

struct ordered_note *note_order(const struct score *s)
{
    struct ordered_note *list = calloc(score_n_notes(s) + 1, sizeof *list);
    size_t n = 0;
    for (size_t t = 0; list && t < s->n_tracks; t++)
        for (size_t i = 0; i < s->tracks[t].n_notes; i++)
            list[n++] = (struct ordered_note){&s->tracks[t].notes[i], (int)t};
    if (list)
        qsort(list, n, sizeof *list, by_start);
    return list;
}

static int by_id(const void *a, const void *b)
{
    const struct note_number *x = a, *y = b;
    return (x->id > y->id) - (x->id < y->id);
}

struct note_number *note_order_index(const struct ordered_note *list, size_t n)
{
    struct note_number *index = calloc(n + 1, sizeof *index);
    for (size_t i = 0; index && i < n; i++)
        index[i] = (struct note_number){list[i].note->id, i};
    if (index)
        qsort(index, n, sizeof *index, by_id);
    return index;
}

int64_t note_order_find(const struct note_number *index, size_t n, uint64_t id)
{
    const struct note_number key = {.id = id};
    const struct note_number *found = bsearch(&key, index, n, sizeof *index, by_id);
    return found ? (int64_t)found->at : -1;
}
