/* Estimates where a received clock is and how fast it is, from messages that come
 * unevenly.
 *
 * A straight line is fitted to the latest clocks by least squares: to more and more of
 * them while they fit, up to two thirds of a quarter, and to few again when two in a
 * row do not fit, because the tempo has changed then. This is the growing-memory
 * polynomial filter of first degree, with the gains of Morrison, Introduction to
 * Sequential Smoothing and Prediction, 1969.
 *
 * Plain data, pure functions. Moments are milliseconds. Positions are clocks, 24 a
 * quarter, from the beginning of the piece. */
#ifndef MIDI_SYNC_FOLLOW_H
#define MIDI_SYNC_FOLLOW_H

#include "midi/transport/sync.h"

struct sync_follow {
    int n;                /* clocks in the fit; 0: no clock comes */
    double ms, period_ms; /* moment of the latest clock by the fit, and the period */
    double came_ms;       /* when the latest clock came */
    double error_ms;      /* the usual difference between the two */
    int n_off;            /* clocks in a row that were late (> 0) or early (< 0) */
    bool is_running;      /* positions advance */
    bool is_begun;        /* positions advance from the next clock on */
    /* Clocks missed before the latest one; -1: that one was counted as missed, but
     * came. */
    int n_missed;
    int n_owed;      /* counted as missed, but may still come */
    double position; /* of the latest clock, or the one to start with */
};

enum { SYNC_LOST_MS = 500 }; /* without a clock for so long, it is lost */

enum sync_event {
    SYNC_NOTHING,
    SYNC_STARTED, /* the first clock after a start has come */
    SYNC_STOPPED,
    SYNC_MOVED, /* while stopped */
};

/* Takes a message. period_ms is assumed until a second clock comes. */
enum sync_event sync_follow_feed(struct sync_follow *f, const struct sync_message *m,
                                 double period_ms);
bool sync_follow_is_alive(const struct sync_follow *f, double now_ms);
double sync_follow_position(const struct sync_follow *f, double ms);
double sync_follow_bpm(const struct sync_follow *f);
/* Starts at that position and moment. */
void sync_follow_place(struct sync_follow *f, double ms, double position);

#endif
