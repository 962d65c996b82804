/* A sweep through time that remembers, for each pitch, until when it sounds. */
#include "app/dataset/overlap.h"

struct sweep {
    struct {
        int64_t end;
        size_t added; /* which of the added notes sounds, from 1; 0: the track's */
    } last[128];
    bool *is_bad; /* may be NULL */
    size_t n_met;
};

static void meet(struct sweep *w, size_t added)
{
    w->n_met++;
    if (w->is_bad)
        w->is_bad[added - 1] = true;
}

/* added 0: a note of the track. */
static void place(struct sweep *w, const struct note *n, size_t added)
{
    int pitch = n->pitch & 127;
    if (w->last[pitch].end > n->start) {
        size_t which = added ? added : w->last[pitch].added;
        if (which)
            meet(w, which);
        if (added && w->is_bad)
            return; /* it will not be there */
        if (w->is_bad && w->last[pitch].added)
            w->last[pitch].end = 0; /* nor that which it met */
    }
    if (n->start + n->length > w->last[pitch].end) {
        w->last[pitch].end = n->start + n->length;
        w->last[pitch].added = added;
    }
}

size_t overlap_count(const struct track *t, const struct note *without,
                     size_t n_without, const struct note *with, size_t n_with,
                     bool *is_bad)
{
    struct sweep w = {.is_bad = is_bad};
    size_t added = 0, gone = 0;
    for (size_t i = 0; i < t->n_notes; i++) {
        if (gone < n_without && t->notes[i].id == without[gone].id) {
            gone++;
            continue;
        }
        for (; added < n_with && with[added].start < t->notes[i].start; added++)
            place(&w, &with[added], added + 1);
        place(&w, &t->notes[i], 0);
    }
    for (; added < n_with; added++)
        place(&w, &with[added], added + 1);
    return w.n_met;
}
