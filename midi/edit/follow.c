/* See follow.h. A parent's number is less than its child's: from two states the greater
 * goes up until both are one. */
#include "midi/edit/follow.h"

#include "midi/edit/apply.h"
#include "midi/score/note.h"

enum { MOST = 256 };

/* Put in, or, backwards, taken out again. */
static int64_t follow(const struct change *c, int64_t tick, bool is_end, bool forwards)
{
    for (size_t i = 0; i < c->n_edits; i++) {
        const struct edit *e = &c->edits[i];
        if (e->kind != EDIT_TIME)
            continue;
        int64_t at = e->time.at + is_end, by = e->time.by;
        if (forwards)
            return tick < at ? tick : tick < TICK_MAX - by ? tick + by : TICK_MAX;
        return tick >= at + by ? tick - by : tick >= at ? e->time.at : tick;
    }
    return tick;
}

int64_t history_follow(const struct history *h, uint64_t from, uint64_t to,
                       int64_t tick, bool is_end)
{
    const struct change *down[MOST];
    int n = 0;
    while (from != to) {
        if (from > to) {
            tick = follow(history_change(h, from), tick, is_end, false);
            from = history_parent(h, from);
            continue;
        }
        const struct change *c = history_change(h, to);
        if (n < MOST && change_time_put_in(c))
            down[n++] = c;
        to = history_parent(h, to);
    }
    while (n > 0)
        tick = follow(down[--n], tick, is_end, true);
    return tick;
}
