#include "midi/transport/transport_sync.h"

#include "midi/transport/transport_line.h"

#include <math.h>

enum {
    A_QUARTER = 24,
    A_SIXTEENTH = 6,
    MOST_SIXTEENTHS = 16383, /* a song position has 14 bits */
    CLOSE_MS = 1, /* clocks that would follow each other faster are left out */
    SONG_POSITION = 0xf2,
    CLOCK = 0xf8,
    START = 0xfa,
    CONTINUE = 0xfb,
    STOP = 0xfc,
};

static double tick_of(const struct transport *t, int64_t clock)
{
    return (double)clock * line_timeline(t)->ticks_per_quarter / A_QUARTER;
}

static int64_t first_clock_from(const struct transport *t, double tick)
{
    return (int64_t)ceil(tick * A_QUARTER / line_timeline(t)->ticks_per_quarter);
}

void clocks_locate(struct transport *t, int64_t tick, double ms)
{
    if (!t->clocks.is_on || !t->schedule)
        return;
    int64_t clock = first_clock_from(t, (double)tick);
    int64_t n = (clock + A_SIXTEENTH - 1) / A_SIXTEENTH;
    if (n <= MOST_SIXTEENTHS)
        outlet_sync_at(&t->out, ms, SONG_POSITION, (int)n & 127, (int)n >> 7);
}

void clocks_begin(struct transport *t, double ms)
{
    struct clocks *c = &t->clocks;
    if (!c->is_on)
        return;
    c->next = first_clock_from(t, (double)t->sent_tick);
    c->begins = (c->next + A_SIXTEENTH - 1) / A_SIXTEENTH * A_SIXTEENTH;
    if (c->begins) /* a start says that it is the beginning */
        clocks_locate(t, t->sent_tick, ms);
}

/* However fast the piece is, that is no clock any more. */
static int64_t clock_after(const struct transport *t, double ms)
{
    const struct clocks *c = &t->clocks;
    int64_t near = first_clock_from(t, line_tick_at(t, ms + CLOSE_MS));
    int64_t next = near > c->next ? near : c->next + 1;
    return c->next < c->begins && next > c->begins ? c->begins : next;
}

void clocks_send(struct transport *t, int64_t before_tick)
{
    struct clocks *c = &t->clocks;
    while (c->is_on && tick_of(t, c->next) < (double)before_tick) {
        double ms = line_ms_at(t, tick_of(t, c->next));
        if (c->next == c->begins)
            outlet_sync_at(&t->out, ms, c->begins ? CONTINUE : START, 0, 0);
        outlet_sync_at(&t->out, ms, CLOCK, 0, 0);
        c->next = clock_after(t, ms);
    }
}

/* Exactly those that were queued for `from` or later, as line_first_tick_from. */
void clocks_take_back(struct transport *t, double from_ms, bool turns)
{
    struct clocks *c = &t->clocks;
    if (!c->is_on)
        return;
    int64_t first = first_clock_from(t, line_tick_at(t, from_ms));
    while (first > 0 && line_ms_at(t, tick_of(t, first - 1)) >= from_ms)
        first--;
    while (line_ms_at(t, tick_of(t, first)) < from_ms)
        first++;
    if (turns || first < c->next)
        c->next = first;
    if (turns)
        c->begins = -1;
}

void clocks_stop(struct transport *t)
{
    if (t->clocks.is_on)
        outlet_sync_at(&t->out, outlet_now(&t->out), STOP, 0, 0);
}

void transport_set_clocks(struct transport *t, bool on)
{
    if (t->clocks.is_on == on)
        return;
    if (!on && t->is_playing)
        clocks_stop(t);
    t->clocks.is_on = on;
    if (on && t->is_playing)
        clocks_begin(t, outlet_now(&t->out));
}
