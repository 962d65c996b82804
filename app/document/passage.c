/* See passage.h. */
#include "app/document/passage.h"

#include <stdlib.h>
#include <string.h>

static bool is_near(int64_t ticks)
{
    return ticks >= -PASSAGE_FURTHEST && ticks <= PASSAGE_FURTHEST;
}

static bool is_within(int x, int low, int high)
{
    return x >= low && x <= high;
}

static bool note_is_sane(const struct passage_note *n)
{
    return is_near(n->offset) && n->length >= 0 && is_near(n->length) &&
           is_within(n->track, 0, PASSAGE_TRACKS - 1) && is_within(n->pitch, 0, 127) &&
           is_within(n->velocity, 1, 127) && is_within(n->off_velocity, 0, 127);
}

bool passage_is_sane(const struct passage *p)
{
    bool ok = p->span >= 0 && p->span <= PASSAGE_FURTHEST / 2;
    for (size_t i = 0; ok && i < p->n; i++)
        ok = note_is_sane(&p->notes[i]);
    return ok && passage_points_are_sane(p);
}

void passage_fini(struct passage *p)
{
    free(p->notes);
    free(p->points);
    *p = (struct passage){0};
}

int passage_n_tracks(const struct passage *p)
{
    return p->n ? p->notes[p->n - 1].track + 1 : 0;
}

int64_t passage_ticks(const struct passage *p, int64_t ticks, int ticks_per_quarter)
{
    int64_t from = p->ticks_per_quarter, to = ticks_per_quarter;
    ticks = ticks > PASSAGE_FURTHEST    ? PASSAGE_FURTHEST
            : ticks < -PASSAGE_FURTHEST ? -PASSAGE_FURTHEST
                                        : ticks;
    int64_t whole = ticks / from, rest = ticks % from;
    int64_t twice = 2 * rest * to + (rest < 0 ? -from : from);
    return whole * to + twice / (2 * from);
}

/* A copy with room for more. false: no memory. */
static bool copy_with_room(struct passage *to, const struct passage *from,
                           size_t n_more, size_t n_more_points)
{
    struct passage p = *from;
    p.notes = calloc(from->n + n_more + 1, sizeof *p.notes);
    p.points = calloc(from->n_points + n_more_points + 1, sizeof *p.points);
    if (!p.notes || !p.points) {
        passage_fini(&p);
        return false;
    }
    if (from->n)
        memcpy(p.notes, from->notes, from->n * sizeof *p.notes);
    if (from->n_points)
        memcpy(p.points, from->points, from->n_points * sizeof *p.points);
    *to = p;
    return true;
}

bool passage_copy(struct passage *to, const struct passage *from)
{
    return copy_with_room(to, from, 0, 0);
}

static void add_later(struct passage *p, const struct passage *more, int64_t at)
{
    int tpq = p->ticks_per_quarter;
    for (size_t i = 0; i < more->n; i++) {
        struct passage_note n = more->notes[i];
        n.offset = at + passage_ticks(more, n.offset, tpq);
        n.length = passage_ticks(more, n.length, tpq);
        p->notes[p->n++] = n;
    }
    for (size_t i = 0; i < more->n_points; i++) {
        struct passage_point point = more->points[i];
        point.offset = at + passage_ticks(more, point.offset, tpq);
        p->points[p->n_points++] = point;
    }
}

static int by_track(const void *a, const void *b)
{
    const struct passage_note *x = a, *y = b;
    return x->track != y->track ? x->track - y->track
                                : (x->offset > y->offset) - (x->offset < y->offset);
}

/* Points of one control at one offset are of one of the two passages, and in order. */
static int points_by_control(const void *a, const void *b)
{
    const struct passage_point *x = a, *y = b;
    if (x->track != y->track)
        return x->track - y->track;
    if (x->kind != y->kind)
        return x->kind - y->kind;
    if (x->number != y->number)
        return x->number - y->number;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

bool passage_append(struct passage *p, const struct passage *more)
{
    struct passage both;
    if (!copy_with_room(&both, p, more->n, more->n_points))
        return false;
    add_later(&both, more, p->span);
    both.span += passage_ticks(more, more->span, p->ticks_per_quarter);
    qsort(both.notes, both.n, sizeof *both.notes, by_track);
    qsort(both.points, both.n_points, sizeof *both.points, points_by_control);
    if (!passage_is_sane(&both)) {
        passage_fini(&both);
        return false;
    }
    passage_fini(p);
    *p = both;
    return true;
}
