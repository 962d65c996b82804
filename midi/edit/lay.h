/* Freely played music is laid on the grid: bar lines come to stand where they were tapped,
 * and the tempo map says how fast each bar was played, so that all of it sounds when it
 * did before.
 *
 * Whatever begins at `from` or later, on all tracks, moves to the tick that the new tempo
 * map has at its moment: to within half a tick of it. What is before stays. Before the
 * first tap the tempo is that of the first bar, and the bar it falls into is a short one,
 * an upbeat; a tap right after `from` is taken as one at it. After the last tap the tempo
 * goes on. Tempos of a file are whole microseconds
 * a quarter, so each makes up for the rounding of those before it, and no error grows.
 *
 * Pure functions, any thread. */
#ifndef MIDI_LAY_H
#define MIDI_LAY_H

#include "midi/edit/edit.h"

struct lay_wish {
    int64_t from;               /* tick >= 0 */
    int numerator, denominator; /* of all its bars */
    bool
        are_beats; /* a tap is a beat, as the metronome has it, and the first a bar's */
};

enum lay_refusal {
    LAY_IS_FINE,
    LAY_HAS_SMPTE_TIME, /* which has no tempo */
    LAY_NEEDS_TAPS,     /* two of them, at `from` or later */
    LAY_HAS_NO_TEMPO,   /* a bar that no tempo of a file is fast or slow enough for: */
    LAY_IS_TOO_LATE,    /* it would end past TICK_MAX */
};

struct lay_report {
    enum lay_refusal refusal; /* when MIDI_BAD_EDIT is returned */
    size_t n_bars;            /* between the first tap and the last */
    double slowest, fastest;  /* quarters a minute, of those */
    int64_t first_tick;       /* of the first tap, where it comes to stand */
    int64_t tapped_tick;      /* LAY_HAS_NO_TEMPO: the tap before it */
};

/* As they are felt: two in 6/8. */
int lay_beats_in_bar(const struct lay_wish *w);

/* Adds to `c`, which is empty, all that has to be done; the taps from `from` on go. */
enum midi_status lay_change(struct change *c, const struct score *s,
                            const struct lay_wish *w, struct lay_report *report);

#endif
