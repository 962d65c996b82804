/* The thread of the ports.
 *
 * PortMidi lists devices only when it starts, so it is restarted for each look. It does
 * not notice that a device of ALSA's sequencer is gone; but the kernel's list of
 * sequencer clients, if there is one, shows it. */
#include "midi/ports/ports.h"

#include "midi/base/clock.h"
#include "midi/transport/player.h"
#include "midi/ports/ports_device.h"
#include "midi/base/thread.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    READ_MS = 1,      /* between reads of the keyboard */
    LOOK_MS = 2000,   /* between looks for a missing device */
    GONE_MS = 500,    /* between checks of an open device */
    RARE_MS = 10000,  /* between looks if no device was ever seen or named */
    FAR_MS = 3600000, /* when nothing is due */
    QUIET_MS = 1500,  /* unused so long, an open device may be closed for a look */
};

struct ports {
    /* Constant once the thread runs: */
    pthread_t thread;
    struct bell *wake; /* the output's; any thread rings it */
    struct player *player;

    atomic_bool quit, chose[PORT_SIDES]; /* the ui thread sets these */

    pthread_mutex_t lock; /* guards `news` */
    struct port_status news[PORT_SIDES];

    /* For the thread only: */
    struct ports_devices devices;
    char wanted[PORT_SIDES][PORT_NAME_BYTES];
    double looked_ms, checked_ms;
    bool must_look; /* the choice is new, so look whatever else is open */
    bool any_seen;  /* some MIDI device was seen */
};

/* -- news for the ui -- */

static void tell(struct ports *p, int side, enum port_state state)
{
    struct port_status *news = &p->news[side];
    pthread_mutex_lock(&p->lock);
    if (news->state != state || state == PORT_OPEN)
        news->n_changes++;
    news->state = state;
    memcpy(news->name, p->devices.side[side].name, sizeof news->name);
    pthread_mutex_unlock(&p->lock);
    player_wake_ui(p->player);
}

static void tell_devices(struct ports *p)
{
    pthread_mutex_lock(&p->lock);
    for (int side = 0; side < PORT_SIDES; side++)
        p->news[side].n_devices =
            devices_names(side, p->news[side].devices, PORT_MAX_DEVICES);
    pthread_mutex_unlock(&p->lock);
}

/* -- finding and losing -- */

static bool is_open(const struct ports *p, int side)
{
    return p->devices.side[side].stream != NULL;
}

static bool wants_none(const struct ports *p, int side)
{
    return !strcmp(p->wanted[side], "none");
}

static bool is_missing(const struct ports *p, int side)
{
    return !is_open(p, side) && !wants_none(p, side);
}

static bool any_missing(const struct ports *p)
{
    return is_missing(p, PORT_IN) || is_missing(p, PORT_OUT);
}

/* Closes open devices, lists all, and opens them again. PortMidi may take a while. */
static void look(struct ports *p)
{
    bool was[PORT_SIDES];
    thread_be_ordinary();
    for (int side = 0; side < PORT_SIDES; side++) {
        was[side] = is_open(p, side);
        devices_close(&p->devices, side);
    }
    p->looked_ms = p->checked_ms = clock_now_ms();
    p->must_look = false;
    if (devices_list(&p->devices)) {
        tell_devices(p);
        p->any_seen |= devices_any();
    }
    for (int side = 0; side < PORT_SIDES; side++) {
        bool opened =
            is_missing(p, side) && devices_open(&p->devices, side, p->wanted[side]);
        if (opened != was[side])
            tell(p, side, opened ? PORT_OPEN : PORT_LOST);
    }
    devices_end_list(&p->devices);
    thread_come_first();
}

static double look_every_ms(const struct ports *p)
{
    bool is_named = (is_missing(p, PORT_IN) && *p->wanted[PORT_IN]) ||
                    (is_missing(p, PORT_OUT) && *p->wanted[PORT_OUT]);
    return p->any_seen || is_named ? LOOK_MS : RARE_MS;
}

/* Looks for missing devices now and then, but not while the other device is in use, or
 * if no device was added. */
static void look_for_missing(struct ports *p)
{
    if (!any_missing(p) || clock_now_ms() - p->looked_ms < look_every_ms(p))
        return;
    bool any_open = is_open(p, PORT_IN) || is_open(p, PORT_OUT);
    if (!any_open || p->must_look ||
        (devices_are_others(&p->devices) &&
         clock_now_ms() - p->devices.used_ms > QUIET_MS))
        look(p);
    else
        p->looked_ms = clock_now_ms() - LOOK_MS + GONE_MS; /* look again soon */
}

static void lose(struct ports *p, int side)
{
    devices_close(&p->devices, side);
    tell(p, side, PORT_LOST);
    p->looked_ms = 0;
}

static void check_still_there(struct ports *p)
{
    if (clock_now_ms() - p->checked_ms < GONE_MS)
        return;
    p->checked_ms = clock_now_ms();
    for (int side = 0; side < PORT_SIDES; side++)
        if (is_open(p, side) && !devices_still_there(&p->devices, side))
            lose(p, side);
}

/* -- the thread -- */

/* Adopts what the ui chose. */
static void adopt(struct ports *p, int side)
{
    char wanted[PORT_NAME_BYTES];
    pthread_mutex_lock(&p->lock);
    memcpy(wanted, p->news[side].wanted, sizeof wanted);
    pthread_mutex_unlock(&p->lock);
    if (!strcmp(wanted, p->wanted[side]) && is_open(p, side)) {
        tell(p, side, PORT_OPEN); /* a look follows, since the user chose */
        return;
    }
    memcpy(p->wanted[side], wanted, sizeof wanted);
    devices_close(&p->devices, side);
    p->devices.side[side].name[0] = '\0';
    p->looked_ms = -INFINITY;
    p->must_look = !wants_none(p, side);
    tell(p, side, wants_none(p, side) ? PORT_OFF : PORT_MISSING);
}

/* Returns when the next turn is due at the latest. */
static double next_turn_ms(const struct ports *p, double next_output_ms)
{
    double now = clock_now_ms(), next = now + FAR_MS;
    if (is_open(p, PORT_IN))
        next = now + READ_MS;
    else if (is_open(p, PORT_OUT))
        next = now + GONE_MS;
    if (any_missing(p))
        next = fmin(next, p->looked_ms + look_every_ms(p));
    return fmin(next, next_output_ms);
}

/* Does one turn. Returns when the next is due. */
static double turn(struct ports *p)
{
    double next_output_ms = INFINITY;
    for (int side = 0; side < PORT_SIDES; side++)
        if (atomic_exchange(&p->chose[side], false))
            adopt(p, side);
    if (is_open(p, PORT_OUT) && !devices_write(&p->devices, &next_output_ms))
        lose(p, PORT_OUT);
    if (is_open(p, PORT_IN)) {
        bool is_there = devices_read(&p->devices);
        if (p->devices.has_overflowed) {
            pthread_mutex_lock(&p->lock);
            p->news[PORT_IN].n_overflows++;
            pthread_mutex_unlock(&p->lock);
        }
        if (!is_there)
            lose(p, PORT_IN);
    }
    check_still_there(p);
    look_for_missing(p);
    return next_turn_ms(p, next_output_ms);
}

static void *run(void *ports)
{
    struct ports *p = ports;
    thread_come_first();
    while (!atomic_load(&p->quit)) {
        double next_ms = turn(p), whole = floor(next_ms / 1e3);
        struct timespec until = {(time_t)whole, (long)((next_ms - whole * 1e3) * 1e6)};
        bell_wait(p->wake, &until); /* one turn serves all rings of the bell */
    }
    for (int side = 0; side < PORT_SIDES; side++)
        devices_close(&p->devices, side);
    devices_end_list(&p->devices);
    return NULL;
}

/* -- the ui -- */

struct ports *ports_create(struct player *player, const char *input, const char *output)
{
    struct ports *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->devices = (struct ports_devices){.live = player_live(player),
                                        .output = player_output(player),
                                        .sync = player_sync(player)};
    p->wake = output_wake(p->devices.output);
    p->player = player;
    p->looked_ms = -INFINITY;
    pthread_mutex_init(&p->lock, NULL);
    snprintf(p->news[PORT_IN].wanted, PORT_NAME_BYTES, "%s", input);
    snprintf(p->news[PORT_OUT].wanted, PORT_NAME_BYTES, "%s", output);
    atomic_store(&p->chose[PORT_IN], true);
    atomic_store(&p->chose[PORT_OUT], true);
    if (thread_start(&p->thread, run, p))
        return p;
    pthread_mutex_destroy(&p->lock);
    free(p);
    return NULL;
}

void ports_destroy(struct ports *p)
{
    if (!p)
        return;
    atomic_store(&p->quit, true);
    bell_ring(p->wake);
    pthread_join(p->thread, NULL);
    pthread_mutex_destroy(&p->lock);
    free(p);
}

void ports_choose(struct ports *p, enum port_side side, const char *wanted)
{
    pthread_mutex_lock(&p->lock);
    snprintf(p->news[side].wanted, sizeof p->news[side].wanted, "%s", wanted);
    pthread_mutex_unlock(&p->lock);
    atomic_store(&p->chose[side], true);
    bell_ring(p->wake);
}

void ports_status(struct ports *p, enum port_side side, struct port_status *out)
{
    pthread_mutex_lock(&p->lock);
    *out = p->news[side];
    pthread_mutex_unlock(&p->lock);
}
