/* See asking.h. */
#include "app/editor/takes/asking.h"

#include "app/generation/request.h"

#include <stdlib.h>

static bool gather_replaced(struct continuation_options *o, const struct session *s)
{
    if (o->keep == HOLE_PLAN_NONE || o->hole.to_tick <= 0)
        return true;
    o->replaced = rewrite_list(s->project.score, &s->asked.options, &s->rewritten,
                               &o->n_replaced);
    return o->replaced != NULL;
}

static struct continued_note *notes_of(const struct proposal *t)
{
    struct continued_note *notes = calloc(t->n_ghosts + 1, sizeof *notes);
    for (size_t i = 0; notes && i < t->n_ghosts; i++)
        notes[i] = (struct continued_note){.track = t->ghosts[i].track,
                                           .note = t->ghosts[i].note};
    return notes;
}

static bool any_is_marked(const struct proposals *p)
{
    for (int i = 0; i < p->n; i++)
        if (p->list[i].liking)
            return true;
    return false;
}

/* All of them: those that are neither liked nor disliked tell what is common to all. */
static bool gather_marks(struct continuation_options *o, const struct proposals *p)
{
    if (!any_is_marked(p))
        return true;
    struct continuation_mark *marks = calloc((size_t)p->n, sizeof *marks);
    bool ok = marks != NULL;
    o->marks = marks;
    for (int i = 0; ok && i < p->n; i++) {
        marks[i].notes = notes_of(&p->list[i]);
        marks[i].n_notes = p->list[i].n_ghosts;
        marks[i].how_much = (float)p->list[i].liking;
        o->n_marks++;
        ok = marks[i].notes != NULL;
    }
    return ok;
}

bool asking_gather(struct continuation_options *o, const struct session *s)
{
    bool ok =
        request_own_choices(o) && gather_replaced(o, s) && gather_marks(o, &s->takes);
    if (!ok)
        request_fini(o);
    return ok;
}
