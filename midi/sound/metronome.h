/* The metronome: the beats of a piece, and the count-in. A beat is one unit of the
 * meter's denominator. In a compound meter (6/8) only every third beat is a main one.
 * Pure functions, any thread. */
#ifndef MIDI_METRONOME_H
#define MIDI_METRONOME_H

#include "midi/sound/schedule.h"
#include "midi/score/timeline.h"

enum click_strength {
    CLICK_BAR,    /* first beat of a bar */
    CLICK_BEAT,   /* main beat */
    CLICK_INSIDE, /* beat between, in a compound meter */
};

enum { CLICK_VOLUME_DEFAULT = 100, CLICK_VOLUME_MOST = 127 };

struct click {
    int64_t tick;
    enum click_strength strength;
};

/* Returns the first beat at `tick` or later. */
struct click click_at(const struct timeline *t, int64_t tick);

/* Returns a click as a message at tick 0: a wood block of the General MIDI drum kit,
 * the high one for a bar. volume: 0..CLICK_VOLUME_MOST. */
struct message click_message(enum click_strength strength, int volume);

/* Bars of clicks before a tick, in its meter and tempo, in phase with the beats of its
 * bar. A pickup has the meter of the bar after it (timeline_meter). Zeroed: there is no
 * count-in. */
struct count_in {
    double start_ms; /* set by the owner; the rest comes from the piece */
    double length_ms, first_ms, beat_ms; /* first_ms: first click, after start_ms */
    int n, next;                         /* number of clicks, and the next one */
    int phase, numerator, denominator;   /* phase: beat of the first click in its bar */
};

void count_in_init(struct count_in *c, const struct timeline *t, int64_t from_tick,
                   int n_bars);
/* Returns the next click that is due before `until_ms`. false: there is none. */
bool count_in_next(struct count_in *c, double until_ms, double *ms,
                   enum click_strength *strength);
/* Clicks that are due at `from_ms` or later will be returned again. */
void count_in_take_back(struct count_in *c, double from_ms);

#endif
