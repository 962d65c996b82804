/* The player's thread: obeys commands, keeps the transport going, and minds the sound, whose
 * device may come and go. Nothing here waits for the ui, or for a lock of ours. */
#include "midi/transport/player_state.h"
#include "midi/base/thread.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

enum {
    WAKE_BUSY_MS = 10,    /* while something plays */
    WAKE_IDLE_MS = 100,   /* else: only to see that the device lives */
    MAX_REOPENS = 3,      /* in a row, of a device whose clock never ran */
    STANDSTILL_MS = 3000, /* at most is made up for when another clock takes over */
    RETRY_MS = 2000,      /* between looks for a device that was not there */
    PLAY_MS = 300,        /* that one is waited for by who wants to play */
};

static double clock_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* What the ui is told of the sound. */
static void tell_sound(struct player *p)
{
    atomic_store(&p->driver_name, sound_driver(p->sound));
    atomic_store(&p->state, (int)sound_state(p->sound));
    player_wake_ui(p);
}

/* false: out of memory. A soundfont takes a while to read. */
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
    p->last_ms = p->moved_ms = p->looked_ms = clock_ms();
    tell_sound(p);
    return true;
}

/* Plays on by another clock: the device's, or without one the system's. */
static void change_clock(struct player *p)
{
    double lost = fmin(clock_ms() - p->moved_ms, STANDSTILL_MS);
    live_change_clock(p->live, p->sound);
    p->transport.out.ahead_ms = live_ahead_ms(p->live);
    transport_set_sound(&p->transport, p->sound, lost);
    player_refollow(p);
    tell_sound(p);
    p->last_ms = p->moved_ms = clock_ms();
}

/* Perhaps a device was plugged in, or a server started, since. One whose clock never ran
 * is given up until somebody wants to play. Before playing it is waited for; then it is
 * opened while the transport goes on by the system's clock. */
static void look_for_device(struct player *p, bool is_wanted)
{
    bool is_time = clock_ms() - p->looked_ms > RETRY_MS;
    bool may_run = is_wanted || p->n_closed <= MAX_REOPENS;
    if (atomic_load(&p->state) != SOUND_NO_DEVICE)
        return;
    if (is_time && may_run &&
        sound_open_device(p->sound, p->config.driver, is_wanted ? PLAY_MS : 0))
        p->looked_ms = clock_ms();
    if (sound_device_came(p->sound))
        change_clock(p);
}

/* A device whose clock stands still is closed, and opened anew. */
static void check_sound(struct player *p)
{
    double now = clock_ms();
    /* However long the whole process was stopped, the device was too. */
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

/* false: the ui is not collecting; wait before taking more. */
static bool retire(struct player *p)
{
    if (p->retired && !ring_push(p->returns, &p->retired))
        return false;
    p->retired = NULL;
    return true;
}

static void adopt_newest(struct player *p)
{
    struct snapshot *s = retire(p) ? atomic_exchange(&p->newest, NULL) : NULL;
    if (!s)
        return;
    transport_set_schedule(&p->transport, s->schedule);
    p->retired = p->snapshot;
    p->snapshot = s;
    retire(p);
}

/* Where there was no soundfont, the sound is opened with this one. */
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
    atomic_fetch_add(&p->n_fonts_taken, 1);
}

static void obey(struct player *p, const struct player_command *c)
{
    switch (c->kind) {
    case PLAYER_PLAY:
        look_for_device(p, true);
        p->n_greeted = output_n_opened(p->output); /* it is told all by that */
        if (!player_follow_place(p, c->tick))
            transport_play_after(&p->transport, c->tick, c->n_bars);
        break;
    case PLAYER_STOP:
        transport_stop(&p->transport);
        break;
    case PLAYER_SEEK:
        if (!p->transport.follows || !player_follow_place(p, c->tick))
            transport_seek(&p->transport, c->tick);
        break;
    case PLAYER_LOOP:
        transport_set_loop(&p->transport, c->tick, c->to_tick);
        break;
    case PLAYER_AUDITION:
        auditions_begin(&p->auditions, p->sound, &c->audition, clock_ms());
        break;
    case PLAYER_PANIC:
        transport_panic(&p->transport);
        p->auditions = (struct auditions){0};
        live_forget_held(p->live);
        break;
    case PLAYER_FONT:
        take_font(p, c->font);
        break;
    }
}

/* n_heard last: whoever sees it sees what the command did. */
static void tell(struct player *p, unsigned n_heard)
{
    atomic_store(&p->is_playing, p->transport.is_playing);
    atomic_store(&p->tick, p->transport.tick);
    atomic_store(&p->pass, p->transport.pass);
    atomic_store(&p->is_held, p->transport.is_held);
    atomic_store(&p->count_in_ms, transport_count_in_ms(&p->transport));
    if (n_heard)
        atomic_store(&p->n_heard, n_heard);
}

/* Music first: a command is about what was published before it. */
static void obey_all(struct player *p)
{
    struct player_command c;
    while (ring_pop(p->commands, &c)) {
        adopt_newest(p);
        obey(p, &c);
        tell(p, c.number);
    }
    adopt_newest(p);
}

static void take_cues(struct player *p)
{
    struct cue_order order;
    p->transport.hold_tick = atomic_load(&p->hold_tick);
    while (ring_pop(p->cues, &order))
        if (order.is_cut)
            transport_cut_cues(&p->transport);
        else
            transport_cue(&p->transport, &order.cue);
}

static void wait_ms(struct player *p, int ms)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    long ns = until.tv_nsec + ms * 1000000L;
    until.tv_sec += ns / 1000000000L;
    until.tv_nsec = ns % 1000000000L;
    if (sem_clockwait(&p->wake, CLOCK_MONOTONIC, &until))
        return;
    while (!sem_trywait(&p->wake)) /* one look serves all that posted */
        continue;
}

void *player_thread(void *player)
{
    struct player *p = player;
    bool ok = open_sound(p);
    while (ok && !atomic_load(&p->quit)) {
        live_pass(p->live, p->sound, &p->transport);
        p->transport.out.ahead_ms = live_ahead_ms(p->live);
        player_follow_pass(p);
        p->transport.click_volume = atomic_load(&p->click_volume);
        transport_set_clicks(&p->transport, atomic_load(&p->clicks));
        obey_all(p);
        take_cues(p);
        transport_advance(&p->transport);
        bool any_audition = auditions_end_due(&p->auditions, p->sound, clock_ms());
        bool is_busy = any_audition || p->transport.is_playing;
        tell(p, 0);
        check_sound(p);
        output_flush(p->output);
        wait_ms(p, is_busy ? WAKE_BUSY_MS : WAKE_IDLE_MS);
    }
    if (ok)
        transport_panic(&p->transport);
    output_flush(p->output);
    thread_be_ordinary(); /* a soundfont takes a while to free, too */
    sound_close(p->sound);
    return NULL;
}
