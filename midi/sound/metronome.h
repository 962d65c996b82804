/* The click: where the beats of a piece are, and the bars that are counted before it
 * begins. A beat is one unit of the meter's denominator; in a compound meter, 6/8 say,
 * the first of every three is the one that is felt. Pure functions, any thread. */
#ifndef MIDI_METRONOME_H
#define MIDI_METRONOME_H

#include "midi/sound/schedule.h"
#include "midi/score/timeline.h"

enum click_strength {
    CLICK_BAR,    /* the first of a bar */
    CLICK_BEAT,   /* one that is felt */
    CLICK_INSIDE, /* between those, in a compound meter */
};

enum { CLICK_VOLUME_DEFAULT = 100, CLICK_VOLUME_MOST = 127 };

struct click {
    int64_t tick;
    enum click_strength strength;
};

/* The first beat at `tick` or later. */
struct click click_at(const struct timeline *t, int64_t tick);

/* As it is struck, at tick 0: a wood block of General MIDI's drum kit, the higher one
 * where a bar begins. volume: 0..CLICK_VOLUME_MOST. */
struct message click_message(enum click_strength strength, int volume);

/* Bars clicked before a tick is heard, in the meter and the tempo that hold there. The
 * clicks fall where beats of that bar would, so that the piece goes on with them. All
 * zero is none. */
struct count_in {
    double
        start_ms; /* set by the owner, of its clock; all below follow from the piece */
    double length_ms, first_ms,
        beat_ms;                       /* first_ms: of the first click, from start_ms */
    int n, next;                       /* clicks, and the one that comes next */
    int phase, numerator, denominator; /* phase: which beat of a bar the first is */
};

void count_in_init(struct count_in *c, const struct timeline *t, int64_t from_tick,
                   int n_bars);
/* The next click that is due before `until_ms`; false: none is. */
bool count_in_next(struct count_in *c, double until_ms, double *ms,
                   enum click_strength *strength);
/* Those due at `from_ms` or later come again. */
void count_in_take_back(struct count_in *c, double from_ms);

#endif
