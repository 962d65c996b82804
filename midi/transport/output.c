/* The player's thread puts everything into one ring. A channel's state is too long for
 * its slots; it waits in a second ring until its turn comes in the first. */
#include "midi/transport/output.h"

#include "midi/base/clock.h"
#include "midi/transport/held_keys.h"
#include "midi/base/ring.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { N_QUEUED = 8192 /* future messages */ };

struct record {
    enum { SEND, STATE, TAKE_BACK, STOP, SILENCE } kind;
    uint8_t status, data1, data2;
    double ms, mark;
};

struct state {
    int channel;
    struct channel_state state;
};

struct output {
    struct bell wake, *player_wake;
    struct ring *records, *states; /* from the player's thread to the ports' */

    /* The ui sets these. */
    atomic_bool only, clicks;

    /* The ports' thread sets these. */
    atomic_bool is_open;
    atomic_uint n_opened;

    atomic_uint n_lost;   /* both threads count */
    atomic_bool has_lost; /* end all notes, since a note-off may be lost */

    /* For the player's thread only: */
    bool is_queued; /* something was queued since the last flush */

    /* For the ports' thread only: */
    struct record queue[N_QUEUED]; /* [at, n), sorted by moment */
    int at, n;
    struct held_keys held;
    struct chase sent;         /* the state as it was sent */
    bool is_known[N_CHANNELS]; /* channels whose state is known */
    bool is_used[N_CHANNELS];
    bool is_started; /* the instrument follows our clock */
};

enum { N_RECORDS = 16384, N_STATES = 64 };

struct output *output_create(struct bell *player_wake)
{
    struct output *o = calloc(1, sizeof *o);
    if (!o)
        return NULL;
    bell_init(&o->wake);
    o->player_wake = player_wake;
    o->records = ring_create(N_RECORDS, sizeof(struct record));
    o->states = ring_create(N_STATES, sizeof(struct state));
    if (o->records && o->states)
        return o;
    output_destroy(o);
    return NULL;
}

void output_destroy(struct output *o)
{
    if (!o)
        return;
    ring_destroy(o->records);
    ring_destroy(o->states);
    bell_fini(&o->wake);
    free(o);
}

/* -- the ui -- */

void output_set_only(struct output *o, bool only)
{
    atomic_store(&o->only, only);
}

void output_set_clicks(struct output *o, bool clicks)
{
    atomic_store(&o->clicks, clicks);
}

unsigned output_n_lost(const struct output *o)
{
    return atomic_load(&o->n_lost);
}

/* -- the player's thread -- */

bool output_is_open(const struct output *o)
{
    return atomic_load(&o->is_open);
}

unsigned output_n_opened(const struct output *o)
{
    return atomic_load(&o->n_opened);
}

bool output_is_only(const struct output *o)
{
    return o && atomic_load(&o->only) && output_is_open(o);
}

bool output_has_clicks(const struct output *o)
{
    return o && atomic_load(&o->clicks);
}

static void count_lost(struct output *o)
{
    atomic_fetch_add(&o->n_lost, 1);
    atomic_store(&o->has_lost, true);
}

static void push(struct output *o, const struct record *r)
{
    if (!o || !output_is_open(o))
        return;
    if (!ring_push(o->records, r))
        count_lost(o);
    o->is_queued = true;
}

void output_send_at(struct output *o, double ms, double mark, const struct message *m)
{
    push(o, &(struct record){SEND, m->status, m->data1, m->data2, ms, mark});
}

void output_set_state(struct output *o, int channel, const struct channel_state *state)
{
    struct state s = {channel & 15, *state};
    if (!o || !output_is_open(o))
        return;
    if (ring_push(o->states, &s))
        push(o, &(struct record){.kind = STATE});
    else
        count_lost(o);
}

void output_take_back(struct output *o, double mark)
{
    push(o, &(struct record){.kind = TAKE_BACK, .mark = mark});
}

void output_stop(struct output *o, bool cuts)
{
    push(o, &(struct record){.kind = cuts ? SILENCE : STOP});
}

void output_flush(struct output *o)
{
    if (o->is_queued)
        bell_ring(&o->wake);
    o->is_queued = false;
}

enum { START = 0xfa, STOP_PLAYING = 0xfc };

struct bell *output_wake(struct output *o)
{
    return &o->wake;
}

static bool send(struct output *o, const struct output_line *line, int status,
                 int data1, int data2)
{
    const uint8_t message[3] = {(uint8_t)status, (uint8_t)data1, (uint8_t)data2};
    if (status < 0xf0) {
        held_keys_follow(&o->held, message);
        chase_feed(&o->sent,
                   &(struct message){0, message[0], message[1], message[2], 0});
        o->is_used[status & 15] = true;
    } else if (status >= START && status <= STOP_PLAYING)
        o->is_started = status != STOP_PLAYING;
    return line->send(line->context,
                      (uint32_t)status | (uint32_t)data1 << 8 | (uint32_t)data2 << 16);
}

/* Ends each note by its key, and then all notes of the channels used, in case the
 * instrument has missed something. */
static bool stop(struct output *o, const struct output_line *line, bool is_silence)
{
    uint8_t m[3];
    bool ok = true;
    o->at = o->n = 0;
    while (held_keys_end(&o->held, m))
        ok = send(o, line, m[0], m[1], m[2]) && ok;
    for (int i = 0; i < N_CHANNELS; i++) {
        if (is_silence)
            ok = send(o, line, 0xb0 | i, CC_PEDAL, 0) &&
                 send(o, line, 0xb0 | i, CC_SOUND_OFF, 0) && ok;
        if (is_silence || o->is_used[i])
            ok = send(o, line, 0xb0 | i, CC_NOTES_OFF, 0) && ok;
    }
    memset(o->is_used, 0, sizeof o->is_used);
    return ok;
}

/* Sends the next state that waits. false: there is none. */
static bool set_state(struct output *o, const struct output_line *line, bool *ok)
{
    struct state s;
    struct message out[MAX_CHASED];
    if (!ring_pop(o->states, &s))
        return false;
    struct chase to = {0};
    to.channel[s.channel] = s.state;
    int n = o->is_known[s.channel] ? chase_difference(&o->sent, &to, s.channel, out)
                                   : chase_messages(&to, s.channel, out);
    for (int i = 0; i < n; i++)
        *ok = send(o, line, out[i].status, out[i].data1, out[i].data2) && *ok;
    o->sent.channel[s.channel] = s.state;
    o->is_known[s.channel] = true;
    return true;
}

/* Most records come in order, and stay at the end. */
static void enqueue(struct output *o, const struct record *r)
{
    if (o->n == N_QUEUED && o->at) { /* reuses the room of records that were sent */
        o->n -= o->at;
        memmove(o->queue, o->queue + o->at, (size_t)o->n * sizeof o->queue[0]);
        o->at = 0;
    }
    if (o->n == N_QUEUED) {
        count_lost(o);
        return;
    }
    int i = o->n++;
    for (; i > o->at && o->queue[i - 1].ms > r->ms; i--)
        o->queue[i] = o->queue[i - 1];
    o->queue[i] = *r;
}

static bool take_all(struct output *o, const struct output_line *line)
{
    struct record r;
    bool ok = true;
    while (ring_pop(o->records, &r))
        switch (r.kind) {
        case SEND:
            enqueue(o, &r);
            break;
        case STATE:
            set_state(o, line, &ok);
            break;
        case TAKE_BACK: {
            int n = o->at;
            for (int i = o->at; i < o->n; i++)
                if (o->queue[i].mark < r.mark)
                    o->queue[n++] = o->queue[i];
            o->n = n;
            break;
        }
        default:
            ok = stop(o, line, r.kind == SILENCE) && ok;
        }
    if (!atomic_exchange(&o->has_lost, false))
        return ok;
    /* A note-off may be lost, or a record that announces a state. */
    ok = stop(o, line, false) && ok;
    while (set_state(o, line, &ok))
        continue;
    return ok;
}

bool output_pass(struct output *o, const struct output_line *line, double *next_ms)
{
    bool ok = take_all(o, line);
    double now = clock_now_ms();
    for (; o->at < o->n && o->queue[o->at].ms <= now; o->at++) {
        const struct record *r = &o->queue[o->at];
        ok = send(o, line, r->status, r->data1, r->data2) && ok;
    }
    if (o->at == o->n)
        o->at = o->n = 0;
    *next_ms = o->at < o->n ? o->queue[o->at].ms : INFINITY;
    return ok;
}

static void forget_all(struct output *o)
{
    struct record r;
    struct state s;
    while (ring_pop(o->records, &r))
        continue;
    while (ring_pop(o->states, &s))
        continue;
    o->at = o->n = 0;
    atomic_store(&o->has_lost, false);
}

void output_open(struct output *o)
{
    forget_all(o);
    memset(&o->held, 0, sizeof o->held);
    memset(o->is_known, 0, sizeof o->is_known);
    memset(o->is_used, 0, sizeof o->is_used);
    o->is_started = false;
    atomic_fetch_add(&o->n_opened, 1);
    atomic_store(&o->is_open, true);
    bell_ring(o->player_wake);
}

void output_close(struct output *o, const struct output_line *line)
{
    atomic_store(&o->is_open, false);
    stop(o, line, false);
    if (o->is_started)
        send(o, line, STOP_PLAYING, 0, 0);
    forget_all(o);
}
