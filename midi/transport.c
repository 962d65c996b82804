/* The playhead is a straight line in seconds through an anchor; ticks follow
 * from it by the tempo map. Whatever bends the line (a start, an edit, another
 * clock) sets a new anchor. */
#include "midi/transport.h"

#include <math.h>

enum {
    AHEAD_MS = 60, /* how far ahead of the playhead messages are sent */
    LEAD_MS = 10,  /* from the command to the first note, so that it is on time */
};

static const struct timeline *timeline(const struct transport *t)
{
    return &schedule_score(t->schedule)->timeline;
}

static void set_anchor(struct transport *t, double ms)
{
    t->anchor_ms = ms;
    t->anchor_seconds = timeline_seconds(timeline(t), t->tick);
}

static double tick_at(const struct transport *t, double ms)
{
    double seconds = t->anchor_seconds + (ms - t->anchor_ms) / 1000;
    return timeline_tick(timeline(t), fmax(seconds, 0));
}

static double ms_at(const struct transport *t, int64_t tick)
{
    double seconds = timeline_seconds(timeline(t), (double)tick);
    return t->anchor_ms + (seconds - t->anchor_seconds) * 1000;
}

/* To the end of the last bar; beyond that, to the end of the bar it is in. */
static void find_end(struct transport *t)
{
    int64_t tick = (int64_t)t->tick, end = schedule_end_tick(t->schedule);
    struct bar bar = timeline_bar_at(timeline(t), tick);
    t->end_tick = end > tick ? end : bar.start + bar.length;
}

/* Puts the channels into the state the piece has reached at `tick`. */
static void chase_to(struct transport *t, int64_t tick)
{
    struct message m, out[MAX_CHASED];
    chase_init(&t->chase, schedule_score(t->schedule));
    schedule_seek(t->schedule, tick);
    while (schedule_next(t->schedule, &t->voices, tick, &m))
        chase_feed(&t->chase, &m);
    for (int channel = 0; channel < N_CHANNELS; channel++) {
        int n = chase_messages(&t->chase, channel, out);
        for (int i = 0; i < n; i++)
            sound_send(t->sound, &out[i]);
    }
}

/* Passes over what was sent already, or is too late. What of it was edited since, an
 * instrument say, is made up for behind the last that was sent. */
static void skip_to(struct transport *t, int64_t tick)
{
    struct voices none = {0};
    struct chase edited;
    struct message m, out[MAX_CHASED];
    chase_init(&edited, schedule_score(t->schedule));
    schedule_seek(t->schedule, tick);
    while (schedule_next(t->schedule, &none, tick, &m))
        chase_feed(&edited, &m);
    for (int channel = 0; channel < N_CHANNELS; channel++) {
        int n = chase_differences(&t->chase, &edited, channel, out);
        for (int i = 0; i < n; i++)
            sound_send_at(t->sound, ms_at(t, tick), &out[i]);
    }
    t->chase = edited;
}

void transport_play(struct transport *t, int64_t from_tick)
{
    transport_stop(t);
    t->tick = (double)from_tick;
    t->sent_tick = from_tick;
    if (!t->schedule)
        return;
    chase_to(t, from_tick);
    set_anchor(t, sound_now(t->sound) + LEAD_MS);
    find_end(t);
    t->is_playing = true;
    transport_advance(t);
}

void transport_stop(struct transport *t)
{
    t->is_playing = false;
    t->voices.n = 0;
    sound_forget(t->sound);
    sound_release(t->sound);
}

void transport_seek(struct transport *t, int64_t tick)
{
    if (t->is_playing)
        transport_play(t, tick);
    else
        t->tick = (double)tick;
}

void transport_panic(struct transport *t)
{
    transport_stop(t);
    sound_silence(t->sound);
}

void transport_set_schedule(struct transport *t, struct schedule *schedule)
{
    if (!t->is_playing) {
        t->schedule = schedule;
        return;
    }
    double now = sound_now(t->sound);
    t->tick = tick_at(t, fmax(now, t->anchor_ms));
    t->schedule = schedule;
    set_anchor(t, fmax(now, t->anchor_ms));
    find_end(t);
    skip_to(t, t->sent_tick);
    voices_follow(&t->voices, schedule, t->sent_tick);
}

void transport_set_sound(struct transport *t, struct sound *sound)
{
    t->sound = sound;
    t->voices.n = 0;
    if (t->is_playing)
        transport_play(t, (int64_t)t->tick);
}

static void send_before(struct transport *t, int64_t tick)
{
    struct message m;
    while (schedule_next(t->schedule, &t->voices, tick, &m)) {
        sound_send_at(t->sound, ms_at(t, m.tick), &m);
        chase_feed(&t->chase, &m);
    }
    t->sent_tick = tick > t->sent_tick ? tick : t->sent_tick;
}

void transport_advance(struct transport *t)
{
    if (!t->is_playing)
        return;
    double now = fmax(sound_now(t->sound), t->anchor_ms);
    t->tick = fmin(tick_at(t, now), (double)t->end_tick);
    double ahead = ceil(tick_at(t, now + AHEAD_MS));
    send_before(t, ahead < (double)t->end_tick ? (int64_t)ahead : t->end_tick + 1);
    if (t->tick >= (double)t->end_tick)
        transport_stop(t);
}
