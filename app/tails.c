/* See tails.h. The notes of the moved ones' pitches are sorted by pitch and by where they
 * will begin; then each only has to be compared with the next. */
#include "app/tails.h"
#include "midi/played.h"
#include "midi/note.h"

#include <stdlib.h>
#include <string.h>

struct place {
    struct moved m;
    bool is_moved; /* else it is here because it stands near those that are */
    bool is_cut;
};

struct span {
    int64_t from, to;
    bool has_pitch[128];
};

static int64_t end_of(const struct note *n)
{
    return n->start + n->length;
}

static struct span span_of(const struct moved *moved, size_t n)
{
    struct span span = {.from = INT64_MAX, .to = INT64_MIN};
    for (size_t i = 0; i < n; i++) {
        const struct note *after = &moved[i].after;
        span.from = after->start < span.from ? after->start : span.from;
        span.to = end_of(after) > span.to ? end_of(after) : span.to;
        span.has_pitch[after->pitch & 127] = true;
    }
    return span;
}

static bool is_near(const struct span *span, const struct note *n)
{
    return span->has_pitch[n->pitch & 127] && n->start <= span->to &&
           end_of(n) >= span->from;
}

/* The moved ones and those near them, in the track's order. */
static size_t gather(const struct track *t, const struct moved *moved, size_t n,
                     struct place *out)
{
    struct span span = span_of(moved, n);
    size_t n_out = 0, next = 0;
    for (size_t i = 0; i < t->n_notes; i++) {
        const struct note *note = &t->notes[i];
        if (next < n && moved[next].before.id == note->id)
            out[n_out++] = (struct place){.m = moved[next++], .is_moved = true};
        else if (is_near(&span, note))
            out[n_out++] = (struct place){.m = {*note, *note}};
    }
    return n_out;
}

static int by_pitch_and_start(const void *a, const void *b)
{
    const struct note *x = &(*(struct place *const *)a)->m.after,
                      *y = &(*(struct place *const *)b)->m.after;
    if (x->pitch != y->pitch)
        return x->pitch - y->pitch;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return (x->id > y->id) - (x->id < y->id);
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

static void cut_all(struct place *places, struct place **sorted, size_t n,
                    struct note *meets)
{
    for (size_t i = 0; i < n; i++)
        sorted[i] = &places[i];
    qsort(sorted, n, sizeof *sorted, by_pitch_and_start);
    for (size_t i = 0; i + 1 < n; i++)
        cut(sorted[i], sorted[i + 1], meets);
}

/* Those that change after all. */
static size_t keep_changed(const struct place *places, size_t n, struct moved *out)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (places[i].is_moved || places[i].is_cut)
            out[kept++] = places[i].m;
    return kept;
}

bool tails_cut(const struct track *t, struct moved **moved, size_t *n,
               struct note *meets)
{
    size_t most = t->n_notes ? t->n_notes : 1;
    struct place *places = calloc(most, sizeof *places);
    struct place **sorted = calloc(most, sizeof *sorted);
    struct moved *out = NULL;
    if (places && sorted) {
        size_t n_places = gather(t, *moved, *n, places);
        cut_all(places, sorted, n_places, meets);
        out = calloc(n_places ? n_places : 1, sizeof *out);
        if (out) {
            *n = keep_changed(places, n_places, out);
            free(*moved);
            *moved = out;
        }
    }
    free(places);
    free(sorted);
    return out != NULL;
}
