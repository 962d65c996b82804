/* Maps of tempo and meter: ticks to seconds, ticks to bars, and back.
 *
 * Bars count from 0 (the screen and the command line add one). A meter change within
 * a bar starts a new bar, as notation programs do. Lookups are binary searches;
 * nothing allocates after init. */
#ifndef MIDI_TIMELINE_H
#define MIDI_TIMELINE_H

#include "midi/base/midi.h"

#include <stddef.h>
#include <stdint.h>

struct tempo {
    int64_t tick;
    double us_per_quarter; /* > 0 */
    double seconds;        /* at `tick`, from the start */
};

struct meter {
    int64_t tick;      /* a bar line */
    int numerator;     /* 1..255 */
    int denominator;   /* a power of two, 1..128 */
    int64_t bar;       /* index of the bar that starts at `tick` */
    int64_t bar_ticks; /* >= 1 */
};

struct timeline {
    int ticks_per_quarter;
    struct tempo *tempos; /* the first at tick 0 */
    size_t n_tempos;
    struct meter *meters; /* the first at tick 0 */
    size_t n_meters;
};

struct bar {
    int64_t index, start, length; /* ticks; less where a change cuts the bar */
    int numerator, denominator;
};

/* tempos: tick and us_per_quarter; meters: tick, numerator, denominator. In any
 * order; of several at one tick the last holds. Ignores values out of range. Copies
 * both. 120 a minute and 4/4 hold until the first. */
enum midi_status timeline_init(struct timeline *t, int ticks_per_quarter,
                               const struct tempo *tempos, size_t n_tempos,
                               const struct meter *meters, size_t n_meters);
enum midi_status timeline_copy(struct timeline *to, const struct timeline *from);
void timeline_fini(struct timeline *t);

double timeline_seconds(const struct timeline *t, double tick);
double timeline_tick(const struct timeline *t, double seconds);
double timeline_bpm(const struct timeline *t, int64_t tick); /* quarters a minute */
struct bar timeline_bar_at(const struct timeline *t, int64_t tick);
struct bar timeline_bar(const struct timeline *t, int64_t index);
/* One denominator unit. */
int64_t timeline_beat_ticks(const struct timeline *t, int64_t tick);
/* A whole bar, also where this one is cut. */
int64_t timeline_bar_ticks(const struct timeline *t, int64_t tick);
/* The meter of the music at a tick: of a pickup, a shorter first bar with a meter of its
 * own, that of the bar after it. *missing: ticks by which the bar at the tick is shorter
 * because it is a pickup, else 0. */
struct meter timeline_meter(const struct timeline *t, int64_t tick, int64_t *missing);

#endif
