#include "midi/transport/sync_follow.h"

#include <math.h>
#include <stdlib.h>

enum {
    MOST = 16, /* clocks in the fit, at most */
    FEW = 3,   /* clocks in the fit after a change of tempo */
    A_QUARTER = 24,
    A_SIXTEENTH = 6,
};

static const double LEAST_PERIOD_MS =
                        60e3 / A_QUARTER / 999, /* 999 quarters a minute */
    MOST_PERIOD_MS = 60e3 / A_QUARTER / 10,     /* 10 quarters a minute */
    LEAST_OFF_MS = 2; /* jitter of a cable and a busy machine */

/* Whether the tempo has changed: two clocks in a row were off to one side by more than
 * usual. */
static bool has_changed(struct sync_follow *f, double error)
{
    double most = fmax(LEAST_OFF_MS, 3 * f->error_ms);
    int side = fabs(error) <= most ? 0 : error > 0 ? 1 : -1;
    f->n_off = side * f->n_off > 0 ? f->n_off + side : side;
    return abs(f->n_off) > 1;
}

/* Returns how many clocks were missed since the latest one, by the length of the
 * gap. */
static int count_missed(const struct sync_follow *f, double ms)
{
    enum { MOST_MISSED = 12 };
    double gap = (ms - f->came_ms) / f->period_ms, whole = floor(gap + 0.5);
    bool is_gap =
        f->n > FEW && whole >= 2 && whole <= MOST_MISSED + 1 && fabs(gap - whole) < 0.2;
    return is_gap ? (int)whole - 1 : 0;
}

static void fit(struct sync_follow *f, double ms)
{
    double predicted = f->ms + (1 + f->n_missed) * f->period_ms, error = ms - predicted;
    if (f->n > FEW && has_changed(f, error))
        f->n = FEW - 1;
    if (f->n < MOST)
        f->n++;
    double n = f->n;
    f->ms = predicted + 2 * (2 * n - 1) / (n * (n + 1)) * error;
    f->period_ms += 6 / (n * (n + 1)) * error;
    f->period_ms = fmin(fmax(f->period_ms, LEAST_PERIOD_MS), MOST_PERIOD_MS);
    f->error_ms += (fabs(error) - f->error_ms) / MOST;
}

bool sync_follow_is_alive(const struct sync_follow *f, double now_ms)
{
    return f->n && now_ms - f->came_ms < SYNC_LOST_MS;
}

static void mind_gap(struct sync_follow *f, double ms)
{
    int before = f->n_missed;
    /* A late clock comes right after the one at which it was missed: the machine stood
     * still for a moment. */
    if (f->n_owed > 0 && ms - f->came_ms < f->period_ms / 2) {
        f->n_owed--;
        f->n_missed = -1;
        return;
    }
    f->n_owed = f->n_missed = count_missed(f, ms);
    /* A second gap right after the first means that the clock is slower, and none was
     * missed. */
    if (f->n_missed && before > 0) {
        f->position -= before;
        f->period_ms = fmin(ms - f->came_ms, MOST_PERIOD_MS);
        f->ms = f->came_ms;
        f->n = FEW - 1;
        f->n_missed = f->n_owed = 0;
    }
}

static enum sync_event take_clock(struct sync_follow *f, double ms, double period_ms)
{
    bool starts = f->is_begun;
    if (sync_follow_is_alive(f, ms)) {
        mind_gap(f, ms);
        fit(f, ms);
    } else {
        f->n = 1;
        f->n_off = f->n_missed = f->n_owed = 0;
        f->ms = ms;
        f->error_ms = 0;
        if (f->period_ms <= 0)
            f->period_ms = fmin(fmax(period_ms, LEAST_PERIOD_MS), MOST_PERIOD_MS);
    }
    f->came_ms = ms;
    if (f->is_running)
        f->position += 1 + f->n_missed;
    else
        f->n_missed = f->n_owed = 0; /* they are ignored */
    f->is_running = f->is_running || starts;
    f->is_begun = false;
    return starts ? SYNC_STARTED : SYNC_NOTHING;
}

/* Starts at that position, with the next clock. */
static void begin(struct sync_follow *f, double position)
{
    f->is_begun = true;
    f->is_running = false;
    f->n_missed = 0;
    f->position = position;
}

enum sync_event sync_follow_feed(struct sync_follow *f, const struct sync_message *m,
                                 double period_ms)
{
    bool was_stopped = !f->is_running && !f->is_begun;
    switch (m->status) {
    case 0xf8:
        return take_clock(f, m->ms, period_ms);
    case 0xfa:
        begin(f, 0);
        return SYNC_NOTHING;
    case 0xfb:
        begin(f, f->position);
        return SYNC_NOTHING;
    case 0xfc:
        f->position += f->is_running; /* a continue goes on with the next clock */
        f->is_running = f->is_begun = false;
        f->n_missed = 0;
        return SYNC_STOPPED;
    case 0xf2:
        begin(f, A_SIXTEENTH * ((m->data1 & 127) | (m->data2 & 127) << 7));
        f->is_begun = !was_stopped; /* a running clock goes on from there */
        return was_stopped ? SYNC_MOVED : SYNC_NOTHING;
    default:
        return SYNC_NOTHING;
    }
}

double sync_follow_position(const struct sync_follow *f, double ms)
{
    return f->position + (ms - f->ms) / f->period_ms;
}

double sync_follow_bpm(const struct sync_follow *f)
{
    return f->n > 1 ? 60e3 / A_QUARTER / f->period_ms : 0;
}

void sync_follow_place(struct sync_follow *f, double ms, double position)
{
    f->position = 0;
    f->position = position - sync_follow_position(f, ms);
    f->is_running = true;
    f->is_begun = false;
    f->n_missed = 0;
}
