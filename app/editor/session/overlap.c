/* A sweep through time that remembers, for each pitch, until when it sounds. */
#include "app/editor/session/overlap.h"

#include "midi/score/notes.h"

#include <stdlib.h>

struct sweep {
    struct {
        int64_t end;
        size_t added; /* which of the added notes sounds, from 1; 0: the track's */
    } last[128];
    bool *is_bad; /* may be NULL */
    size_t n_met;
};

/* added 0: a note of the track. */
static void place(struct sweep *w, const struct note *n, size_t added)
{
    int pitch = n->pitch & 127;
    if (w->last[pitch].end > n->start) {
        size_t which = added ? added : w->last[pitch].added;
        w->n_met += which > 0;
        if (which && w->is_bad)
            w->is_bad[which - 1] = true;
        if (added && w->is_bad)
            return; /* it will not be there */
        if (w->is_bad && w->last[pitch].added)
            w->last[pitch].end = 0; /* nor the note that it met */
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

/* -- cutting -- */

/* The notes of the moved ones' pitches are sorted by pitch and by where they
 * will begin; then each only has to be compared with the next. */

struct place {
    struct moved m;
    bool is_moved; /* else it is here because it is near those that are */
    bool is_cut;
};

static int64_t end_of(const struct note *n)
{
    return n->start + n->length;
}

/* The moved ones and those near them, in the track's order. */
static size_t gather(const struct track *t, const struct moved *moved, size_t n,
                     struct place *out)
{
    int64_t from = INT64_MAX, to = INT64_MIN;
    bool has_pitch[128] = {false};
    for (size_t i = 0; i < n; i++) {
        const struct note *after = &moved[i].after;
        from = after->start < from ? after->start : from;
        to = end_of(after) > to ? end_of(after) : to;
        has_pitch[after->pitch & 127] = true;
    }
    size_t n_out = 0, next = 0;
    for (size_t i = 0; i < t->n_notes; i++) {
        const struct note *note = &t->notes[i];
        if (next < n && moved[next].before.id == note->id)
            out[n_out++] = (struct place){.m = moved[next++], .is_moved = true};
        else if (has_pitch[note->pitch & 127] && note->start <= to &&
                 end_of(note) >= from)
            out[n_out++] = (struct place){.m = {*note, *note}};
    }
    return n_out;
}

static int by_pitch_and_start(const void *a, const void *b)
{
    const struct note *x = &((const struct place *)a)->m.after,
                      *y = &((const struct place *)b)->m.after;
    if (x->pitch != y->pitch)
        return x->pitch - y->pitch;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return (x->id > y->id) - (x->id < y->id);
}

static int as_before(const void *a, const void *b)
{
    return note_compare(&((const struct place *)a)->m.before,
                        &((const struct place *)b)->m.before);
}

static bool overlap(const struct note *a, const struct note *b)
{
    return a->pitch == b->pitch && a->start < end_of(b) && b->start < end_of(a);
}

/* b begins no sooner. */
static void cut(struct place *a, const struct place *b, struct note *meets)
{
    struct note *tail = &a->m.after;
    const struct note *next = &b->m.after;
    if (!(a->is_moved || b->is_moved) || !overlap(tail, next) ||
        overlap(&a->m.before, &b->m.before))
        return;
    if (tail->start == next->start) {
        if (meets)
            *meets = *next;
        return;
    }
    struct note was = *tail;
    tail->length = next->start - tail->start;
    played_keep(tail, &was);
    a->is_cut = true;
}

bool overlaps_truncate(const struct track *t, struct moved **moved, size_t *n,
                       struct note *meets)
{
    struct place *places = calloc(t->n_notes + 1, sizeof *places);
    size_t n_places = places ? gather(t, *moved, *n, places) : 0;
    struct moved *out = places ? calloc(n_places + 1, sizeof *out) : NULL;
    if (out) {
        qsort(places, n_places, sizeof *places, by_pitch_and_start);
        for (size_t i = 0; i + 1 < n_places; i++)
            cut(&places[i], &places[i + 1], meets);
        qsort(places, n_places, sizeof *places, as_before);
        *n = 0;
        for (size_t i = 0; i < n_places; i++)
            if (places[i].is_moved || places[i].is_cut)
                out[(*n)++] = places[i].m;
        free(*moved);
        *moved = out;
    }
    free(places);
    return out != NULL;
}
