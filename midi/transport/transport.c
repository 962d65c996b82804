/* Sends what is due ahead of the playhead: notes and events, clicks, and the clock for
 * others (transport_send.c). The playhead moves along a line (transport_line.c). */
#include "midi/transport/transport_parts.h"

#include <math.h>

enum {
    AHEAD_MS = 60, /* messages are sent so far ahead */
    NEAR_MS = 25, /* messages due sooner are not taken back: drivers render in bursts */
    LEAD_MS = 10, /* from a command to the first note */
    LEAST_MS = 20, /* a shorter pass is no loop */
    STEER_MS = 1,  /* a message may be so early or late */
};

/* Whether playing will reach the loop's end. */
static bool will_turn(const struct transport *t)
{
    return !t->follows && t->sent_tick < t->loop.to && t->loop.from < t->loop.to &&
           line_seconds(t, (double)t->loop.to) -
                   line_seconds(t, (double)t->loop.from) >=
               LEAST_MS / 1e3;
}

/* Finds the end: that of the last bar, or if the playhead is beyond it, that of the
 * playhead's bar. */
static void find_end(struct transport *t)
{
    int64_t tick = (int64_t)t->tick, end = schedule_end_tick(t->schedule);
    struct bar bar = timeline_bar_at(line_timeline(t), tick);
    t->end_tick = end > tick ? end : bar.start + bar.length;
}

/* Takes back everything that was sent and can still change, to send it again after a
 * change of the music or the loop. Returns the moment from which it was due. */
static double take_back(struct transport *t)
{
    double from = sound_take_back(t->out.sound, sound_now(t->out.sound) + NEAR_MS);
    output_take_back(t->out.output, from);
    t->clicked_ms = -INFINITY;
    count_in_take_back(&t->count_in, from);
    scheduled_take_back(&t->scheduled, from);
    const double taken_back = from;
    bool turns = line_turn_is_ahead(t, from);
    if (!turns && from < t->anchor_ms)
        from = t->anchor_ms;
    double tick = line_tick_at(t, from);
    if (turns) { /* the turn is no longer made */
        transport_tick_at(t, from, &t->n_passes);
        t->tick = tick;
        line_set_anchor(t, from);
    }
    clocks_take_back(t, from, turns);
    int64_t first = line_first_tick_from(t, from, tick);
    if (turns || first < t->sent_tick) {
        t->sent_tick = first;
        t->voices.n = 0;
        state_seek(t, &t->voices, first, &t->state);
        if (!turns && t->struck_ms >= taken_back) /* their strikes were taken back */
            state_strike_again(t, first, from);
        else
            schedule_find_voices(t->schedule, &t->voices, first);
    }
    return taken_back;
}

static void stop_sound(struct transport *t)
{
    bool was_playing = t->is_playing;
    t->is_playing = t->follows = t->is_held = false;
    t->voices.n = 0;
    t->n_turns = 0;
    sound_stop(t->out.sound);
    output_stop(t->out.output, false);
    if (was_playing)
        clocks_stop(t);
}

/* Returns false if there is nothing to play. */
static bool prepare(struct transport *t, double tick)
{
    stop_sound(t);
    t->tick = tick;
    t->sent_tick = (int64_t)ceil(tick);
    if (!t->schedule)
        return false;
    state_set(t, t->sent_tick);
    t->count_in = (struct count_in){0};
    t->clicked_ms = -INFINITY;
    t->n_passes = t->pass = 0;
    find_end(t);
    return true;
}

static void begin(struct transport *t, double ms)
{
    line_set_anchor(t, ms);
    clocks_begin(t, sound_now(t->out.sound));
    state_strike_again(t, t->sent_tick, ms);
    t->is_playing = true;
    transport_advance(t);
}

static void play_after(struct transport *t, int64_t from_tick, int n_bars)
{
    if (!prepare(t, (double)from_tick))
        return;
    count_in_init(&t->count_in, line_timeline(t), from_tick, n_bars);
    t->count_in.start_ms = sound_now(t->out.sound) + LEAD_MS;
    begin(t, t->count_in.start_ms + t->count_in.length_ms);
}

void transport_play(struct transport *t, int64_t from_tick, int n_bars)
{
    t->scheduled.n = 0;
    play_after(t, from_tick, n_bars);
}

void transport_follow(struct transport *t, double ms, double tick, double rate)
{
    t->scheduled.n = 0;
    if (!prepare(t, tick))
        return;
    t->follows = true;
    t->rate = rate;
    begin(t, ms);
}

void transport_steer(struct transport *t, double ms, double tick, double rate)
{
    double ahead = line_seconds(t, (double)t->sent_tick) - line_seconds(t, tick);
    double off = ms + ahead * 1000 / rate - line_ms_at(t, (double)t->sent_tick);
    if (fabs(off) > STEER_MS)
        take_back(t);
    t->tick = tick;
    t->rate = rate;
    line_set_anchor(t, ms);
}

double transport_count_in_ms(const struct transport *t)
{
    if (!t->is_playing || !t->count_in.n)
        return 0;
    double end = t->count_in.start_ms + t->count_in.length_ms;
    return fmax(end - sound_now(t->out.sound), 0);
}

void transport_stop(struct transport *t)
{
    stop_sound(t);
    t->scheduled.n = 0;
}

void transport_seek(struct transport *t, int64_t tick)
{
    if (t->is_playing) {
        transport_play(t, tick, 0);
        return;
    }
    t->tick = (double)tick;
    clocks_locate(t, tick, sound_now(t->out.sound));
}

void transport_panic(struct transport *t)
{
    transport_stop(t);
    sound_silence(t->out.sound);
    output_stop(t->out.output, true);
}

void transport_set_schedule(struct transport *t, struct schedule *schedule)
{
    if (!t->is_playing) {
        t->schedule = schedule;
        return;
    }
    take_back(t);
    double now = sound_now(t->out.sound);
    if (line_turn_is_ahead(t, now)) {
        t->schedule = schedule;
        t->anchor_seconds = line_seconds(t, t->anchor_tick);
    } else {
        t->tick = line_tick_at(t, fmax(now, t->anchor_ms));
        t->schedule = schedule;
        line_set_anchor(t, fmax(now, t->anchor_ms));
    }
    find_end(t);
    state_skip_to(t, t->sent_tick);
    voices_follow(&t->voices, schedule, t->sent_tick);
}

void transport_set_sound(struct transport *t, struct sound *sound, double lost_ms)
{
    t->out.sound = sound;
    t->voices.n = 0;
    if (!t->is_playing)
        return;
    /* Goes on that much later, around the loop. */
    double seconds = line_seconds(t, t->tick) + (lost_ms + LEAD_MS) / 1e3;
    double from = line_seconds(t, (double)t->loop.from);
    double to = line_seconds(t, (double)t->loop.to);
    if (will_turn(t) && seconds >= to)
        seconds = from + fmod(seconds - from, to - from);
    unsigned pass = t->pass;
    scheduled_take_back(&t->scheduled, -INFINITY); /* nothing was sent in this clock */
    play_after(t, (int64_t)line_tick(t, seconds), 0);
    t->n_passes = t->pass = pass; /* and counts on from there */
}

void transport_set_loop(struct transport *t, int64_t from, int64_t to)
{
    if (t->is_playing)
        take_back(t);
    t->loop = (struct loop){from > 0 ? from : 0, to};
}

void transport_schedule_note(struct transport *t, const struct scheduled_note *c)
{
    struct scheduled_notes *s = &t->scheduled;
    if (t->is_playing && s->n < MAX_SCHEDULED)
        s->at[s->n++] = (struct scheduled_entry){.note = *c};
}

void transport_cut_scheduled(struct transport *t)
{
    if (t->is_playing && t->scheduled.n)
        scheduled_cut(t, take_back(t));
}

void transport_set_clicks(struct transport *t, bool on)
{
    if (t->clicks == on)
        return;
    t->clicks = on;
    if (t->is_playing)
        take_back(t);
}

/* Sends what comes before `tick`. Past the end there are no beats and clocks. */
static void send_before(struct transport *t, int64_t tick)
{
    struct message m;
    bool ends = tick > t->end_tick && !will_turn(t) && !t->is_endless;
    clicks_send(t, ends ? t->end_tick : tick);
    clocks_send(t, ends ? t->end_tick : tick);
    while (schedule_next(t->schedule, &t->voices, tick, &m)) {
        send_at(t, line_ms_at(t, (double)m.tick), &m, false);
        chase_feed(&t->state, &m);
    }
    t->sent_tick = tick > t->sent_tick ? tick : t->sent_tick;
}

/* Sends the rest of the pass, and goes back to the loop's start: ends notes, and sets
 * the channels to the state there. */
static void turn(struct transport *t)
{
    const double ms = line_ms_at(t, (double)t->loop.to);
    struct message m, out[MAX_CHASED];
    struct chase start;
    send_before(t, t->loop.to);
    while (voices_end(&t->voices, t->loop.to, &m))
        send_at(t, ms, &m, false);
    state_seek(t, &t->voices, t->loop.from, &start);
    for (int channel = 0; channel < SOUND_CHANNELS; channel++) {
        int n = chase_turn(&t->state, &start, channel, out);
        for (int i = 0; i < n; i++)
            send_at(t, ms, &out[i], false);
    }
    t->state = start;
    state_strike_again(t, t->loop.from, ms);
    /* Of another loop only the last pass is known, back to its start. */
    const bool is_same = t->turned.from == t->loop.from && t->turned.to == t->loop.to;
    t->n_turns = is_same ? t->n_turns + 1 : 1;
    t->n_passes++;
    t->turned = t->loop;
    t->anchor_ms = ms;
    t->anchor_tick = (double)t->loop.from;
    t->anchor_seconds = line_seconds(t, (double)t->loop.from);
    t->sent_tick = t->loop.from;
    clocks_begin(t, ms);
}

/* Whether the playhead can wait at the tick for that: what comes there was not sent
 * yet. It does not wait while it follows a clock. */
static bool may_hold(const struct transport *t)
{
    return !t->follows && t->hold_tick > 0 && t->sent_tick <= t->hold_tick;
}

/* Sends what is heard up to AHEAD_MS from now. */
static void send_ahead(struct transport *t, double now)
{
    double until = now + AHEAD_MS;
    clicks_count_in(t, until);
    while (will_turn(t) && line_ms_at(t, (double)t->loop.to) <= until)
        turn(t);
    double ahead = ceil(line_tick_at(t, until));
    int64_t most = will_turn(t)    ? t->loop.to - 1
                   : t->is_endless ? INT64_MAX / 2
                                   : t->end_tick + 1;
    bool holds = may_hold(t);
    if (holds && t->hold_tick < most)
        most = t->hold_tick;
    send_before(t, ahead < (double)most ? (int64_t)ahead : most);
    scheduled_send(t, now, until, holds ? t->hold_tick : INT64_MAX);
}

void transport_advance(struct transport *t)
{
    if (!t->is_playing)
        return;
    double now = sound_now(t->out.sound);
    send_ahead(t, now);
    const double until = t->is_held ? now + LEAD_MS : now; /* it is ahead by that */
    t->is_held = may_hold(t) && !line_turn_is_ahead(t, now) &&
                 line_ms_at(t, (double)t->hold_tick) <= until;
    if (t->is_held) { /* goes on a moment after it may */
        t->tick = (double)t->hold_tick;
        line_set_anchor(t, now + LEAD_MS);
    }
    if (!line_turn_is_ahead(t, now)) /* during the count-in the playhead waits */
        now = fmax(now, t->anchor_ms);
    t->tick = fmax(transport_tick_at(t, now, &t->pass), 0);
    if (will_turn(t) || t->is_endless || t->tick < (double)t->end_tick)
        return;
    t->tick = (double)t->end_tick;
    transport_stop(t);
}
