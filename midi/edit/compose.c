/* Applying a change takes a pass over each track it touches; ten thousand changes
 * would take ten thousand passes. But only the first and the last state of each note
 * matter. So all note edits are sorted by note, and the first and the last of each
 * note make one edit. */
#include "midi/edit/apply.h"
#include "midi/score/notes.h"

#include <stdlib.h>

struct note_edit {
    int track;
    uint64_t id;
    size_t order;                      /* number among all edits */
    const struct note *before, *after; /* in that direction; NULL: absent */
};

struct note_edits {
    struct note_edit *list;
    size_t n;
};

static void tell(struct note_edits *t, const struct edit *e, bool is_forwards)
{
    const struct note *before = e->has_before ? &e->before : NULL;
    const struct note *after = e->has_after ? &e->after : NULL;
    if (!before && !after)
        return;
    t->list[t->n] = (struct note_edit){
        .track = e->track,
        .id = before ? before->id : after->id,
        .order = t->n,
        .before = is_forwards ? before : after,
        .after = is_forwards ? after : before,
    };
    t->n++;
}

static bool tell_all(struct note_edits *t, const struct change_step *steps, size_t n)
{
    size_t most = 0;
    for (size_t i = 0; i < n; i++)
        most += steps[i].change->n_edits;
    t->list = reallocarray(NULL, most + 1, sizeof *t->list);
    if (!t->list)
        return false;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < steps[i].change->n_edits; k++)
            tell(t, &steps[i].change->edits[k], steps[i].is_forwards);
    return true;
}

static int by_note(const void *a, const void *b)
{
    const struct note_edit *x = a, *y = b;
    if (x->track != y->track)
        return x->track < y->track ? -1 : 1;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

/* Returns the number of edits of the note at `first`; 0: one does not start from the
 * result of the one before. */
static size_t story_length(const struct note_edits *t, size_t first)
{
    const struct note_edit *a = &t->list[first];
    size_t n = 1;
    for (; first + n < t->n && a[n].track == a->track && a[n].id == a->id; n++) {
        const struct note *was = a[n - 1].after, *is = a[n].before;
        if (was && is ? !note_equal(was, is) : was != is)
            return 0;
    }
    return n;
}

static bool add_ends(struct change *c, const struct note_edit *first,
                     const struct note_edit *last)
{
    if (!first->before && !last->after)
        return true;
    struct edit e = {.kind = EDIT_NOTE,
                     .track = first->track,
                     .has_before = first->before,
                     .has_after = last->after};
    if (first->before)
        e.before = *first->before;
    if (last->after)
        e.after = *last->after;
    return !change_put(c, e);
}

struct change *change_compose(const struct change_step *steps, size_t n)
{
    struct note_edits told = {0};
    struct change *c = change_create("");
    bool ok = c && tell_all(&told, steps, n);
    if (ok)
        qsort(told.list, told.n, sizeof *told.list, by_note);
    for (size_t i = 0, length; ok && i < told.n; i += length) {
        length = story_length(&told, i);
        ok = length && add_ends(c, &told.list[i], &told.list[i + length - 1]);
    }
    free(told.list);
    if (ok)
        return c;
    change_destroy(c);
    return NULL;
}
