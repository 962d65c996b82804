/* The gate of a track: how much its notes end before the grid.
 *
 * Sequencers export a quarter as 0.95 of a quarter, or as ten ticks less. Such ends are
 * read as on the grid, which is what models learn, and new notes end as early as the
 * given ones. The grid of ends is sixteenths and triplets of sixteenths. Pure
 * functions, any thread. */
#ifndef MIDI_GATE_H
#define MIDI_GATE_H

#include "midi/score/score.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A length L on the grid is played as L * percent / 100 - ticks. */
struct gate {
    int percent;   /* 1 to 100 */
    int64_t ticks; /* 0 unless percent is 100 */
};
#define GATE_NONE ((struct gate){100, 0})
static inline bool gate_is_none(struct gate g)
{
    return g.percent == 100 && g.ticks == 0;
}

/* Returns the gate that explains the ends of most of these notes, or GATE_NONE if none
 * does or there are too few notes. */
struct gate gate_of(const struct note *notes, size_t n, int ticks_per_quarter);

/* Returns the step at which a note ends, rounded to nearest, or INT64_MAX on overflow.
 * The note's start and length are not negative. */
int64_t gate_read_end(struct gate g, const struct note *n, int ticks_per_quarter);

/* Returns the tick at which a note ends that lasts from tick `start` to `end_step`. If
 * that step is on the grid, this is before the step's tick. */
int64_t gate_write_end(struct gate g, int64_t start, int64_t end_step,
                       int ticks_per_quarter);

#endif
