/* Tempo and meter as maps over ticks: ticks <-> seconds, ticks <-> bars.
 *
 * Bars count from 0 here (the screen and the command line add one). A meter
 * change in the middle of a bar starts a new bar there, as notation programs
 * do. Lookups are binary searches; nothing allocates after init. */
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
    int64_t index, start,
        length; /* length in ticks, shortened where a change cuts it */
    int numerator, denominator;
};

/* tempos: tick and us_per_quarter; meters: tick, numerator, denominator. Any
 * order, the last of several on one tick wins; values out of range are
 * ignored. Copies both; defaults 120 and 4/4 hold until the first. */
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
int64_t timeline_beat_ticks(const struct timeline *t,
                            int64_t tick); /* one denominator unit */
int64_t timeline_bar_ticks(const struct timeline *t,
                           int64_t tick); /* a whole bar, also where this one is cut */

#endif
