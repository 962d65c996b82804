/* The line along which the playhead moves (transport_parts.h).
 *
 * A start, an edit or another clock bends the line and sets a new anchor. So does a
 * turn of the loop: then the anchor is the moment at which the loop's start will be
 * heard again. Until then the line is that of the last pass, which ends at the
 * anchor. */
#include "midi/transport/transport_parts.h"

#include <math.h>

#define FOLLOWED_QUARTERS_A_SECOND 2.0

const struct timeline *line_timeline(const struct transport *t)
{
    return &schedule_score(t->schedule)->timeline;
}

static double followed_ticks_a_second(const struct transport *t)
{
    return FOLLOWED_QUARTERS_A_SECOND * line_timeline(t)->ticks_per_quarter;
}

static double rate(const struct transport *t)
{
    return t->follows ? t->rate : 1;
}

double line_seconds(const struct transport *t, double tick)
{
    return t->follows ? tick / followed_ticks_a_second(t)
                      : timeline_seconds(line_timeline(t), tick);
}

double line_tick(const struct transport *t, double seconds)
{
    return t->follows ? seconds * followed_ticks_a_second(t)
                      : timeline_tick(line_timeline(t), seconds);
}

void line_set_anchor(struct transport *t, double ms)
{
    t->anchor_ms = ms;
    t->anchor_tick = t->tick;
    t->anchor_seconds = line_seconds(t, t->tick);
    t->n_turns = 0;
}

bool line_turn_is_ahead(const struct transport *t, double ms)
{
    return t->n_turns > 0 && ms < t->anchor_ms;
}

/* Returns the second of the piece at that moment. Before a turn it lies in the last
 * pass, or in an earlier one if several passes fit into what is sent ahead. *n_back
 * becomes how many of the turns sent are still to come. */
static double seconds_when(const struct transport *t, double ms, unsigned *n_back)
{
    *n_back = 0;
    if (!line_turn_is_ahead(t, ms))
        return t->anchor_seconds + rate(t) * (ms - t->anchor_ms) / 1000;
    double before = (t->anchor_ms - ms) / 1000;
    double end = line_seconds(t, (double)t->turned.to);
    double pass = end - line_seconds(t, (double)t->turned.from);
    double whole = fmin(floor(before / pass), t->n_turns - 1);
    *n_back = 1 + (unsigned)whole;
    return end - (before - whole * pass);
}

double line_tick_at(const struct transport *t, double ms)
{
    unsigned n_back;
    return line_tick(t, fmax(seconds_when(t, ms, &n_back), 0));
}

/* Before the piece, time runs in the tempo of its beginning. */
double transport_tick_at(const struct transport *t, double ms, unsigned *pass)
{
    unsigned n_back;
    double seconds = seconds_when(t, ms, &n_back);
    *pass = t->n_passes > n_back ? t->n_passes - n_back : 0;
    return seconds < 0 ? -line_tick(t, -seconds) : line_tick(t, seconds);
}

double line_ms_at(const struct transport *t, double tick)
{
    return t->anchor_ms + (line_seconds(t, tick) - t->anchor_seconds) * 1000 / rate(t);
}

int64_t line_first_tick_from(const struct transport *t, double ms, double tick)
{
    int64_t first = (int64_t)ceil(tick);
    while (first > 0 && line_ms_at(t, (double)(first - 1)) >= ms)
        first--;
    while (line_ms_at(t, (double)first) < ms)
        first++;
    return first;
}
