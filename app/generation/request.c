/* Requests own their data. They have a file of their own, since tests replace the generator
 * (tests/app/editor/perform/fake_generator.h). */
#include "app/generation/generator.h"

#include "midi/base/array.h"

#include <stdlib.h>

bool request_copy(struct continuation_options *to,
                  const struct continuation_options *from)
{
    struct continuation_mark *marks =
        array_copy(from->marks, from->n_marks, sizeof *marks);
    *to = *from;
    to->marks = marks;
    to->n_marks = marks ? from->n_marks : 0;
    to->replaced = array_copy(from->replaced, from->n_replaced, sizeof *to->replaced);
    to->given = array_copy(from->given, from->n_given, sizeof *to->given);
    to->muted = array_copy(from->muted, from->n_muted, sizeof *to->muted);
    bool ok = marks && to->replaced && to->given && to->muted;
    for (size_t i = 0; i < to->n_marks; i++) {
        marks[i].notes = array_copy(from->marks[i].notes, from->marks[i].n_notes,
                                    sizeof *marks->notes);
        ok = ok && marks[i].notes;
    }
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
    free((void *)o->given);
    free((void *)o->muted);
    o->marks = NULL;
    o->replaced = NULL;
    o->given = NULL;
    o->muted = NULL;
    o->n_marks = o->n_replaced = o->n_given = o->n_muted = 0;
}
