/* The maps of tempo and meter: ticks to seconds, ticks to bars, and back.
 *
 * Bars count from 0; the screen and the command line add one. A meter that begins
 * within a bar starts a new bar, as in notation programs. Lookups are binary searches,
 * and nothing allocates after init. */
#ifndef MIDI_TIMELINE_H
#define MIDI_TIMELINE_H

#include "midi/base/midi.h"

#include <stddef.h>
#include <stdint.h>

struct tempo {
    int64_t tick;
    double us_per_quarter; /* > 0 */
    double seconds;        /* from the start of the piece to `tick` */
};

struct meter {
    int64_t tick;      /* a bar line */
    int numerator;     /* 1..255 */
    int denominator;   /* a power of two, 1..128 */
    int64_t bar;       /* of the bar that starts at `tick` */
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
    int64_t index, start, length; /* ticks; length is less where a meter cuts it */
    int numerator, denominator;
};

/* Copies tempos (tick, us_per_quarter) and meters (tick, numerator, denominator), in
 * any order. Of several at one tick the last counts. Values out of range are ignored.
 * Until the first, 120 a minute and 4/4 hold. */
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
/* Returns the ticks of one unit of the meter's denominator. */
int64_t timeline_beat_ticks(const struct timeline *t, int64_t tick);
/* Returns the next beat or bar line after `tick`. */
int64_t timeline_next_beat(const struct timeline *t, int64_t tick);
/* Returns the ticks of a whole bar, even if the bar at `tick` is cut. */
int64_t timeline_bar_ticks(const struct timeline *t, int64_t tick);
/* Returns the meter of the music at a tick. A pickup, which is a shorter first bar with
 * a meter of its own, has the meter of the bar after it. *missing becomes the number of
 * ticks by which a pickup is shorter than a bar, and 0 elsewhere. */
struct meter timeline_meter(const struct timeline *t, int64_t tick, int64_t *missing);

#endif
