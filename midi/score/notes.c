/* Releasing a share of an array is a release, and finding oneself the only owner is an
 * acquire: all reads by former owners happen before the last owner writes. */
#include "midi/score/notes.h"

#include "midi/base/larger.h"
#include "midi/base/array.h"

#include <stdlib.h>
#include <string.h>

struct note *notes_own(struct track *t, size_t room)
{
    const bool is_alone =
        t->n_sharers && atomic_load_explicit(t->n_sharers, memory_order_acquire) == 1;
    room = room > t->n_notes ? room : t->n_notes;
    if (is_alone && t->cap_notes >= room)
        return (struct note *)t->notes;
    const size_t least = is_alone ? t->cap_notes + t->cap_notes / 2 + 16 : 1,
                 cap = least > room ? least : room;
    struct track own = {0};
    struct note *notes =
        array_resize(is_alone ? (struct note *)t->notes : NULL, cap, sizeof *notes);
    if (notes && is_alone) {
        t->cap_notes = cap;
        t->notes = notes;
    } else if (notes && notes_adopt(&own, notes, t->n_notes, cap)) {
        if (t->n_notes)
            memcpy(notes, t->notes, t->n_notes * sizeof *notes);
        notes_swap(&own, t);
        notes_release(&own);
    } else {
        free(notes);
        return NULL;
    }
    return notes;
}

bool notes_share(struct track *to, const struct track *from)
{
    to->notes = from->notes;
    to->n_notes = from->n_notes;
    to->cap_notes = from->cap_notes;
    to->n_sharers = from->n_sharers;
    if (!from->n_sharers)
        return from->n_notes == 0 || notes_own(to, 0);
    atomic_fetch_add_explicit(from->n_sharers, 1, memory_order_relaxed);
    return true;
}

bool notes_adopt(struct track *t, struct note *notes, size_t n, size_t cap)
{
    t->n_sharers = malloc(sizeof *t->n_sharers);
    if (!t->n_sharers)
        return false;
    atomic_init(t->n_sharers, 1);
    t->notes = notes;
    t->n_notes = n;
    t->cap_notes = cap;
    return true;
}

void notes_release(struct track *t)
{
    if (t->n_sharers &&
        atomic_fetch_sub_explicit(t->n_sharers, 1, memory_order_acq_rel) == 1) {
        free((struct note *)t->notes);
        free(t->n_sharers);
    }
    t->notes = NULL;
    t->n_sharers = NULL;
    t->n_notes = t->cap_notes = 0;
}

void notes_swap(struct track *a, struct track *b)
{
    const struct track was = *a;
    a->notes = b->notes;
    a->n_notes = b->n_notes;
    a->cap_notes = b->cap_notes;
    a->n_sharers = b->n_sharers;
    b->notes = was.notes;
    b->n_notes = was.n_notes;
    b->cap_notes = was.cap_notes;
    b->n_sharers = was.n_sharers;
}

int64_t played_start(const struct note *n)
{
    return larger(0, n->start + n->raw_start);
}

int64_t played_length(const struct note *n)
{
    return n->length ? larger(1, n->length + n->raw_length) : 0;
}

static int32_t cut_to_int32(int64_t x)
{
    return (int32_t)larger(INT32_MIN, smaller(x, INT32_MAX));
}

void played_keep(struct note *after, const struct note *before)
{
    after->raw_start = cut_to_int32(played_start(before) - after->start);
    after->raw_length = cut_to_int32(played_length(before) - after->length);
}

bool played_restore(struct note *n)
{
    if (n->raw_start == 0 && n->raw_length == 0)
        return false;
    n->start = played_start(n);
    n->length = played_length(n);
    n->raw_start = 0;
    n->raw_length = 0;
    return true;
}
