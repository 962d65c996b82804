/* Joins many changes into one.
 *
 * Applying a change takes a pass over each track that it touches, so ten thousand
 * changes would take ten thousand passes. But only the first and the last state of each
 * note matter. So all edits are sorted by note, and the first and the last of each note
 * make one edit. */
#include "midi/edit/apply.h"
#include "midi/score/notes.h"
#include "midi/base/array.h"

#include <stdlib.h>

struct note_edit {
    int track;
    uint64_t id;
    size_t order;                      /* number among all edits */
    const struct note *before, *after; /* in the step's direction; NULL: no note */
};

/* Lists the edits of n changes, *n_list of them. NULL: out of memory. */
static struct note_edit *list_edits(const struct change_step *steps, size_t n,
                                    size_t *n_list)
{
    size_t most = 0, at = 0;
    for (size_t i = 0; i < n; i++)
        most += steps[i].change->n_edits;
    struct note_edit *list = array_resize(NULL, most + 1, sizeof *list);
    for (size_t i = 0; list && i < n; i++)
        for (size_t k = 0; k < steps[i].change->n_edits; k++) {
            const struct edit *e = &steps[i].change->edits[k];
            const struct note *before = e->has_before ? &e->before : NULL;
            const struct note *after = e->has_after ? &e->after : NULL;
            if (!before && !after)
                continue;
            list[at] = (struct note_edit){
                .track = e->track,
                .id = before ? before->id : after->id,
                .order = at,
                .before = steps[i].is_forwards ? before : after,
                .after = steps[i].is_forwards ? after : before,
            };
            at++;
        }
    *n_list = at;
    return list;
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

/* Returns how many of the first edits are of one note. `most` is the number of edits.
 * Returns 0 if an edit does not start from the result of the one before. */
static size_t story_length(const struct note_edit *a, size_t most)
{
    size_t n = 1;
    for (; n < most && a[n].track == a->track && a[n].id == a->id; n++) {
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
    size_t n_list;
    struct change *c = change_create("");
    struct note_edit *list = list_edits(steps, n, &n_list);
    bool ok = c && list;
    if (ok)
        qsort(list, n_list, sizeof *list, by_note);
    for (size_t i = 0, length; ok && i < n_list; i += length) {
        length = story_length(list + i, n_list - i);
        ok = length && add_ends(c, &list[i], &list[i + length - 1]);
    }
    free(list);
    if (ok)
        return c;
    change_destroy(c);
    return NULL;
}
