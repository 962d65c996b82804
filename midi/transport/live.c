/* Messages come in through two queues, since a queue has one writer, and go out through
 * one. A held note remembers its channel and ends there, whatever the route is by then.
 *
 * The device's clock moves by whole buffers: it is right just after it has moved, and
 * then late until it moves again. So the two clocks are matched by the largest lead of
 * the device's that was seen within the last seconds. A look that comes late does no
 * harm then. */
#include "midi/transport/live.h"

#include "midi/base/clock.h"
#include "midi/base/ring.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    N_IN = 8192,
    N_PLAYED = 256, /* for computer keys */
    N_ROUTES = 64,
    MATCH_MS = 1500, /* a stretch of time; this one and the last are remembered */
    MOST = 1024,     /* messages in a pass; more must not stop the piece */
};

struct raw {
    double ms;
    bool is_typed;
    uint8_t message[3];
};

struct route {
    int from, to;
    struct channel_state state;
};

/* How far the sound's clock is ahead of the system's. */
struct match {
    double last_ms, last_sound_ms; /* latest moment asked for, in both clocks */
    double began_ms;
    double now, before; /* largest lead of this stretch, and of the last one */
};

struct live {
    struct bell *wake;                 /* the player's */
    struct ring *in, *played, *routes; /* struct raw, twice; struct route */
    struct ring *out;                  /* struct live_event */

    /* The ui sets these, the player reads them. */
    atomic_bool monitors, listens, records;
    _Atomic double latency_ms;
    atomic_int wake_fd;

    /* Any thread counts here. */
    atomic_uint n_lost;

    /* For the player's thread only: */
    struct match match;
    struct chase chase;      /* state of the channels that are played on */
    uint8_t to[N_CHANNELS];  /* channel that each keyboard channel is routed to */
    bool in_use[N_CHANNELS]; /* channels that have a state */
    bool is_mute;            /* monitoring was off at the last look */
    uint8_t held[N_CHANNELS]
                [128]; /* [keyboard channel][key]: 1 + channel that sounds */
};

struct live *live_create(struct bell *wake)
{
    struct live *l = calloc(1, sizeof *l);
    if (!l)
        return NULL;
    l->wake = wake;
    l->in = ring_create(N_IN, sizeof(struct raw));
    l->played = ring_create(N_PLAYED, sizeof(struct raw));
    l->routes = ring_create(N_ROUTES, sizeof(struct route));
    l->out = ring_create(LIVE_MOST_WAITING, sizeof(struct live_event));
    atomic_init(&l->monitors, true);
    atomic_init(&l->wake_fd, -1);
    for (int i = 0; i < N_CHANNELS; i++)
        l->to[i] = (uint8_t)i;
    if (l->in && l->played && l->routes && l->out)
        return l;
    live_destroy(l);
    return NULL;
}

void live_destroy(struct live *l)
{
    if (!l)
        return;
    ring_destroy(l->in);
    ring_destroy(l->played);
    ring_destroy(l->routes);
    ring_destroy(l->out);
    free(l);
}

/* -- threads that play, and the ui -- */

static bool push(struct live *l, struct ring *r, double ms, const uint8_t message[3])
{
    if (message[0] < 0x80 || message[0] >= 0xf0)
        return true;
    bool has_two =
        (message[0] & 0xe0) != 0xc0; /* all but programs and channel pressure */
    struct raw raw = {ms, r == l->played, {message[0], message[1] & 127, 0}};
    raw.message[2] = has_two ? message[2] & 127 : 0;
    bool ok = ring_push(r, &raw);
    if (!ok)
        atomic_fetch_add(&l->n_lost, 1);
    bell_ring(l->wake);
    return ok;
}

bool live_feed(struct live *l, double ms, const uint8_t message[3])
{
    return push(l, l->in, ms, message);
}

bool live_play(struct live *l, double ms, const uint8_t message[3])
{
    return push(l, l->played, ms, message);
}

bool live_set_route(struct live *l, int from, int to, const struct channel_state *state)
{
    struct route route = {from & 15, to & 15, *state};
    return ring_push(l->routes, &route);
}

void live_set_monitor(struct live *l, bool is_on)
{
    atomic_store(&l->monitors, is_on);
}

void live_set_latency(struct live *l, double ms)
{
    atomic_store(&l->latency_ms, ms);
}

void live_listen(struct live *l, bool listens, bool records, int wake_fd)
{
    atomic_store(&l->wake_fd, wake_fd);
    atomic_store(&l->records, records);
    atomic_store(&l->listens, listens);
}

bool live_take(struct live *l, struct live_event *out)
{
    return ring_pop(l->out, out);
}

unsigned live_n_lost(const struct live *l)
{
    return atomic_load(&l->n_lost);
}

/* -- the player's thread -- */

static void send(struct sound *sound, int status, int channel, int data1, int data2)
{
    struct message m = {0, (uint8_t)(status | channel), (uint8_t)data1, (uint8_t)data2,
                        0};
    sound_live(sound, &m);
}

static void set_up(const struct live *l, struct sound *sound, int channel)
{
    struct message out[MAX_CHASED];
    int n = chase_messages(&l->chase, channel, out);
    for (int i = 0; i < n; i++)
        sound_live(sound, &out[i]);
}

static void compare_clocks(struct match *m, struct sound *sound)
{
    double now = clock_now_ms(), ahead = sound_now(sound) - now;
    if (now - m->began_ms > MATCH_MS) {
        m->before = m->now;
        m->now = -INFINITY;
        m->began_ms = now;
    }
    m->now = fmax(m->now, ahead);
}

void live_change_clock(struct live *l, struct sound *sound)
{
    l->match =
        (struct match){-INFINITY, -INFINITY, clock_now_ms(), -INFINITY, -INFINITY};
    compare_clocks(&l->match, sound);
}

void live_begin(struct live *l, struct sound *sound)
{
    live_change_clock(l, sound);
    live_forget_held(l);
    for (int i = 0; i < N_CHANNELS; i++)
        if (l->in_use[i])
            set_up(l, sound, i);
}

double live_ahead_ms(const struct live *l)
{
    return fmax(l->match.now, l->match.before);
}

/* Releases the pedals and the bend of a channel that is no longer played on. */
static void leave(struct sound *sound, int channel)
{
    send(sound, 0xb0, channel, CC_PEDAL, 0);
    send(sound, 0xb0, channel, CC_SOSTENUTO, 0);
    send(sound, 0xe0, channel, 0, 64);
}

static void take_routes(struct live *l, struct sound *sound)
{
    struct route r;
    while (ring_pop(l->routes, &r)) {
        int before = l->to[r.from];
        if (before != r.to)
            leave(sound, before);
        bool is_same = l->in_use[r.to] &&
                       !memcmp(&l->chase.channel[r.to], &r.state, sizeof r.state);
        l->to[r.from] = (uint8_t)r.to;
        l->chase.channel[r.to] = r.state;
        l->in_use[r.to] = true;
        if (!is_same)
            set_up(l, sound, r.to);
    }
}

/* When monitoring is switched off, ends held notes, since their own note-offs will not
 * be sent. */
static void follow_monitor(struct live *l, struct sound *sound)
{
    bool was_mute = l->is_mute;
    l->is_mute = !atomic_load(&l->monitors);
    if (!l->is_mute || was_mute)
        return;
    for (int from = 0; from < N_CHANNELS; from++)
        for (int key = 0; key < 128; key++)
            if (l->held[from][key])
                send(sound, 0x80, l->held[from][key] - 1, key, 64);
    for (int from = 0; from < N_CHANNELS; from++)
        leave(sound, l->to[from]);
}

static void sound_it(struct live *l, struct sound *sound, const uint8_t m[3])
{
    int from = m[0] & 15, kind = m[0] & 0xf0, was = l->held[from][m[1]];
    bool strikes = kind == 0x90 && m[2] > 0, ends = kind == 0x80 || kind == 0x90;
    /* A key goes up on the channel where it went down. */
    bool is_of_held = was && !strikes && (ends || kind == 0xa0);
    int channel = is_of_held ? was - 1 : l->to[from];
    if (strikes || ends)
        l->held[from][m[1]] = (uint8_t)(strikes ? channel + 1 : 0);
    if (l->is_mute)
        return;
    if (strikes && was && was - 1 != channel)
        send(sound, 0x80, was - 1, m[1], 64); /* struck again on another route */
    send(sound, kind, channel, m[1], m[2]);
}

static void hand_on(struct live *l, const struct transport *t, const struct raw *raw)
{
    struct live_event e = {.ms = raw->ms,
                           .is_typed = raw->is_typed,
                           .status = raw->message[0],
                           .data1 = raw->message[1],
                           .data2 = raw->message[2]};
    double ms = raw->ms - atomic_load(&l->latency_ms);
    e.has_tick = t->is_playing;
    if (e.has_tick) {
        struct match *m = &l->match;
        double at = ms + live_ahead_ms(l);
        /* What is played later is never heard earlier, even if the match of the clocks
         * has changed. */
        m->last_sound_ms = ms >= m->last_ms ? fmax(at, m->last_sound_ms) : at;
        m->last_ms = ms;
        e.tick = transport_tick_at(t, m->last_sound_ms, &e.pass);
    }
    if (!ring_push(l->out, &e))
        atomic_fetch_add(&l->n_lost, 1);
}

void live_pass(struct live *l, struct sound *sound, struct transport *t)
{
    struct raw raw;
    bool listens = atomic_load(&l->listens);
    int n = 0;
    compare_clocks(&l->match, sound);
    take_routes(l, sound);
    follow_monitor(l, sound);
    t->is_endless = listens && atomic_load(&l->records);
    for (; n < MOST && (ring_pop(l->in, &raw) || ring_pop(l->played, &raw)); n++) {
        sound_it(l, sound, raw.message);
        if (listens)
            hand_on(l, t, &raw);
    }
    if (n == MOST)
        bell_ring(l->wake); /* for the rest */
    const int fd = atomic_load(&l->wake_fd);
    if (n && listens && fd >= 0 && write(fd, "k", 1) < 0)
        return; /* the pipe never blocks, and a full pipe wakes as well */
}

void live_forget_held(struct live *l)
{
    memset(l->held, 0, sizeof l->held);
}
