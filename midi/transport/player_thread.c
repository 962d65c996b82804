/* The player's thread: obeys commands, advances the transport, follows a received clock, and
 * watches the sound device, which may come and go. It never waits for the ui or for our
 * locks. */
#include "midi/base/clock.h"
#include "midi/transport/player_state.h"
#include "midi/base/thread.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum {
    WAKE_BUSY_MS = 10,    /* while something plays */
    WAKE_IDLE_MS = 100,   /* otherwise, to see that the device is alive */
    MAX_REOPENS = 3,      /* in a row, of devices whose clock never moved */
    STANDSTILL_MS = 3000, /* most time to catch up when the clock changes */
    RETRY_MS = 2000,      /* between attempts to find a missing device */
    PLAY_MS = 300,        /* wait for a device before playing */
    AUDITION_MS = 280,
    FOLLOW_LEAD_MS = 10,
    A_QUARTER = 24,
    MOST_CLOCKS = 64, /* messages in a pass; each may seek through the piece */
};
#define FOLLOWED_BPM 120.0 /* tempo at rate 1; see transport_follow */

/* -- single notes while editing -- */

static void send(struct sound *sound, int status, int data1, int data2)
{
    sound_audition(sound, &(struct message){0, (uint8_t)status, (uint8_t)data1,
                                            (uint8_t)data2, 0});
}

static void end(struct audition *a, struct sound *sound)
{
    if (a->is_on)
        send(sound, 0x80 | a->channel, a->pitch, 64);
    a->is_on = false;
}

/* Sounds a note, and strikes it again if it sounds. It takes a free slot, or that of
 * the note that would end first. */
static void auditions_begin(struct player *p, const struct audition *wanted)
{
    for (struct audition *a = p->auditions; a < p->auditions + N_AUDITIONS; a++)
        if (a->channel == wanted->channel && a->pitch == wanted->pitch)
            end(a, p->sound);
    struct audition *slot = p->auditions;
    for (struct audition *a = p->auditions; a < p->auditions + N_AUDITIONS; a++)
        if (slot->is_on && (!a->is_on || a->end_ms < slot->end_ms))
            slot = a;
    end(slot, p->sound);
    *slot = *wanted;
    slot->is_on = true;
    slot->end_ms = clock_now_ms() + AUDITION_MS;
    send(p->sound, 0xc0 | slot->channel, slot->program, 0);
    send(p->sound, 0x90 | slot->channel, slot->pitch, slot->velocity);
}

/* Ends the notes that are over. Returns whether some still sound. */
static bool auditions_end_due(struct player *p)
{
    bool any_left = false;
    double now = clock_now_ms();
    for (struct audition *a = p->auditions; a < p->auditions + N_AUDITIONS; a++) {
        if (a->end_ms <= now)
            end(a, p->sound);
        any_left |= a->is_on;
    }
    return any_left;
}

/* Publishes the sound's state for the ui. */
static void publish_sound(struct player *p)
{
    atomic_store(&p->driver_name, sound_driver(p->sound));
    atomic_store(&p->state, (int)sound_state(p->sound));
    player_wake_ui(p);
}

/* Opens the sound; reading a soundfont takes a while. false: out of memory. */
static bool open_sound(struct player *p)
{
    thread_be_ordinary();
    p->sound = sound_open(&p->config);
    thread_come_first();
    if (!p->sound)
        return false;
    live_begin(p->live, p->sound);
    p->transport.out.ahead_ms = live_ahead_ms(p->live);
    transport_set_sound(&p->transport, p->sound, 0);
    p->last_ms = p->moved_ms = p->looked_ms = clock_now_ms();
    publish_sound(p);
    return true;
}

/* -- following a clock, and a new instrument -- */

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

/* If a clock is being followed, starts at a tick and returns true. */
static bool start_following(struct player *p, int64_t tick)
{
    double ms = clock_now_ms();
    if (sync_mode(p->sync) != SYNC_FOLLOW || !sync_follow_is_alive(&p->follower, ms))
        return false;
    ms += FOLLOW_LEAD_MS;
    sync_follow_place(&p->follower, ms,
                      (double)tick * A_QUARTER / ticks_per_quarter(p));
    follow_from(p, ms);
    return true;
}

static void take_sync(struct player *p, const struct sync_message *m)
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

static void publish_sync(const struct player *p)
{
    bool is_alive = sync_follow_is_alive(&p->follower, clock_now_ms());
    struct sync_status news = {
        .state = !is_alive              ? SYNC_SILENT
                 : p->transport.follows ? SYNC_RUNS
                                        : SYNC_TICKS,
        .bpm = is_alive ? sync_follow_bpm(&p->follower) : 0,
        .n_lost = p->n_clocks_lost,
    };
    sync_publish(p->sync, &news);
}

void player_follow_pass(struct player *p)
{
    enum sync_mode mode = sync_mode(p->sync);
    struct sync_message m;
    int n = 0;
    unsigned n_opened = output_n_opened(p->output);
    if (n_opened != p->n_greeted && p->transport.schedule) {
        p->n_greeted = n_opened;
        transport_greet(&p->transport);
    }
    transport_set_clocks(&p->transport, mode == SYNC_SEND);
    while (mode == SYNC_FOLLOW && n < MOST_CLOCKS && sync_take(p->sync, &m)) {
        take_sync(p, &m);
        n++;
    }
    if (n == MOST_CLOCKS)
        bell_ring(&p->wake); /* for the rest */
    if (mode != SYNC_FOLLOW) {
        while (sync_take(p->sync, &m))
            continue;
        if (p->transport.follows)
            transport_stop(&p->transport);
        p->follower = (struct sync_follow){0};
    }
    steer(p);
    publish_sync(p);
}

/* -- the sound device -- */

/* Plays on by another clock: that of a device, or else the system's. */
static void change_clock(struct player *p)
{
    double lost = fmin(clock_now_ms() - p->moved_ms, STANDSTILL_MS);
    live_change_clock(p->live, p->sound);
    p->transport.out.ahead_ms = live_ahead_ms(p->live);
    transport_set_sound(&p->transport, p->sound, lost);
    if (sync_mode(p->sync) == SYNC_FOLLOW && p->follower.is_running &&
        p->transport.is_playing)
        follow_from(p, clock_now_ms());
    publish_sound(p);
    p->last_ms = p->moved_ms = clock_now_ms();
}

/* Looks for a device or a server that may have appeared. If the clocks of the last
 * devices never moved, it looks only when the user plays. Before playing, it waits for
 * the device; later, the device is opened while the transport runs on the system's
 * clock. */
static void look_for_device(struct player *p, bool is_wanted)
{
    bool is_time = clock_now_ms() - p->looked_ms > RETRY_MS;
    bool may_run = is_wanted || p->n_closed <= MAX_REOPENS;
    if (atomic_load(&p->state) != SOUND_NO_DEVICE)
        return;
    if (is_time && may_run &&
        sound_open_device(p->sound, p->config.driver, is_wanted ? PLAY_MS : 0))
        p->looked_ms = clock_now_ms();
    if (sound_device_came(p->sound))
        change_clock(p);
}

/* Closes a device whose clock stands still, and opens it again. */
static void check_sound(struct player *p)
{
    double now = clock_now_ms();
    /* If the whole process was stopped, the device was, too. */
    double elapsed = fmin(now - p->last_ms, 2 * WAKE_IDLE_MS);
    p->last_ms = now;
    if (sound_is_alive(p->sound, elapsed)) {
        if (sound_still_ms(p->sound) == 0)
            p->moved_ms = now;
        if (sound_has_run(p->sound))
            p->n_closed = 0;
    } else {
        sound_close_device(p->sound);
        p->n_closed++;
        p->looked_ms = now - 2 * RETRY_MS;
        change_clock(p);
    }
    look_for_device(p, false);
}

/* If the ui does not collect, the snapshot stays here. */
static void retire(struct player *p)
{
    if (p->retired && ring_push(p->returns, &p->retired))
        p->retired = NULL;
}

static void adopt_newest(struct player *p)
{
    retire(p);
    struct snapshot *s = p->retired ? NULL : atomic_exchange(&p->newest, NULL);
    if (!s)
        return;
    transport_set_schedule(&p->transport, s->schedule);
    p->retired = p->snapshot;
    p->snapshot = s;
    retire(p);
}

/* Takes a loaded font. If there was none so far, opens the sound with it. */
static void take_font(struct player *p, struct font_loader *font)
{
    snprintf(p->soundfont, sizeof p->soundfont, "%s", font_loader_path(font));
    p->config.soundfont = p->soundfont;
    if (!sound_take_font(p->sound, font)) {
        struct sound *without = p->sound;
        if (open_sound(p))
            sound_close(without);
        else
            p->sound = without;
    }
    atomic_store(&p->font_is_taken, true);
}

static void execute(struct player *p, const struct player_command *c)
{
    switch (c->kind) {
    case PLAYER_PLAY:
        look_for_device(p, true);
        p->n_greeted = output_n_opened(p->output); /* playing sends all the state */
        if (!start_following(p, c->tick))
            transport_play(&p->transport, c->tick, c->n_bars);
        break;
    case PLAYER_STOP:
        transport_stop(&p->transport);
        break;
    case PLAYER_SEEK:
        if (!p->transport.follows || !start_following(p, c->tick))
            transport_seek(&p->transport, c->tick);
        break;
    case PLAYER_LOOP:
        transport_set_loop(&p->transport, c->tick, c->to_tick);
        break;
    case PLAYER_AUDITION:
        auditions_begin(p, &c->audition);
        break;
    case PLAYER_PANIC:
        transport_panic(&p->transport);
        memset(p->auditions, 0, sizeof p->auditions);
        live_forget_held(p->live);
        break;
    case PLAYER_FONT:
        take_font(p, c->font);
        break;
    }
}

/* n_executed comes last: who sees it sees the effect of the command. */
static void publish_status(struct player *p, unsigned n_executed)
{
    atomic_store(&p->is_playing, p->transport.is_playing);
    atomic_store(&p->tick, p->transport.tick);
    atomic_store(&p->pass, p->transport.pass);
    atomic_store(&p->is_held, p->transport.is_held);
    atomic_store(&p->count_in_ms, transport_count_in_ms(&p->transport));
    if (n_executed)
        atomic_store(&p->n_executed, n_executed);
}

static void adopt_settings(struct player *p)
{
    adopt_newest(p);
    p->transport.click_volume = atomic_load(&p->click_volume);
    transport_set_clicks(&p->transport, atomic_load(&p->clicks));
}

/* Adopts music and metronome before each command, since a command refers to what was
 * set before it. Otherwise music that begins at once would have no click on its first
 * beat. */
static void execute_all(struct player *p)
{
    struct player_command c;
    while (ring_pop(p->commands, &c)) {
        adopt_settings(p);
        execute(p, &c);
        publish_status(p, c.number);
    }
    adopt_settings(p);
}

static void take_scheduled(struct player *p)
{
    struct scheduled_order order;
    p->transport.hold_tick = atomic_load(&p->hold_tick);
    while (ring_pop(p->scheduled, &order))
        if (order.is_cut)
            transport_cut_scheduled(&p->transport);
        else
            transport_schedule_note(&p->transport, &order.note);
}

void *player_thread(void *player)
{
    struct player *p = player;
    bool ok = open_sound(p);
    while (ok && !atomic_load(&p->quit)) {
        live_pass(p->live, p->sound, &p->transport);
        p->transport.out.ahead_ms = live_ahead_ms(p->live);
        player_follow_pass(p);
        execute_all(p);
        take_scheduled(p);
        transport_advance(&p->transport);
        bool is_busy = auditions_end_due(p) || p->transport.is_playing;
        publish_status(p, 0);
        check_sound(p);
        output_flush(p->output);
        atomic_fetch_add(&p->n_rounds, 1);
        const struct timespec until =
            clock_after_ms(is_busy ? WAKE_BUSY_MS : WAKE_IDLE_MS);
        bell_wait(&p->wake, &until); /* one pass serves all rings of the bell */
    }
    if (ok)
        transport_panic(&p->transport);
    output_flush(p->output);
    thread_be_ordinary(); /* freeing a soundfont takes a while */
    sound_close(p->sound);
    return NULL;
}
