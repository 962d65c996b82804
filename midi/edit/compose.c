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

bool change_is_of_notes(const struct change *c)
{
    for (size_t i = 0; i < c->n_edits; i++)
        if (c->edits[i].kind != EDIT_NOTE)
            return false;
    return true;
}

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

/* The later edit starts from the result of the earlier one. */
static bool follows(const struct note_edit *earlier, const struct note_edit *later)
{
    if (!earlier->after || !later->before)
        return !earlier->after && !later->before;
    return note_equal(earlier->after, later->before);
}

/* Returns the number of edits of the note at `first`; 0: one does not follow
 * another. */
static size_t story_length(const struct note_edits *t, size_t first)
{
    const struct note_edit *a = &t->list[first];
    size_t n = 1;
    for (; first + n < t->n && a[n].track == a->track && a[n].id == a->id; n++)
        if (!follows(&a[n - 1], &a[n]))
            return 0;
    return n;
}

static bool add_ends(struct change *c, const struct note_edit *first,
                     const struct note_edit *last)
{
    if (!first->before && !last->after)
        return true;
    struct edit *e = change_append(c, EDIT_NOTE, first->track);
    if (!e)
        return false;
    e->has_before = first->before != NULL;
    e->has_after = last->after != NULL;
    if (first->before)
        e->before = *first->before;
    if (last->after)
        e->after = *last->after;
    return true;
}

static bool add_stories(struct change *c, struct note_edits *t)
{
    qsort(t->list, t->n, sizeof *t->list, by_note);
    for (size_t i = 0, n; i < t->n; i += n) {
        n = story_length(t, i);
        if (n == 0 || !add_ends(c, &t->list[i], &t->list[i + n - 1]))
            return false;
    }
    return true;
}

struct change *change_compose(const struct change_step *steps, size_t n)
{
    struct note_edits told = {0};
    struct change *c = change_create("");
    bool ok = c && tell_all(&told, steps, n) && add_stories(c, &told);
    free(told.list);
    if (ok)
        return c;
    change_destroy(c);
    return NULL;
}
