/* Applying a change costs a pass over each track it touches, so that ten thousand of
 * them, one at a time, would be ten thousand passes. But of each note only what it was
 * before the first and what it is after the last counts: they are sorted by note, and the
 * two ends of each note's story are one edit. */
#include "midi/edit/compose.h"

#include "midi/edit/apply.h"
#include "midi/score/note.h"

#include <stdlib.h>

struct told_note {
    int track;
    uint64_t id;
    size_t order;                      /* among all that is told */
    const struct note *before, *after; /* in the direction gone; NULL: not there */
};

struct told_notes {
    struct told_note *list;
    size_t n;
};

bool change_is_of_notes(const struct change *c)
{
    for (size_t i = 0; i < c->n_edits; i++)
        if (c->edits[i].kind != EDIT_NOTE)
            return false;
    return true;
}

static void tell(struct told_notes *t, const struct edit *e, bool is_forwards)
{
    const struct note *before = e->has_before ? &e->before : NULL;
    const struct note *after = e->has_after ? &e->after : NULL;
    if (!before && !after)
        return;
    t->list[t->n] = (struct told_note){
        .track = e->track,
        .id = before ? before->id : after->id,
        .order = t->n,
        .before = is_forwards ? before : after,
        .after = is_forwards ? after : before,
    };
    t->n++;
}

static bool tell_all(struct told_notes *t, const struct change_step *steps, size_t n)
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
    const struct told_note *x = a, *y = b;
    if (x->track != y->track)
        return x->track < y->track ? -1 : 1;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

/* What the earlier one left is what the later one found. */
static bool follows(const struct told_note *earlier, const struct told_note *later)
{
    if (!earlier->after || !later->before)
        return !earlier->after && !later->before;
    return note_equal(earlier->after, later->before);
}

/* How many from `first` on are of its note; 0: one does not follow upon another. */
static size_t story_length(const struct told_notes *t, size_t first)
{
    const struct told_note *a = &t->list[first];
    size_t n = 1;
    for (; first + n < t->n && a[n].track == a->track && a[n].id == a->id; n++)
        if (!follows(&a[n - 1], &a[n]))
            return 0;
    return n;
}

static bool add_ends(struct change *c, const struct told_note *first,
                     const struct told_note *last)
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

static bool add_stories(struct change *c, struct told_notes *t)
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
    struct told_notes told = {0};
    struct change *c = change_create("");
    bool ok = c && tell_all(&told, steps, n) && add_stories(c, &told);
    free(told.list);
    if (ok)
        return c;
    change_destroy(c);
    return NULL;
}
