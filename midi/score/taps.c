/* A short sorted list. See taps.h. */
#include "midi/score/taps.h"

#include "midi/score/note.h"

#include <stdlib.h>
#include <string.h>

void taps_fini(struct taps *t)
{
    free(t->list);
    *t = (struct taps){0};
}

bool taps_copy(struct taps *to, const struct taps *from)
{
    *to = (struct taps){0};
    if (!from->n)
        return true;
    to->list = reallocarray(NULL, from->n, sizeof *to->list);
    if (!to->list)
        return false;
    memcpy(to->list, from->list, from->n * sizeof *to->list);
    to->n = to->cap = from->n;
    return true;
}

static int compare(struct tap a, struct tap b)
{
    if (a.tick != b.tick)
        return a.tick < b.tick ? -1 : 1;
    return (int)a.kind - (int)b.kind;
}

/* The first that is not before it. */
static size_t place(const struct taps *t, struct tap tap)
{
    size_t lo = 0, hi = t->n;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (compare(t->list[mid], tap) < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static bool is_at(const struct taps *t, size_t at, struct tap tap)
{
    return at < t->n && compare(t->list[at], tap) == 0;
}

bool taps_has(const struct taps *t, struct tap tap)
{
    return is_at(t, place(t, tap), tap);
}

size_t taps_first_at(const struct taps *t, int64_t tick)
{
    return place(t, (struct tap){tick, TAP_BAR});
}

static bool make_room(struct taps *t)
{
    size_t cap = t->cap ? 2 * t->cap : 16;
    if (t->n < t->cap)
        return true;
    struct tap *list =
        t->n < TAPS_MOST ? reallocarray(t->list, cap, sizeof *list) : NULL;
    if (!list)
        return false;
    t->list = list;
    t->cap = cap;
    return true;
}

bool taps_put(struct taps *t, struct tap tap)
{
    size_t at = place(t, tap);
    if (is_at(t, at, tap))
        return true;
    if (!make_room(t))
        return false;
    memmove(&t->list[at + 1], &t->list[at], (t->n - at) * sizeof *t->list);
    t->list[at] = tap;
    t->n++;
    return true;
}

void taps_remove(struct taps *t, struct tap tap)
{
    size_t at = place(t, tap);
    if (!is_at(t, at, tap))
        return;
    t->n--;
    memmove(&t->list[at], &t->list[at + 1], (t->n - at) * sizeof *t->list);
}

void taps_shift(struct taps *t, int64_t from, int64_t by)
{
    for (size_t i = taps_first_at(t, from); i < t->n; i++)
        t->list[i].tick += by;
}
