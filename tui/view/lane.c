/* The lane's values are collected once for each version of the score. */
#include "tui/view/lane.h"

#include "midi/base/array.h"

#include <stdlib.h>

struct points {
    struct control_point *at;
    size_t n, cap;
};

struct lane_points {
    struct points own, other;
    const struct score *score; /* last read; NULL: none */
    uint64_t version;
    int track;
    struct control control;
};

struct lane_points *lane_points_create(void)
{
    return calloc(1, sizeof(struct lane_points));
}

void lane_points_destroy(struct lane_points *p)
{
    if (!p)
        return;
    free(p->own.at);
    free(p->other.at);
    free(p);
}

static int by_tick(const void *a, const void *b)
{
    int64_t x = ((const struct control_point *)a)->tick,
            y = ((const struct control_point *)b)->tick;
    return (x > y) - (x < y);
}

static bool collect_all(struct lane_points *p, const struct score *s)
{
    const struct track *t = &s->tracks[p->track];
    for (size_t i = 0; i < s->n_chunks; i++) {
        struct points *to = (int)i == t->chunk ? &p->own : &p->other;
        for (size_t k = 0; k < s->chunks[i].n_events; k++) {
            const struct event *e = &s->chunks[i].events[k];
            const struct control_point point = {
                e->tick, control_value(e, t->channel, p->control)};
            if (point.value >= 0 &&
                !array_add(&to->at, &to->n, &to->cap, &point, sizeof point))
                return false;
        }
    }
    if (p->other.n)
        qsort(p->other.at, p->other.n, sizeof *p->other.at, by_tick);
    return true;
}

bool lane_points_update(struct lane_points *p, const struct score *s, uint64_t version,
                        int track, struct control k)
{
    if (p->score == s && p->version == version && p->track == track &&
        control_equal(p->control, k))
        return true;
    p->own.n = p->other.n = 0;
    p->score = s;
    p->version = version;
    p->track = track;
    p->control = k;
    if (track < 0 || (size_t)track >= s->n_tracks || k.kind == CONTROL_VELOCITY ||
        collect_all(p, s))
        return true;
    p->own.n = p->other.n = 0;
    p->score = NULL;
    return false;
}

const struct control_point *lane_points_own(const struct lane_points *p, size_t *n)
{
    *n = p->own.n;
    return p->own.n ? p->own.at : NULL;
}

const struct control_point *lane_points_other(const struct lane_points *p, size_t *n)
{
    *n = p->other.n;
    return p->other.n ? p->other.at : NULL;
}

int lane_value_at(const struct layout *l, struct control k, int row)
{
    int rows = l->lane.rows > 0 ? l->lane.rows : 1, most = control_most(k);
    int above = l->lane.row + rows - 1 - row; /* rows below this one */
    int value = above < 0 ? 0
                : above >= rows
                    ? most
                    : (int)((2 * above + 1) * (int64_t)(most + 1) / (2 * rows));
    if (control_is_switch(k))
        return 2 * value > most ? most : 0;
    return value < control_least(k) ? control_least(k) : value;
}
