/* Checks the metronome in a captured sound: an even pulse, but where playback began again,
 * which may be at any time after the click before. Include cmocka.h before it. */
#ifndef TESTS_APP_PULSE_H
#define TESTS_APP_PULSE_H

#include "midi/base/clock.h"
#include "tests/app/stalls.h"

enum { PULSE_MOST_BEGINNINGS = 256 };

struct pulse {
    double period_s;
    double late_s;  /* how far a click may be off */
    double slack_s; /* and how much later than at first a restart may sound */
    double begun_ms[PULSE_MOST_BEGINNINGS]; /* when playback began, CLOCK_MONOTONIC */
    int n_begun;
    struct stalls stalls; /* meanwhile */
};

struct pulse_report {
    int n_off;
    int n_stalled;   /* of them: where the machine stood still for longer than that */
    double worst_ms; /* off the pulse */
    double
        begins_ms; /* the worst of what is heard late or early when it begins again */
};

static inline void pulse_begin(struct pulse *p)
{
    if (p->n_begun < PULSE_MOST_BEGINNINGS)
        p->begun_ms[p->n_begun++] = clock_now_ms();
}

/* Where a beginning's first click is due: as long after the very first click as the two
 * beginnings are apart. */
static inline double pulse_due(const struct pulse *p, int begun, double first_s)
{
    return first_s + (p->begun_ms[begun] - p->begun_ms[0]) / 1e3;
}

/* The beginning after `last` that shows between two clicks; `last`: there is none. It may skip
 * beginnings: one at the moment a click was due cannot be told from that click. */
static inline int pulse_next_begun(const struct pulse *p, int last, const double *s,
                                   int i)
{
    for (int begun = last + 1; begun < p->n_begun; begun++) {
        double due = pulse_due(p, begun, s[0]);
        if (due > s[i - 1] - p->slack_s)
            return due <= s[i] + p->slack_s ? begun : last;
    }
    return last;
}

/* The click of a beginning, unless it follows the one before too closely to tell them apart. */
static inline void pulse_note_begun(struct pulse_report *r, const struct pulse *p,
                                    int begun, double first_s, double at_s)
{
    double late = fabs(at_s - pulse_due(p, begun, first_s));
    if (late < p->period_s / 2)
        r->begins_ms = fmax(r->begins_ms, 1e3 * late);
}

/* Clicks are handed over up to a tenth of a second before they are due. */
static inline void pulse_note_off(struct pulse_report *r, struct pulse *p,
                                  const double *s, int i, double off_s)
{
    double at_ms = p->begun_ms[0] + 1e3 * (s[i] - s[0]);
    double stall = stalls_longest(&p->stalls, at_ms - 700, at_ms + 200);
    r->n_off++;
    r->n_stalled += stall > 1e3 * fabs(off_s);
    print_message(
        "at %.3f s a click is %.1f ms off; the machine stood still for %.0f ms\n", s[i],
        1e3 * off_s, stall);
}

/* s: the onsets, n of them, in seconds. */
static inline struct pulse_report pulse_check(struct pulse *p, const double *s, int n)
{
    struct pulse_report r = {0};
    for (int i = 1, last = 0; i < n; i++) {
        double off = s[i] - s[i - 1] - p->period_s;
        int begun = fabs(off) > p->late_s ? pulse_next_begun(p, last, s, i) : last;
        if (begun > last) {
            pulse_note_begun(&r, p, begun, s[0], s[i]);
            last = begun;
            continue;
        }
        r.worst_ms = fmax(r.worst_ms, 1e3 * fabs(off));
        if (fabs(off) > p->late_s)
            pulse_note_off(&r, p, s, i, off);
    }
    return r;
}

#endif
