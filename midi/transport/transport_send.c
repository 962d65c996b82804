/* What a transport sends (transport_parts.h): messages, clocks, clicks, the state of channels,
 * and scheduled notes. */
#include "midi/transport/transport_parts.h"
#include "midi/transport/scheduled_note.h"

#include <math.h>

static void output_at(const struct transport *t, double ms, const struct message *m)
{
    output_send_at(t->out.output, ms - t->out.ahead_ms, ms, m);
}

void send_at(const struct transport *t, double ms, const struct message *m,
             bool is_scheduled)
{
    bool strikes = (m->status & 0xf0) == 0x90 && m->data2;
    /* The synth gets everything but the notes that only the instrument plays, so that
     * it can go on if the instrument is unplugged. */
    bool is_heard = !strikes || !output_is_only(t->out.output);
    if (is_heard && is_scheduled)
        sound_scheduled_at(t->out.sound, ms, m);
    else if (is_heard)
        sound_send_at(t->out.sound, ms, m);
    output_at(t, ms, m);
}

/* Sends a clock, a start and the like, to the instrument only. */
static void sync_at(const struct transport *t, double ms, int status, int data1,
                    int data2)
{
    struct message m = {
        .status = (uint8_t)status, .data1 = (uint8_t)data1, .data2 = (uint8_t)data2};
    output_at(t, ms, &m);
}

enum {
    A_QUARTER = 24,
    A_SIXTEENTH = 6,
    MOST_SIXTEENTHS = 16383, /* a song position has 14 bits */
    CLOCK_CLOSE_MS = 1,      /* faster clocks are left out */
    SONG_POSITION = 0xf2,
    CLOCK = 0xf8,
    START = 0xfa,
    CONTINUE = 0xfb,
    STOP = 0xfc,
};

static double tick_of(const struct transport *t, int64_t clock)
{
    return (double)clock * line_timeline(t)->ticks_per_quarter / A_QUARTER;
}

static int64_t first_clock_from(const struct transport *t, double tick)
{
    return (int64_t)ceil(tick * A_QUARTER / line_timeline(t)->ticks_per_quarter);
}

void clocks_locate(struct transport *t, int64_t tick, double ms)
{
    if (!t->clocks.is_on || !t->schedule)
        return;
    int64_t clock = first_clock_from(t, (double)tick);
    int64_t n = (clock + A_SIXTEENTH - 1) / A_SIXTEENTH;
    if (n <= MOST_SIXTEENTHS)
        sync_at(t, ms, SONG_POSITION, (int)n & 127, (int)n >> 7);
}

void clocks_begin(struct transport *t, double ms)
{
    struct clocks *c = &t->clocks;
    if (!c->is_on)
        return;
    c->next = first_clock_from(t, (double)t->sent_tick);
    c->begins = (c->next + A_SIXTEENTH - 1) / A_SIXTEENTH * A_SIXTEENTH;
    if (c->begins) /* a start means the beginning */
        clocks_locate(t, t->sent_tick, ms);
}

void clocks_send(struct transport *t, int64_t before_tick)
{
    struct clocks *c = &t->clocks;
    while (c->is_on && tick_of(t, c->next) < (double)before_tick) {
        double ms = line_ms_at(t, tick_of(t, c->next));
        if (c->next == c->begins)
            sync_at(t, ms, c->begins ? CONTINUE : START, 0, 0);
        sync_at(t, ms, CLOCK, 0, 0);
        /* Leaves out clocks of a piece that is too fast for them. */
        int64_t near = first_clock_from(t, line_tick_at(t, ms + CLOCK_CLOSE_MS));
        int64_t next = near > c->next ? near : c->next + 1;
        c->next = c->next < c->begins && next > c->begins ? c->begins : next;
    }
}

/* Takes back exactly the clocks that were queued for from_ms or later, like
 * line_first_tick_from. */
void clocks_take_back(struct transport *t, double from_ms, bool turns)
{
    struct clocks *c = &t->clocks;
    if (!c->is_on)
        return;
    int64_t first = first_clock_from(t, line_tick_at(t, from_ms));
    while (first > 0 && line_ms_at(t, tick_of(t, first - 1)) >= from_ms)
        first--;
    while (line_ms_at(t, tick_of(t, first)) < from_ms)
        first++;
    if (turns || first < c->next)
        c->next = first;
    if (turns)
        c->begins = -1;
}

void clocks_stop(struct transport *t)
{
    if (t->clocks.is_on)
        sync_at(t, sound_now(t->out.sound), STOP, 0, 0);
}

void transport_set_clocks(struct transport *t, bool on)
{
    if (t->clocks.is_on == on)
        return;
    if (!on && t->is_playing)
        clocks_stop(t);
    t->clocks.is_on = on;
    if (on && t->is_playing)
        clocks_begin(t, sound_now(t->out.sound));
}

enum {
    CLICK_CLOSE_MS = 40, /* faster clicks are left out */
    CLICK_MS = 30,       /* from a click to its note-off */
};

static void click(const struct transport *t, double ms, enum click_strength strength)
{
    struct message m = click_message(strength, t->click_volume);
    struct message off = {
        .status = 0x80 | (m.status & 15), .data1 = m.data1, .data2 = 64};
    sound_click_at(t->out.sound, ms, &m);
    if (!output_has_clicks(t->out.output))
        return;
    output_at(t, ms, &m);
    /* it is taken back together with its click */
    output_send_at(t->out.output, ms + CLICK_MS - t->out.ahead_ms, ms, &off);
}

void clicks_send(struct transport *t, int64_t before)
{
    struct click c = click_at(line_timeline(t), t->sent_tick);
    for (; t->clicks && c.tick < before; c = click_at(line_timeline(t), c.tick + 1)) {
        double ms = line_ms_at(t, (double)c.tick);
        if (ms - t->clicked_ms < CLICK_CLOSE_MS)
            continue;
        click(t, ms, c.strength);
        t->clicked_ms = ms;
    }
}

void clicks_count_in(struct transport *t, double until_ms)
{
    double ms;
    enum click_strength strength;
    while (count_in_next(&t->count_in, until_ms, &ms, &strength))
        click(t, ms, strength);
}

void state_seek(struct transport *t, struct voices *voices, int64_t tick,
                struct chase *state)
{
    struct message m;
    chase_init(state, schedule_score(t->schedule));
    schedule_seek(t->schedule, tick);
    while (schedule_next(t->schedule, voices, tick, &m))
        chase_feed(state, &m);
}

/* Sets the instrument to the state at once; only the channels of the tracks. */
static void set_instrument(const struct transport *t, const struct chase *state)
{
    const struct score *s = schedule_score(t->schedule);
    unsigned used = 0;
    for (size_t i = 0; i < s->n_tracks; i++)
        used |= 1u << (s->tracks[i].channel & 15);
    for (int channel = 0; channel < N_CHANNELS; channel++)
        if (used >> channel & 1)
            output_set_state(t->out.output, channel, &state->channel[channel]);
}

void state_set(struct transport *t, int64_t tick)
{
    struct message out[MAX_CHASED];
    state_seek(t, &t->voices, tick, &t->state);
    for (int channel = 0; channel < SOUND_CHANNELS; channel++) {
        int n = chase_messages(&t->state, channel, out);
        for (int i = 0; i < n; i++)
            sound_send(t->out.sound, &out[i]);
    }
    set_instrument(t, &t->state);
}

void state_skip_to(struct transport *t, int64_t tick)
{
    struct voices none = {0};
    struct chase edited;
    struct message out[MAX_CHASED];
    state_seek(t, &none, tick, &edited);
    for (int channel = 0; channel < SOUND_CHANNELS; channel++) {
        int n = chase_difference(&t->state, &edited, channel, out);
        for (int i = 0; i < n; i++)
            send_at(t, line_ms_at(t, (double)tick), &out[i], false);
    }
    t->state = edited;
}

void state_strike_again(struct transport *t, int64_t tick, double ms)
{
    struct message m;
    size_t at[2] = {0};
    t->struck_ms = -INFINITY;
    while (schedule_strike_again(t->schedule, &t->voices, tick, at, &m)) {
        send_at(t, ms, &m, false);
        t->struck_ms = ms;
    }
}

void transport_greet(struct transport *t)
{
    struct chase state = t->state;
    if (!t->schedule)
        return;
    if (!t->is_playing) /* playing seeks again */
        state_seek(t, &t->voices, (int64_t)t->tick, &state);
    set_instrument(t, &state);
    if (t->is_playing)
        clocks_begin(t, sound_now(t->out.sound));
}

/* Each event of a scheduled note is sent once, and once more if it was taken back. */

#define LEAST_NOTE_MS 20.0 /* least length of a late note */
#define GAP_MS        0.1  /* between a note's end and the next start */

static void send_scheduled(const struct transport *t, const struct scheduled_entry *c,
                           int status, double ms)
{
    struct message m = {.tick = c->note.start,
                        .status = (uint8_t)(status | (c->note.channel & 15)),
                        .data1 = c->note.pitch,
                        .data2 = status == 0x90 ? c->note.velocity : 64};
    send_at(t, ms, &m, true);
}

static void strike(const struct transport *t, struct scheduled_entry *c, double now_ms,
                   double at_ms)
{
    c->is_struck = true;
    c->is_ended = line_ms_at(t, (double)c->note.end) <= now_ms; /* never heard */
    c->on_ms = c->off_ms = fmax(at_ms, now_ms);
    if (!c->is_ended)
        send_scheduled(t, c, 0x90, c->on_ms);
}

void scheduled_send(struct transport *t, double now_ms, double until_ms, int64_t before)
{
    int n = 0;
    for (int i = 0; i < t->scheduled.n; i++) {
        struct scheduled_entry *c = &t->scheduled.at[i];
        double on = line_ms_at(t, (double)c->note.start);
        if (!c->is_struck && on <= until_ms && c->note.start < before)
            strike(t, c, now_ms, on);
        double off =
            fmax(line_ms_at(t, (double)c->note.end) - GAP_MS, c->on_ms + LEAST_NOTE_MS);
        if (c->is_struck && !c->is_ended && off <= until_ms && c->note.end < before) {
            c->is_ended = true;
            c->off_ms = fmax(off, now_ms);
            send_scheduled(t, c, 0x80, c->off_ms);
        }
        if (!c->is_ended || c->off_ms > now_ms)
            t->scheduled.at[n++] = *c;
    }
    t->scheduled.n = n;
}

void scheduled_take_back(struct scheduled_notes *c, double from_ms)
{
    for (int i = 0; i < c->n; i++) {
        c->at[i].is_struck &= c->at[i].on_ms < from_ms;
        c->at[i].is_ended &= c->at[i].is_struck && c->at[i].off_ms < from_ms;
    }
}

void scheduled_cut(struct transport *t, double ms)
{
    for (int i = 0; i < t->scheduled.n; i++)
        if (t->scheduled.at[i].is_struck && !t->scheduled.at[i].is_ended)
            send_scheduled(t, &t->scheduled.at[i], 0x80, ms);
    t->scheduled.n = 0;
}
