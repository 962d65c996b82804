/* The playhead is a straight line in seconds through an anchor; ticks follow
 * from it by the tempo map. Whatever bends the line (a start, an edit, another
 * clock) sets a new anchor. So does a loop's turn: the anchor is then the moment at
 * which the start will be heard again, and until that comes the line is that of the
 * pass before, which ends there. */
#include "midi/transport.h"

#include <math.h>

enum {
    AHEAD_MS = 60,        /* how far ahead of the playhead messages are sent, */
    CLOSE_CLICKS_MS = 40, /* and clicks that follow each other faster are not */
    NEAR_MS = 25,  /* what is due so soon is not taken back; drivers render in bursts */
    LEAD_MS = 10,  /* from the command to the first note, so that it is on time */
    LEAST_MS = 20, /* a shorter pass is no loop */
};

static const struct timeline *timeline(const struct transport *t)
{
    return &schedule_score(t->schedule)->timeline;
}

static void set_anchor(struct transport *t, double ms)
{
    t->anchor_ms = ms;
    t->anchor_tick = t->tick;
    t->anchor_seconds = timeline_seconds(timeline(t), t->tick);
    t->n_turns = 0;
}

static double seconds_at(const struct transport *t, int64_t tick)
{
    return timeline_seconds(timeline(t), (double)tick);
}

static bool turn_is_ahead(const struct transport *t, double ms)
{
    return t->n_turns > 0 && ms < t->anchor_ms;
}

/* The moment of the piece so long before a turn: the pass before, or one before that
 * where several fit into what is sent ahead. */
static double seconds_before_turn(const struct transport *t, double seconds,
                                  unsigned *n_back)
{
    double end = seconds_at(t, t->turned.to);
    double pass = end - seconds_at(t, t->turned.from);
    double whole = fmin(floor(seconds / pass), t->n_turns - 1);
    *n_back = 1 + (unsigned)whole;
    return end - (seconds - whole * pass);
}

/* n_back: how many turns that have been sent are still to come at that moment. */
static double seconds_when(const struct transport *t, double ms, unsigned *n_back)
{
    *n_back = 0;
    if (turn_is_ahead(t, ms))
        return seconds_before_turn(t, (t->anchor_ms - ms) / 1000, n_back);
    return t->anchor_seconds + (ms - t->anchor_ms) / 1000;
}

static double tick_at(const struct transport *t, double ms)
{
    unsigned n_back;
    return timeline_tick(timeline(t), fmax(seconds_when(t, ms, &n_back), 0));
}

/* Time before the piece is as fast as its beginning. */
double transport_tick_at(const struct transport *t, double ms, unsigned *pass)
{
    unsigned n_back;
    double seconds = seconds_when(t, ms, &n_back);
    *pass = t->n_passes > n_back ? t->n_passes - n_back : 0;
    return seconds < 0 ? -timeline_tick(timeline(t), -seconds)
                       : timeline_tick(timeline(t), seconds);
}

double transport_ms_at(const struct transport *t, int64_t tick)
{
    return t->anchor_ms + (seconds_at(t, tick) - t->anchor_seconds) * 1000;
}

/* The first whole tick that is not heard before `ms`, near `tick`: exactly as that has
 * it, since by that it was decided what was sent for which moment. */
static int64_t first_tick_from(const struct transport *t, double ms, double tick)
{
    int64_t first = (int64_t)ceil(tick);
    while (first > 0 && transport_ms_at(t, first - 1) >= ms)
        first--;
    while (transport_ms_at(t, first) < ms)
        first++;
    return first;
}

/* Playing will come to the loop's end. */
static bool will_turn(const struct transport *t)
{
    return t->sent_tick < t->loop.to && t->loop.from < t->loop.to &&
           seconds_at(t, t->loop.to) - seconds_at(t, t->loop.from) >= LEAST_MS / 1e3;
}

/* To the end of the last bar; beyond that, to the end of the bar it is in. */
static void find_end(struct transport *t)
{
    int64_t tick = (int64_t)t->tick, end = schedule_end_tick(t->schedule);
    struct bar bar = timeline_bar_at(timeline(t), tick);
    t->end_tick = end > tick ? end : bar.start + bar.length;
}

/* The state of the channels that the piece has reached at `tick`; what is next is what
 * comes then. */
static void seek_state(struct transport *t, int64_t tick, struct chase *state)
{
    struct message m;
    chase_init(state, schedule_score(t->schedule));
    schedule_seek(t->schedule, tick);
    while (schedule_next(t->schedule, &t->voices, tick, &m))
        chase_feed(state, &m);
}

/* Puts the channels into that state. */
static void chase_to(struct transport *t, int64_t tick)
{
    struct message out[MAX_CHASED];
    seek_state(t, tick, &t->state);
    for (int channel = 0; channel < N_CHANNELS; channel++) {
        int n = chase_messages(&t->state, channel, out);
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
        int n = chase_difference(&t->state, &edited, channel, out);
        for (int i = 0; i < n; i++)
            sound_send_at(t->sound, transport_ms_at(t, tick), &out[i]);
    }
    t->state = edited;
}

/* All that was sent and can still be changed, which is what is due from the moment that is
 * returned, will be sent anew: it was of music, or of a loop, that is about to be another.
 */
static double take_back(struct transport *t)
{
    double from = sound_take_back(t->sound, sound_now(t->sound) + NEAR_MS);
    t->clicked_ms = -INFINITY;
    count_in_take_back(&t->count_in, from);
    cues_take_back(&t->cues, from);
    const double taken_back = from;
    bool turns = turn_is_ahead(t, from);
    if (!turns && from < t->anchor_ms)
        from = t->anchor_ms;
    double tick = tick_at(t, from);
    if (turns) { /* and is not made */
        transport_tick_at(t, from, &t->n_passes);
        t->tick = tick;
        set_anchor(t, from);
    }
    int64_t first = first_tick_from(t, from, tick);
    if (turns || first < t->sent_tick) {
        t->sent_tick = first;
        t->voices.n = 0;
        seek_state(t, first, &t->state);
        schedule_find_voices(t->schedule, &t->voices, first);
    }
    return taken_back;
}

static void stop_sound(struct transport *t)
{
    t->is_playing = t->is_held = false;
    t->voices.n = 0;
    t->n_turns = 0;
    sound_forget(t->sound);
    sound_release(t->sound);
}

static void begin(struct transport *t, int64_t from_tick, int n_bars)
{
    stop_sound(t);
    t->tick = (double)from_tick;
    t->sent_tick = from_tick;
    if (!t->schedule)
        return;
    chase_to(t, from_tick);
    count_in_init(&t->count_in, timeline(t), from_tick, n_bars);
    t->count_in.start_ms = sound_now(t->sound) + LEAD_MS;
    set_anchor(t, t->count_in.start_ms + t->count_in.length_ms);
    t->clicked_ms = -INFINITY;
    find_end(t);
    t->n_passes = t->pass = 0;
    t->is_playing = true;
    transport_advance(t);
}

void transport_play_after(struct transport *t, int64_t from_tick, int n_bars)
{
    t->cues.n = 0;
    begin(t, from_tick, n_bars);
}

void transport_play(struct transport *t, int64_t from_tick)
{
    transport_play_after(t, from_tick, 0);
}

double transport_count_in_ms(const struct transport *t)
{
    if (!t->is_playing || !t->count_in.n)
        return 0;
    double end = t->count_in.start_ms + t->count_in.length_ms;
    return fmax(end - sound_now(t->sound), 0);
}

void transport_stop(struct transport *t)
{
    stop_sound(t);
    t->cues.n = 0;
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
    take_back(t);
    double now = sound_now(t->sound);
    if (turn_is_ahead(t, now)) {
        t->schedule = schedule;
        t->anchor_seconds = timeline_seconds(timeline(t), t->anchor_tick);
    } else {
        t->tick = tick_at(t, fmax(now, t->anchor_ms));
        t->schedule = schedule;
        set_anchor(t, fmax(now, t->anchor_ms));
    }
    find_end(t);
    skip_to(t, t->sent_tick);
    voices_follow(&t->voices, schedule, t->sent_tick);
}

/* So much later, round the loop as often as that is. */
static double tick_after(const struct transport *t, double ms)
{
    double seconds = timeline_seconds(timeline(t), t->tick) + ms / 1e3;
    double from = seconds_at(t, t->loop.from), to = seconds_at(t, t->loop.to);
    if (will_turn(t) && seconds >= to)
        seconds = from + fmod(seconds - from, to - from);
    return timeline_tick(timeline(t), seconds);
}

void transport_set_sound(struct transport *t, struct sound *sound, double lost_ms)
{
    t->sound = sound;
    t->voices.n = 0;
    if (!t->is_playing)
        return;
    unsigned pass = t->pass;
    cues_rewind(&t->cues);
    begin(t, (int64_t)tick_after(t, lost_ms + LEAD_MS), 0);
    t->n_passes = t->pass = pass; /* and goes on from there */
}

void transport_set_loop(struct transport *t, int64_t from, int64_t to)
{
    if (t->is_playing)
        take_back(t);
    t->loop = (struct loop){from > 0 ? from : 0, to};
}

void transport_cue(struct transport *t, const struct cue *c)
{
    if (t->is_playing)
        cues_add(&t->cues, c);
}

void transport_cut_cues(struct transport *t)
{
    if (t->is_playing && t->cues.n)
        cues_cut(t, take_back(t));
}

/* The metronome's beats from what was sent last to `tick`; none past the end. */
static void send_clicks(struct transport *t, int64_t tick)
{
    int64_t before =
        tick > t->end_tick && !will_turn(t) && !t->is_endless ? t->end_tick : tick;
    struct click c = click_at(timeline(t), t->sent_tick);
    for (; t->clicks && c.tick < before; c = click_at(timeline(t), c.tick + 1)) {
        double ms = transport_ms_at(t, c.tick);
        struct message m = click_message(c.strength, t->click_volume);
        if (ms - t->clicked_ms < CLOSE_CLICKS_MS)
            continue;
        sound_click_at(t->sound, ms, &m);
        t->clicked_ms = ms;
    }
}

static void send_count_in(struct transport *t, double until_ms)
{
    double ms;
    enum click_strength strength;
    while (count_in_next(&t->count_in, until_ms, &ms, &strength)) {
        struct message m = click_message(strength, t->click_volume);
        sound_click_at(t->sound, ms, &m);
    }
}

void transport_set_clicks(struct transport *t, bool on)
{
    if (t->clicks == on)
        return;
    t->clicks = on;
    if (t->is_playing)
        take_back(t);
}

static void send_before(struct transport *t, int64_t tick)
{
    struct message m;
    send_clicks(t, tick);
    while (schedule_next(t->schedule, &t->voices, tick, &m)) {
        sound_send_at(t->sound, transport_ms_at(t, m.tick), &m);
        chase_feed(&t->state, &m);
    }
    t->sent_tick = tick > t->sent_tick ? tick : t->sent_tick;
}

/* At the loop's end, in the sound's own time: what sounds ends, and the channels are put
 * into the state of its start. */
static void send_turn(struct transport *t, double ms)
{
    struct message m, out[MAX_CHASED];
    struct chase start;
    while (voices_end(&t->voices, t->loop.to, &m))
        sound_send_at(t->sound, ms, &m);
    seek_state(t, t->loop.from, &start);
    for (int channel = 0; channel < N_CHANNELS; channel++) {
        int n = chase_turn(&t->state, &start, channel, out);
        for (int i = 0; i < n; i++)
            sound_send_at(t->sound, ms, &out[i]);
    }
    t->state = start;
}

static bool is_same_loop(const struct loop *a, const struct loop *b)
{
    return a->from == b->from && a->to == b->to;
}

/* Sends what is left of the pass, and goes back. */
static void turn(struct transport *t)
{
    double ms = transport_ms_at(t, t->loop.to);
    send_before(t, t->loop.to);
    send_turn(t, ms);
    /* Of another loop only the last pass is known, as far as its start. */
    t->n_turns = is_same_loop(&t->turned, &t->loop) ? t->n_turns + 1 : 1;
    t->n_passes++;
    t->turned = t->loop;
    t->anchor_ms = ms;
    t->anchor_tick = (double)t->loop.from;
    t->anchor_seconds = seconds_at(t, t->loop.from);
    t->sent_tick = t->loop.from;
}

/* What comes at the tick where it is to wait was not sent yet. */
static bool may_hold(const struct transport *t)
{
    return t->hold_tick > 0 && t->sent_tick <= t->hold_tick;
}

/* Up to what is heard AHEAD_MS from now. */
static void send_ahead(struct transport *t, double now)
{
    double until = now + AHEAD_MS;
    send_count_in(t, until);
    while (will_turn(t) && transport_ms_at(t, t->loop.to) <= until)
        turn(t);
    double ahead = ceil(tick_at(t, until));
    int64_t most = will_turn(t)    ? t->loop.to - 1
                   : t->is_endless ? INT64_MAX / 2
                                   : t->end_tick + 1;
    bool holds = may_hold(t);
    if (holds && t->hold_tick < most)
        most = t->hold_tick;
    send_before(t, ahead < (double)most ? (int64_t)ahead : most);
    cues_send(t, &(struct cue_span){now, until, holds ? t->hold_tick : INT64_MAX});
}

/* It stands there, and will go on a moment after it may. */
static void hold(struct transport *t, double now)
{
    t->is_held = may_hold(t) && !turn_is_ahead(t, now) &&
                 transport_ms_at(t, t->hold_tick) <= now;
    if (!t->is_held)
        return;
    t->tick = (double)t->hold_tick;
    set_anchor(t, now + LEAD_MS);
}

void transport_advance(struct transport *t)
{
    if (!t->is_playing)
        return;
    double now = sound_now(t->sound);
    send_ahead(t, now);
    hold(t, now);
    if (!turn_is_ahead(t, now)) /* what is counted before it begins stands still */
        now = fmax(now, t->anchor_ms);
    t->tick = fmax(transport_tick_at(t, now, &t->pass), 0);
    if (will_turn(t) || t->is_endless || t->tick < (double)t->end_tick)
        return;
    t->tick = (double)t->end_tick;
    transport_stop(t);
}
