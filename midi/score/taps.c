/* Taps lie in a short sorted array. */
#include "midi/score/taps.h"

#include "midi/base/array.h"

#include <stdlib.h>
#include <string.h>

void taps_fini(struct taps *t)
{
    free(t->list);
    *t = (struct taps){0};
}

bool taps_copy(struct taps *to, const struct taps *from)
{
    *to = (struct taps){.list = array_copy(from->list, from->n, sizeof *to->list)};
    if (to->list)
        to->n = to->cap = from->n;
    return to->list;
}

static int compare(struct tap a, struct tap b)
{
    if (a.tick != b.tick)
        return a.tick < b.tick ? -1 : 1;
    return (int)a.kind - (int)b.kind;
}

/* Returns the index of the first tap that is not before this one. */
static size_t place(const struct taps *t, struct tap tap)
{
    size_t at;
    ARRAY_PASS(at, t->n, compare(t->list[at], tap) < 0);
    return at;
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

bool taps_put(struct taps *t, struct tap tap)
{
    size_t at = place(t, tap);
    if (is_at(t, at, tap))
        return true;
    if (t->n >= TAPS_MOST || !ARRAY_GROW(t->list, t->n, t->cap))
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
    const size_t first = taps_first_at(t, from),
                 to = by < 0 ? taps_first_at(t, from + by) : first;
    if (to < first)
        memmove(&t->list[to], &t->list[first], (t->n - first) * sizeof *t->list);
    t->n -= first - to;
    for (size_t i = to; i < t->n; i++)
        t->list[i].tick += by;
}
