/* Following a received clock, and setting up a new instrument, on the player's
 * thread. */
#include "midi/base/clock.h"
#include "midi/transport/player_state.h"

#include <math.h>

enum {
    LEAD_MS = 10,
    A_QUARTER = 24,
    MOST = 64, /* messages in a pass; each may seek through the piece */
};

#define FOLLOWED_BPM 120.0 /* tempo at rate 1; see transport_follow */

static int ticks_per_quarter(const struct player *p)
{
    const struct schedule *s = p->transport.schedule;
    return s ? schedule_score(s)->timeline.ticks_per_quarter : 1;
}

static double tick_of(const struct player *p, double clocks)
{
    return fmax(clocks, 0) * ticks_per_quarter(p) / A_QUARTER;
}

static double rate(const struct player *p)
{
    return 60e3 / A_QUARTER / p->follower.period_ms / FOLLOWED_BPM;
}

static void follow_from(struct player *p, double ms)
{
    transport_follow(&p->transport, ms + p->transport.out.ahead_ms,
                     tick_of(p, sync_follow_position(&p->follower, ms)), rate(p));
}

bool player_follow_place(struct player *p, int64_t tick)
{
    double ms = clock_now_ms();
    if (sync_mode(p->sync) != SYNC_FOLLOW || !sync_follow_is_alive(&p->follower, ms))
        return false;
    ms += LEAD_MS;
    sync_follow_place(&p->follower, ms,
                      (double)tick * A_QUARTER / ticks_per_quarter(p));
    follow_from(p, ms);
    return true;
}

void player_refollow(struct player *p)
{
    if (sync_mode(p->sync) == SYNC_FOLLOW && p->follower.is_running &&
        p->transport.is_playing)
        follow_from(p, clock_now_ms());
}

static void take(struct player *p, const struct sync_message *m)
{
    const struct transport *t = &p->transport;
    double own_bpm = t->schedule ? timeline_bpm(&schedule_score(t->schedule)->timeline,
                                                (int64_t)t->tick)
                                 : FOLLOWED_BPM;
    switch (sync_follow_feed(&p->follower, m, 60e3 / A_QUARTER / own_bpm)) {
    case SYNC_STARTED:
        follow_from(p, p->follower.ms);
        break;
    case SYNC_STOPPED:
        transport_stop(&p->transport);
        break;
    case SYNC_MOVED:
        if (!p->transport.is_playing)
            transport_seek(&p->transport, (int64_t)tick_of(p, p->follower.position));
        break;
    case SYNC_NOTHING:
        break;
    }
}

static void steer(struct player *p)
{
    double now = clock_now_ms();
    if (!p->follower.is_running || !p->transport.follows)
        return;
    if (!sync_follow_is_alive(&p->follower, now)) {
        p->n_clocks_lost++;
        p->follower.is_running = false;
        transport_stop(&p->transport);
        return;
    }
    transport_steer(&p->transport, now + p->transport.out.ahead_ms,
                    tick_of(p, sync_follow_position(&p->follower, now)), rate(p));
}

static void tell(const struct player *p)
{
    bool is_alive = sync_follow_is_alive(&p->follower, clock_now_ms());
    struct sync_status news = {
        .state = !is_alive              ? SYNC_SILENT
                 : p->transport.follows ? SYNC_RUNS
                                        : SYNC_TICKS,
        .bpm = is_alive ? sync_follow_bpm(&p->follower) : 0,
        .n_lost = p->n_clocks_lost,
    };
    sync_tell(p->sync, &news);
}

static void follow_clock(struct player *p)
{
    struct sync_message m;
    int n = 0;
    for (; n < MOST && sync_take(p->sync, &m); n++)
        take(p, &m);
    if (n == MOST)
        bell_ring(&p->wake); /* for the rest */
}

/* Stops following a clock, and with it the transport. */
static void follow_nothing(struct player *p)
{
    struct sync_message m;
    while (sync_take(p->sync, &m))
        continue;
    if (p->transport.follows)
        transport_stop(&p->transport);
    p->follower = (struct sync_follow){0};
}

void player_follow_pass(struct player *p)
{
    enum sync_mode mode = sync_mode(p->sync);
    unsigned n_opened = output_n_opened(p->output);
    if (n_opened != p->n_greeted && p->transport.schedule) {
        p->n_greeted = n_opened;
        transport_greet(&p->transport);
    }
    transport_set_clocks(&p->transport, mode == SYNC_SEND);
    if (mode != SYNC_FOLLOW)
        follow_nothing(p);
    else
        follow_clock(p);
    steer(p);
    tell(p);
}
