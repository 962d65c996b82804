/* Where a clock is, and how fast, from the moments of its messages, which come unevenly.
 *
 * A straight line is fitted to the latest clocks, by least squares: over more and more of
 * them while they come as it says, up to two thirds of a quarter, and over few again when
 * two in a row do not, since then the tempo has changed (the growing-memory polynomial
 * filter of first degree, with the gains of Morrison, Introduction to Sequential Smoothing
 * and Prediction, 1969). Plain data, pure functions. Moments are milliseconds; positions
 * are clocks, 24 a quarter, from the beginning of the piece. */
#ifndef MIDI_SYNC_FOLLOW_H
#define MIDI_SYNC_FOLLOW_H

#include "midi/transport/sync.h"

struct sync_follow {
    int n;                /* clocks that the line is fitted to; 0: there is none */
    double ms, period_ms; /* of the latest clock, as the line has it */
    double came_ms;       /* and as it came */
    double error_ms;      /* what they differ by, mostly */
    int n_off;            /* clocks in a row that came late (> 0) or early (< 0) */
    bool is_running;      /* positions go on, */
    bool is_begun;        /* or will with the next clock */
    int n_missed;    /* before the latest: the port was closed for a moment; -1: the
                             latest itself was counted as missed, and has come after all */
    int n_owed;      /* that were counted as missed, and may still come at once */
    double position; /* of the latest clock, or of the next that is begun with */
};

enum { SYNC_LOST_MS = 500 }; /* without a clock: there is none any more */

enum sync_event {
    SYNC_NOTHING,
    SYNC_STARTED, /* the clock that it was begun with is here */
    SYNC_STOPPED,
    SYNC_MOVED, /* while it stands */
};

/* period_ms: what to believe until a second clock has come. */
enum sync_event sync_follow_feed(struct sync_follow *f, const struct sync_message *m,
                                 double period_ms);
bool sync_follow_is_alive(const struct sync_follow *f, double now_ms);
double sync_follow_position(const struct sync_follow *f, double ms);
double sync_follow_bpm(const struct sync_follow *f);
/* It runs, and is there at that moment: what was begun here. */
void sync_follow_place(struct sync_follow *f, double ms, double position);

#endif
