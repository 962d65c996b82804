/* The thread of the ports: sends what waits in the rings, each at its moment. What was lost
 * on the way there may have been a note's end, and so all that sounds ends. See output.h. */
#include "midi/transport/output_state.h"

#include "midi/transport/live.h"

#include <math.h>
#include <string.h>

enum {
    CC_SUSTAIN = 64,
    CC_SOUND_OFF = 120,
    CC_NOTES_OFF = 123,
    START = 0xfa,
    STOP_PLAYING = 0xfc,
};

sem_t *output_wake(struct output *o)
{
    return &o->wake;
}

static bool send(struct output *o, const struct output_line *line, int status,
                 int data1, int data2)
{
    const uint8_t message[3] = {(uint8_t)status, (uint8_t)data1, (uint8_t)data2};
    if (status < 0xf0) {
        held_keys_follow(&o->held, message);
        chase_feed(&o->sent, &(struct message){0, message[0], message[1], message[2]});
        o->is_used[status & 15] = true;
    } else if (status >= START && status <= STOP_PLAYING)
        o->is_started = status != STOP_PLAYING;
    return line->send(line->context,
                      (uint32_t)status | (uint32_t)data1 << 8 | (uint32_t)data2 << 16);
}

static bool end_held(struct output *o, const struct output_line *line)
{
    uint8_t m[3];
    bool ok = true;
    while (held_keys_end(&o->held, m))
        ok = send(o, line, m[0], m[1], m[2]) && ok;
    return ok;
}

/* Each note by its own end, and then all notes of the channels that were played on: for
 * what an instrument may have missed. */
static bool stop(struct output *o, const struct output_line *line, bool is_silence)
{
    o->at = o->n = 0;
    bool ok = end_held(o, line);
    for (int i = 0; i < N_CHANNELS; i++) {
        if (is_silence)
            ok = send(o, line, 0xb0 | i, CC_SUSTAIN, 0) &&
                 send(o, line, 0xb0 | i, CC_SOUND_OFF, 0) && ok;
        if (is_silence || o->is_used[i])
            ok = send(o, line, 0xb0 | i, CC_NOTES_OFF, 0) && ok;
    }
    memset(o->is_used, 0, sizeof o->is_used);
    return ok;
}

/* The next state; false: none waits. */
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

static void make_room(struct output *o)
{
    memmove(o->queue, o->queue + o->at, (size_t)(o->n - o->at) * sizeof o->queue[0]);
    o->n -= o->at;
    o->at = 0;
}

/* Most come in the order of their moments, and so stay at the end. */
static void enqueue(struct output *o, const struct record *r)
{
    if (o->n == N_QUEUED && o->at)
        make_room(o);
    if (o->n == N_QUEUED) {
        output_count_lost(o);
        return;
    }
    int i = o->n++;
    for (; i > o->at && o->queue[i - 1].ms > r->ms; i--)
        o->queue[i] = o->queue[i - 1];
    o->queue[i] = *r;
}

static void forget_from(struct output *o, double mark)
{
    int n = o->at;
    for (int i = o->at; i < o->n; i++)
        if (o->queue[i].mark < mark)
            o->queue[n++] = o->queue[i];
    o->n = n;
}

static bool take(struct output *o, const struct output_line *line,
                 const struct record *r)
{
    bool ok = true;
    switch (r->kind) {
    case SEND:
        enqueue(o, r);
        return true;
    case STATE:
        set_state(o, line, &ok);
        return ok;
    case TAKE_BACK:
        forget_from(o, r->mark);
        return true;
    default:
        return stop(o, line, r->kind == SILENCE);
    }
}

/* Something was lost: a note-off, perhaps, or the word that a state waits. */
static bool make_good(struct output *o, const struct output_line *line)
{
    bool ok = stop(o, line, false);
    while (set_state(o, line, &ok))
        continue;
    return ok;
}

static bool take_all(struct output *o, const struct output_line *line)
{
    struct record r;
    bool ok = true;
    while (ring_pop(o->records, &r))
        ok = take(o, line, &r) && ok;
    return atomic_exchange(&o->has_lost, false) ? make_good(o, line) && ok : ok;
}

bool output_pass(struct output *o, const struct output_line *line, double *next_ms)
{
    bool ok = take_all(o, line);
    double now = live_now();
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
    sem_post(o->player_wake);
}

void output_close(struct output *o, const struct output_line *line)
{
    atomic_store(&o->is_open, false);
    stop(o, line, false);
    if (o->is_started)
        send(o, line, STOP_PLAYING, 0, 0);
    forget_all(o);
}
