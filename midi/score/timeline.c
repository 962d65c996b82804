/* Two sorted arrays. Each tempo stores its second and each meter its bar, so a lookup
 * is a binary search and one step of arithmetic. */
#include "midi/score/timeline.h"
#include "midi/base/array.h"
#include "midi/base/larger.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

static const double DEFAULT_US_PER_QUARTER = 500000.0;

/* Of several values at one tick the last must win, but qsort is not stable. So during
 * sorting the derived field (seconds, bar) holds the index in the caller's array. */
static int tempo_compare(const void *a, const void *b)
{
    const struct tempo *x = a, *y = b;
    if (x->tick != y->tick)
        return x->tick < y->tick ? -1 : 1;
    return (x->seconds > y->seconds) - (x->seconds < y->seconds);
}

static int meter_compare(const void *a, const void *b)
{
    const struct meter *x = a, *y = b;
    if (x->tick != y->tick)
        return x->tick < y->tick ? -1 : 1;
    return (x->bar > y->bar) - (x->bar < y->bar);
}

/* The default value comes first, so that a value at tick 0 replaces it. */
static enum midi_status collect_tempos(struct timeline *t, const struct tempo *tempos,
                                       size_t n)
{
    t->tempos = calloc(n + 1, sizeof *t->tempos);
    if (!t->tempos)
        return MIDI_NO_MEMORY;
    size_t kept = 1;
    t->tempos[0] =
        (struct tempo){.us_per_quarter = DEFAULT_US_PER_QUARTER, .seconds = -1};
    for (size_t i = 0; i < n; i++) {
        double us = tempos[i].us_per_quarter;
        if (tempos[i].tick < 0 || !isfinite(us) || us <= 0)
            continue;
        t->tempos[kept] = tempos[i];
        t->tempos[kept++].seconds = (double)i;
    }
    qsort(t->tempos, kept, sizeof *t->tempos, tempo_compare);
    for (size_t i = 0; i < kept; i++)
        if (i + 1 == kept || t->tempos[i].tick != t->tempos[i + 1].tick)
            t->tempos[t->n_tempos++] = t->tempos[i];
    return MIDI_OK;
}

static enum midi_status collect_meters(struct timeline *t, const struct meter *meters,
                                       size_t n)
{
    t->meters = calloc(n + 1, sizeof *t->meters);
    if (!t->meters)
        return MIDI_NO_MEMORY;
    size_t kept = 0;
    t->meters[kept++] = (struct meter){.numerator = 4, .denominator = 4, .bar = -1};
    for (size_t i = 0; i < n; i++) {
        const struct meter *m = &meters[i];
        if (m->tick < 0 || m->numerator < 1 || m->numerator > 255 ||
            m->denominator < 1 || m->denominator > 128 ||
            (m->denominator & (m->denominator - 1)))
            continue;
        t->meters[kept] = meters[i];
        t->meters[kept++].bar = (int64_t)i;
    }
    qsort(t->meters, kept, sizeof *t->meters, meter_compare);
    for (size_t i = 0; i < kept; i++)
        if (i + 1 == kept || t->meters[i].tick != t->meters[i + 1].tick)
            t->meters[t->n_meters++] = t->meters[i];
    return MIDI_OK;
}

static double seconds_from(const struct timeline *t, const struct tempo *from,
                           double tick)
{
    double quarters = (tick - (double)from->tick) / t->ticks_per_quarter;
    return from->seconds + quarters * from->us_per_quarter * 1e-6;
}

enum midi_status timeline_init(struct timeline *t, int ticks_per_quarter,
                               const struct tempo *tempos, size_t n_tempos,
                               const struct meter *meters, size_t n_meters)
{
    *t = (struct timeline){.ticks_per_quarter =
                               ticks_per_quarter < 1 ? 1 : ticks_per_quarter};
    enum midi_status st = collect_tempos(t, tempos, n_tempos);
    if (!st)
        st = collect_meters(t, meters, n_meters);
    if (st) {
        timeline_fini(t);
        return st;
    }
    t->tempos[0].seconds = 0;
    for (size_t i = 1; i < t->n_tempos; i++)
        t->tempos[i].seconds =
            seconds_from(t, &t->tempos[i - 1], (double)t->tempos[i].tick);
    const int64_t whole = 4 * (int64_t)t->ticks_per_quarter;
    for (size_t i = 0; i < t->n_meters; i++) {
        struct meter *m = &t->meters[i];
        m->bar_ticks = larger(1, whole * m->numerator / m->denominator);
        m->bar = 0;
        if (i > 0) { /* a bar that a meter shortens counts as one */
            const struct meter *last = m - 1;
            m->bar = last->bar + (m->tick - last->tick - 1) / last->bar_ticks + 1;
        }
    }
    return MIDI_OK;
}

enum midi_status timeline_copy(struct timeline *to, const struct timeline *from)
{
    *to = *from;
    to->tempos = array_copy(from->tempos, from->n_tempos, sizeof *to->tempos);
    to->meters = array_copy(from->meters, from->n_meters, sizeof *to->meters);
    if (to->tempos && to->meters)
        return MIDI_OK;
    timeline_fini(to);
    return MIDI_NO_MEMORY;
}

void timeline_fini(struct timeline *t)
{
    free(t->tempos);
    free(t->meters);
    *t = (struct timeline){0};
}

/* Returns the last tempo at or before `tick`; before the start, the first tempo. */
static const struct tempo *tempo_at(const struct timeline *t, double tick)
{
    size_t at;
    ARRAY_PASS(at, t->n_tempos, (double)t->tempos[at].tick <= tick);
    return &t->tempos[at ? at - 1 : 0];
}

static const struct meter *meter_at(const struct timeline *t, int64_t tick)
{
    size_t at;
    ARRAY_PASS(at, t->n_meters, t->meters[at].tick <= tick);
    return &t->meters[at ? at - 1 : 0];
}

double timeline_seconds(const struct timeline *t, double tick)
{
    return seconds_from(t, tempo_at(t, tick), tick);
}

double timeline_tick(const struct timeline *t, double seconds)
{
    size_t at;
    ARRAY_PASS(at, t->n_tempos, t->tempos[at].seconds <= seconds);
    const struct tempo *from = &t->tempos[at ? at - 1 : 0];
    double quarters = (seconds - from->seconds) * 1e6 / from->us_per_quarter;
    return (double)from->tick + quarters * t->ticks_per_quarter;
}

double timeline_bpm(const struct timeline *t, int64_t tick)
{
    return 60e6 / tempo_at(t, (double)tick)->us_per_quarter;
}

/* Returns the n-th bar of meter `m`, cut where the next meter begins. */
static struct bar bar_under(const struct timeline *t, const struct meter *m,
                            int64_t nth)
{
    nth = smaller(nth, INT64_MAX / 4 / m->bar_ticks);
    struct bar b = {
        .index = m->bar + nth,
        .start = m->tick + nth * m->bar_ticks,
        .length = m->bar_ticks,
        .numerator = m->numerator,
        .denominator = m->denominator,
    };
    const struct meter *next = m + 1;
    if (next < t->meters + t->n_meters)
        b.length = smaller(b.length, next->tick - b.start);
    return b;
}

struct bar timeline_bar_at(const struct timeline *t, int64_t tick)
{
    tick = larger(0, tick);
    const struct meter *m = meter_at(t, tick);
    return bar_under(t, m, (tick - m->tick) / m->bar_ticks);
}

struct bar timeline_bar(const struct timeline *t, int64_t index)
{
    size_t at;
    index = larger(0, index);
    ARRAY_PASS(at, t->n_meters, t->meters[at].bar <= index);
    const struct meter *m = &t->meters[at ? at - 1 : 0];
    return bar_under(t, m, index - m->bar);
}

int64_t timeline_bar_ticks(const struct timeline *t, int64_t tick)
{
    return meter_at(t, tick)->bar_ticks;
}

int64_t timeline_beat_ticks(const struct timeline *t, int64_t tick)
{
    return larger(1,
                  4 * (int64_t)t->ticks_per_quarter / meter_at(t, tick)->denominator);
}

int64_t timeline_next_beat(const struct timeline *t, int64_t tick)
{
    const struct bar bar = timeline_bar_at(t, tick);
    const int64_t beat = timeline_beat_ticks(t, tick);
    const int64_t next = bar.start + ((tick - bar.start) / beat + 1) * beat;
    return smaller(next, bar.start + bar.length);
}

struct meter timeline_meter(const struct timeline *t, int64_t tick, int64_t *missing)
{
    const struct meter *at = meter_at(t, tick), *next = at + 1;
    const bool is_pickup = at == t->meters && t->n_meters > 1 && next->bar == 1 &&
                           next->tick < next->bar_ticks;
    *missing = is_pickup ? next->bar_ticks - next->tick : 0;
    return is_pickup ? *next : *at;
}
