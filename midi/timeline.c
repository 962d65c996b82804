/* Tempo and meter maps. See timeline.h. Both arrays are sorted by tick, so every
 * question is a binary search for the last entry at or before it. */
#include "midi/timeline.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_US_PER_QUARTER = 500000 };

static bool tempo_is_valid(const struct tempo *t)
{
    return t->tick >= 0 && t->us_per_quarter > 0 && isfinite(t->us_per_quarter);
}

static bool meter_is_valid(const struct meter *m)
{
    return m->tick >= 0 && m->numerator >= 1 && m->numerator <= 255 &&
           m->denominator >= 1 && m->denominator <= 128 &&
           (m->denominator & (m->denominator - 1)) == 0;
}

/* Insertion keeps the order of equal ticks, so that the last of them wins; files
 * are sorted nearly always, which makes this linear. */
static void insert_tempo(struct timeline *t, struct tempo new)
{
    size_t i = t->n_tempos;
    while (i > 0 && t->tempos[i - 1].tick > new.tick)
        i--;
    if (i > 0 && t->tempos[i - 1].tick == new.tick) {
        t->tempos[i - 1] = new;
        return;
    }
    memmove(t->tempos + i + 1, t->tempos + i, (t->n_tempos - i) * sizeof new);
    t->tempos[i] = new;
    t->n_tempos++;
}

static void insert_meter(struct timeline *t, struct meter new)
{
    size_t i = t->n_meters;
    while (i > 0 && t->meters[i - 1].tick > new.tick)
        i--;
    if (i > 0 && t->meters[i - 1].tick == new.tick) {
        t->meters[i - 1] = new;
        return;
    }
    memmove(t->meters + i + 1, t->meters + i, (t->n_meters - i) * sizeof new);
    t->meters[i] = new;
    t->n_meters++;
}

/* Seconds and bar numbers accumulate from one entry to the next. */
static void number(struct timeline *t)
{
    int tpq = t->ticks_per_quarter;
    for (size_t i = 1; i < t->n_tempos; i++) {
        const struct tempo *a = &t->tempos[i - 1];
        double quarters = (double)(t->tempos[i].tick - a->tick) / tpq;
        t->tempos[i].seconds = a->seconds + quarters * a->us_per_quarter * 1e-6;
    }
    for (size_t i = 0; i < t->n_meters; i++) {
        struct meter *m = &t->meters[i];
        m->bar_ticks = (int64_t)tpq * 4 * m->numerator / m->denominator;
        if (m->bar_ticks < 1)
            m->bar_ticks = 1;
        if (i == 0)
            continue;
        const struct meter *a = &t->meters[i - 1];
        m->bar = a->bar + (m->tick - a->tick + a->bar_ticks - 1) / a->bar_ticks;
    }
}

enum midi_status timeline_init(struct timeline *t, int ticks_per_quarter,
                               const struct tempo *tempos, size_t n_tempos,
                               const struct meter *meters, size_t n_meters)
{
    memset(t, 0, sizeof *t);
    t->ticks_per_quarter = ticks_per_quarter > 0 ? ticks_per_quarter : 1;
    t->tempos = calloc(n_tempos + 1, sizeof *t->tempos);
    t->meters = calloc(n_meters + 1, sizeof *t->meters);
    if (!t->tempos || !t->meters) {
        timeline_fini(t);
        return MIDI_NO_MEMORY;
    }
    insert_tempo(t, (struct tempo){.us_per_quarter = DEFAULT_US_PER_QUARTER});
    insert_meter(t, (struct meter){.numerator = 4, .denominator = 4});
    for (size_t i = 0; i < n_tempos; i++)
        if (tempo_is_valid(&tempos[i]))
            insert_tempo(t, (struct tempo){.tick = tempos[i].tick,
                                           .us_per_quarter = tempos[i].us_per_quarter});
    for (size_t i = 0; i < n_meters; i++)
        if (meter_is_valid(&meters[i]))
            insert_meter(t, (struct meter){.tick = meters[i].tick,
                                           .numerator = meters[i].numerator,
                                           .denominator = meters[i].denominator});
    number(t);
    return MIDI_OK;
}

enum midi_status timeline_copy(struct timeline *to, const struct timeline *from)
{
    *to = *from;
    to->tempos = malloc(from->n_tempos * sizeof *to->tempos);
    to->meters = malloc(from->n_meters * sizeof *to->meters);
    if (!to->tempos || !to->meters) {
        timeline_fini(to);
        return MIDI_NO_MEMORY;
    }
    memcpy(to->tempos, from->tempos, from->n_tempos * sizeof *to->tempos);
    memcpy(to->meters, from->meters, from->n_meters * sizeof *to->meters);
    return MIDI_OK;
}

void timeline_fini(struct timeline *t)
{
    free(t->tempos);
    free(t->meters);
    memset(t, 0, sizeof *t);
}

static const struct tempo *tempo_at(const struct timeline *t, double tick)
{
    size_t lo = 0, hi = t->n_tempos;
    while (hi - lo > 1) {
        size_t mid = lo + (hi - lo) / 2;
        if ((double)t->tempos[mid].tick <= tick)
            lo = mid;
        else
            hi = mid;
    }
    return &t->tempos[lo];
}

double timeline_seconds(const struct timeline *t, double tick)
{
    const struct tempo *a = tempo_at(t, tick);
    double quarters = (tick - (double)a->tick) / t->ticks_per_quarter;
    return a->seconds + quarters * a->us_per_quarter * 1e-6;
}

double timeline_tick(const struct timeline *t, double seconds)
{
    size_t lo = 0, hi = t->n_tempos;
    while (hi - lo > 1) {
        size_t mid = lo + (hi - lo) / 2;
        if (t->tempos[mid].seconds <= seconds)
            lo = mid;
        else
            hi = mid;
    }
    const struct tempo *a = &t->tempos[lo];
    double quarters = (seconds - a->seconds) / (a->us_per_quarter * 1e-6);
    return (double)a->tick + quarters * t->ticks_per_quarter;
}

double timeline_bpm(const struct timeline *t, int64_t tick)
{
    return 60e6 / tempo_at(t, (double)tick)->us_per_quarter;
}

/* The bar `index` under the meter m, cut short where the next meter begins. */
static struct bar bar_of(const struct timeline *t, const struct meter *m, int64_t index)
{
    struct bar b = {.index = index,
                    .length = m->bar_ticks,
                    .numerator = m->numerator,
                    .denominator = m->denominator};
    b.start = m->tick + (index - m->bar) * m->bar_ticks;
    const struct meter *next = m + 1;
    if (next < t->meters + t->n_meters && b.start + b.length > next->tick)
        b.length = next->tick - b.start;
    return b;
}

struct bar timeline_bar_at(const struct timeline *t, int64_t tick)
{
    size_t lo = 0, hi = t->n_meters;
    if (tick < 0)
        tick = 0;
    while (hi - lo > 1) {
        size_t mid = lo + (hi - lo) / 2;
        if (t->meters[mid].tick <= tick)
            lo = mid;
        else
            hi = mid;
    }
    const struct meter *m = &t->meters[lo];
    return bar_of(t, m, m->bar + (tick - m->tick) / m->bar_ticks);
}

struct bar timeline_bar(const struct timeline *t, int64_t index)
{
    size_t lo = 0, hi = t->n_meters;
    if (index < 0)
        index = 0;
    while (hi - lo > 1) {
        size_t mid = lo + (hi - lo) / 2;
        if (t->meters[mid].bar <= index)
            lo = mid;
        else
            hi = mid;
    }
    return bar_of(t, &t->meters[lo], index);
}

int64_t timeline_beat_ticks(const struct timeline *t, int64_t tick)
{
    struct bar b = timeline_bar_at(t, tick);
    int64_t ticks = (int64_t)t->ticks_per_quarter * 4 / b.denominator;
    return ticks > 0 ? ticks : 1;
}
