/* See displaced.h. Only the notes that begin in the hole are looked at. */
#include "app/editor/takes/displaced.h"

#include "app/base/ids.h"
#include "app/editor/takes/machine.h"

#include <stdlib.h>

bool displaced_has(const struct displaced *d, uint64_t id)
{
    return ids_find(d->ids, d->n, id) != NULL;
}

void displaced_fini(struct displaced *d)
{
    free(d->ids);
    *d = (struct displaced){0};
}

/* What was accepted goes only from where it may be rewritten: moved out of the hole, it is
 * the composer's. */
static bool is_in_hole(const struct session *s, const struct note *n)
{
    const struct continuation_hole *h = &s->request.asked.options.hole;
    return !hole_is_asked(s) || (n->pitch >= h->pitch_lo && n->pitch <= h->pitch_hi);
}

static size_t list(const struct session *s, const struct displaced *accepted,
                   uint64_t *ids)
{
    const struct score *score = s->project.score;
    const struct rewritten *r = &s->request.rewritten;
    size_t n = 0;
    for (int t = 0; t < (int)score->n_tracks; t++) {
        const struct track *track = &score->tracks[t];
        for (size_t i = score_first_note_at(score, t, s->request.from);
             i < track->n_notes && track->notes[i].start < s->request.to; i++) {
            const struct note *note = &track->notes[i];
            if (ids_find(r->there, r->n_there, note->id) ||
                (displaced_has(accepted, note->id) && is_in_hole(s, note)))
                ids[n++] = note->id;
        }
    }
    ids_sort(ids, n);
    return n;
}

bool displaced_by(struct displaced *d, const struct session *s, int index)
{
    struct displaced accepted;
    *d = (struct displaced){0};
    if (index < 0)
        return true;
    accepted.ids = proposals_accepted(&s->takes, index, &accepted.n);
    d->ids = calloc(s->request.rewritten.n_there + accepted.n + 1, sizeof *d->ids);
    bool ok = accepted.ids && d->ids;
    if (ok)
        d->n = list(s, &accepted, d->ids);
    else
        displaced_fini(d);
    displaced_fini(&accepted);
    return ok;
}
