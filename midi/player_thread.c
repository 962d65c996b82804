/* The player's thread: it obeys, plays what is due, and looks after the device. */
#include "midi/player_thread.h"

#include <math.h>
#include <time.h>

enum {
    WAKE_BUSY_MS = 10,  /* while something plays */
    WAKE_IDLE_MS = 100, /* else: only to see that the device lives */
    MAX_REOPENS = 3,    /* in a row, of a device whose clock never ran */
    RETRY_MS = 5000,    /* between looks for a device that was not there */
};

static double clock_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* Plays on through a sound opened anew, and settles what the ui is told of it.
 * false: out of memory, and the old one is still in use. */
static bool open_sound(struct player *p, const char *driver)
{
    struct sound_config config = p->config;
    config.driver = driver;
    struct sound *sound = sound_open(&config);
    if (!sound)
        return false;
    p->sound = sound;
    atomic_store(&p->driver_name, sound_driver(sound));
    atomic_store(&p->state, (int)sound_state(sound));
    transport_set_sound(&p->transport, sound);
    p->last_ms = p->opened_ms = clock_ms();
    return true;
}

/* Perhaps a device was plugged in, or a server started, since. */
static void look_for_device(struct player *p)
{
    bool is_time = clock_ms() - p->opened_ms > RETRY_MS;
    bool is_wanted = atomic_load(&p->state) == SOUND_NO_DEVICE;
    if (!is_wanted || !is_time || p->n_reopened > MAX_REOPENS)
        return;
    struct sound *without = p->sound;
    if (open_sound(p, p->config.driver))
        sound_close(without);
}

/* A device whose clock stands still is opened anew; one that never runs is
 * given up, and the transport goes on by the system's clock. */
static bool check_sound(struct player *p)
{
    double now = clock_ms();
    /* However long the whole process was stopped, the device was too. */
    double elapsed = fmin(now - p->last_ms, 2 * WAKE_IDLE_MS);
    p->last_ms = now;
    if (sound_is_alive(p->sound, elapsed)) {
        if (sound_has_run(p->sound))
            p->n_reopened = 0;
        return true;
    }
    atomic_store(&p->state, SOUND_OPENING);
    sound_close(p->sound);
    p->sound = NULL;
    bool is_hopeless = p->n_reopened++ >= MAX_REOPENS;
    if (!open_sound(p, is_hopeless ? "none" : p->config.driver))
        return false;
    if (is_hopeless)
        atomic_store(&p->state, SOUND_NO_DEVICE);
    return true;
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

static void obey(struct player *p, const struct player_command *c)
{
    switch (c->kind) {
    case PLAYER_PLAY:
        look_for_device(p);
        transport_play(&p->transport, c->tick);
        break;
    case PLAYER_STOP:
        transport_stop(&p->transport);
        break;
    case PLAYER_SEEK:
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
        break;
    }
}

/* n_heard last: whoever sees it sees what the command did. */
static void tell(struct player *p, unsigned n_heard)
{
    atomic_store(&p->is_playing, p->transport.is_playing);
    atomic_store(&p->tick, p->transport.tick);
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

void *player_run(void *player)
{
    struct player *p = player;
    bool ok = open_sound(p, p->config.driver);
    while (ok && !atomic_load(&p->quit)) {
        obey_all(p);
        transport_advance(&p->transport);
        bool any_audition = auditions_end_due(&p->auditions, p->sound, clock_ms());
        bool is_busy = any_audition || p->transport.is_playing;
        tell(p, 0);
        ok = check_sound(p);
        wait_ms(p, is_busy ? WAKE_BUSY_MS : WAKE_IDLE_MS);
    }
    if (ok)
        transport_panic(&p->transport);
    sound_close(p->sound);
    return NULL;
}
