/* See transport_line.h. Whatever bends the line (a start, an edit, another clock) sets a new
 * anchor. So does a loop's turn: the anchor is then the moment at which the start will be
 * heard again, and until that comes the line is that of the pass before, which ends there. */
#include "midi/transport/transport_line.h"

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

/* The moment of the piece so long before a turn: the pass before, or one before that
 * where several fit into what is sent ahead. */
static double seconds_before_turn(const struct transport *t, double seconds,
                                  unsigned *n_back)
{
    double end = line_seconds(t, (double)t->turned.to);
    double pass = end - line_seconds(t, (double)t->turned.from);
    double whole = fmin(floor(seconds / pass), t->n_turns - 1);
    *n_back = 1 + (unsigned)whole;
    return end - (seconds - whole * pass);
}

/* n_back: how many turns that have been sent are still to come at that moment. */
static double seconds_when(const struct transport *t, double ms, unsigned *n_back)
{
    *n_back = 0;
    if (line_turn_is_ahead(t, ms))
        return seconds_before_turn(t, (t->anchor_ms - ms) / 1000, n_back);
    return t->anchor_seconds + rate(t) * (ms - t->anchor_ms) / 1000;
}

double line_tick_at(const struct transport *t, double ms)
{
    unsigned n_back;
    return line_tick(t, fmax(seconds_when(t, ms, &n_back), 0));
}

/* Time before the piece is as fast as its beginning. */
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
