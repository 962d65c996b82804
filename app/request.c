/* See request.h. */
#include "app/request.h"

#include <stdlib.h>
#include <string.h>

static struct continued_note *copy_notes(const struct continued_note *notes, size_t n)
{
    struct continued_note *copy = calloc(n + 1, sizeof *copy);
    if (copy && n)
        memcpy(copy, notes, n * sizeof *copy);
    return copy;
}

static bool copy_marks(struct continuation_options *to,
                       const struct continuation_options *from)
{
    struct continuation_mark *marks = calloc(from->n_marks + 1, sizeof *marks);
    bool ok = marks != NULL;
    to->marks = marks;
    for (size_t i = 0; ok && i < from->n_marks; i++) {
        marks[i] = from->marks[i];
        marks[i].notes = copy_notes(from->marks[i].notes, from->marks[i].n_notes);
        ok = marks[i].notes != NULL;
        to->n_marks++;
    }
    return ok;
}

bool request_copy(struct continuation_options *to,
                  const struct continuation_options *from)
{
    *to = *from;
    to->n_marks = 0;
    to->replaced = copy_notes(from->replaced, from->n_replaced);
    bool ok = copy_marks(to, from) && to->replaced;
    if (!ok)
        request_fini(to);
    return ok;
}

void request_fini(struct continuation_options *o)
{
    for (size_t i = 0; i < o->n_marks; i++)
        free((void *)o->marks[i].notes);
    free((void *)o->marks);
    free((void *)o->replaced);
    o->marks = NULL;
    o->replaced = NULL;
    o->n_marks = o->n_replaced = 0;
}
