/* The thread of the ports, which alone calls PortMidi: first the devices, then the thread.
 *
 * PortMidi lists devices only when it starts, so it is restarted for each look. It does
 * not notice that a device of ALSA's sequencer is gone; but the kernel's list of
 * sequencer clients, if there is one, shows it. */
#include "midi/ports/ports.h"

#include "midi/base/clock.h"
#include "midi/transport/player.h"
#include "midi/base/thread.h"
#include "midi/base/hash.h"
#include "midi/transport/held_keys.h"
#include "midi/transport/live.h"
#include "midi/transport/output.h"
#include "midi/transport/sync.h"

#include <math.h>
#include <portmidi.h>
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
    N_BUFFERED = 8192,
    N_READ = 256,   /* events in one read */
    MOST_READS = 8, /* reads in one turn */
    FILTERED = PM_FILT_ACTIVE | PM_FILT_SYSEX | PM_FILT_UNDEFINED | PM_FILT_RESET |
               PM_FILT_TICK | PM_FILT_MTC | PM_FILT_SONG_SELECT | PM_FILT_TUNE,
};

/* The devices, and all calls of PortMidi. Starts zeroed, except for the first three. */
struct ports_devices {
    struct live *live; /* borrowed, as are the next two */
    struct output *output;
    struct sync *sync;

    bool is_on;      /* PortMidi is started */
    uint64_t listed; /* hash of what the kernel listed then */
    struct {
        PortMidiStream *stream;     /* NULL: none is open */
        bool is_listed;             /* the kernel listed it when it was opened */
        char name[PORT_NAME_BYTES]; /* the device that is or was open */
    } side[PORT_SIDES];

    struct held_keys held; /* on the keyboard */
    double fed_ms;         /* moment of the last message that was fed */
    double used_ms;        /* when a device was last read or written */
    bool has_overflowed;   /* in the latest read */
};

/* -- listing -- */

static bool is_of_side(const PmDeviceInfo *info, int side)
{
    return info && info->name && (side == PORT_IN ? info->input : info->output);
}

/* Returns the kernel's list of sequencer clients, or "" if there is none. */
static const char *kernel_list(void)
{
    static char text[32768];
    FILE *f = fopen("/proc/asound/seq/clients", "re");
    size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
    if (f)
        fclose(f);
    text[n] = '\0';
    return text;
}

static bool kernel_lists(const char *name)
{
    char quoted[PORT_NAME_BYTES + 2];
    snprintf(quoted, sizeof quoted, "\"%s\"", name);
    return strstr(kernel_list(), quoted);
}

/* Returns a hash of the names in that list, since the rest changes with every note; 0:
 * there is no list. */
static uint64_t kernel_sum(void)
{
    uint64_t sum = 0;
    for (const char *line = kernel_list(); *line;) {
        size_t n = strcspn(line, "\n");
        if (!strncmp(line, "Client", 6) && strchr(line, '"'))
            sum = hash_bytes(sum ? sum : HASH_START, line, n);
        line += n + (line[n] != '\0');
    }
    return sum;
}

/* Starts PortMidi anew; no device may be open. false: it cannot start. */
static bool devices_list(struct ports_devices *d)
{
    if (d->is_on)
        Pm_Terminate();
    d->is_on = Pm_Initialize() == pmNoError;
    d->listed = kernel_sum();
    return d->is_on;
}

/* Stops PortMidi unless a device is open. */
static void devices_end_list(struct ports_devices *d)
{
    if (d->is_on && !d->side[PORT_IN].stream && !d->side[PORT_OUT].stream) {
        Pm_Terminate();
        d->is_on = false;
    }
}

static int devices_names(int side, char names[][PORT_NAME_BYTES], int most)
{
    int n = 0;
    for (int i = 0; i < Pm_CountDevices() && n < most; i++) {
        const PmDeviceInfo *info = Pm_GetDeviceInfo(i);
        if (is_of_side(info, side))
            snprintf(names[n++], PORT_NAME_BYTES, "%s", info->name);
    }
    return n;
}

/* -- opening and closing -- */

/* PortMidi stamps events with this when it reads them. It wraps after 24 days. */
static PmTimestamp stamp(void *unused)
{
    (void)unused;
    return (PmTimestamp)(uint32_t)(uint64_t)clock_now_ms();
}

/* Opens the first listed device that matches. false: there is none, or it cannot be
 * opened. */
static bool devices_open(struct ports_devices *d, int side, const char *wanted)
{
    for (PmDeviceID id = 0; d->is_on && id < Pm_CountDevices(); id++) {
        const PmDeviceInfo *info = Pm_GetDeviceInfo(id);
        if (!is_of_side(info, side))
            continue;
        const bool fits = *wanted ? strcasestr(info->name, wanted) != NULL
                                  : !strcasestr(info->name, "through");
        if (!fits)
            continue;
        PortMidiStream *stream = NULL;
        const PmError e =
            side == PORT_IN
                ? Pm_OpenInput(&stream, id, NULL, N_BUFFERED, stamp, NULL)
                : Pm_OpenOutput(&stream, id, NULL, N_BUFFERED, NULL, NULL, 0);
        const bool is_open = e == pmNoError;
        if (is_open && side == PORT_IN)
            Pm_SetFilter(stream, FILTERED);
        snprintf(d->side[side].name, PORT_NAME_BYTES, "%s", info->name);
        d->side[side].stream = is_open ? stream : NULL;
        d->side[side].is_listed = kernel_lists(d->side[side].name);
        if (is_open && side == PORT_OUT)
            output_open(d->output);
        return is_open;
    }
    return false;
}

static void end_held(struct ports_devices *d)
{
    uint8_t message[3];
    d->fed_ms = fmax(clock_now_ms(), d->fed_ms);
    while (held_keys_end(&d->held, message))
        live_feed(d->live, d->fed_ms, message);
}

static bool send(void *devices, uint32_t message)
{
    struct ports_devices *d = devices;
    return Pm_WriteShort(d->side[PORT_OUT].stream, 0, (PmMessage)message) == pmNoError;
}

/* Ends what sounds on the device, and closes it. */
static void devices_close(struct ports_devices *d, int side)
{
    if (!d->side[side].stream)
        return;
    if (side == PORT_IN)
        end_held(d);
    else
        output_close(d->output, &(struct output_line){send, d});
    Pm_Close(d->side[side].stream);
    d->side[side].stream = NULL;
}

static bool devices_still_there(const struct ports_devices *d, int side)
{
    return !Pm_HasHostError(d->side[side].stream) &&
           (!d->side[side].is_listed || kernel_lists(d->side[side].name));
}

/* -- reading -- */

/* Returns the moment of a recent stamp: the middle of its millisecond. */
static double moment_of(PmTimestamp t)
{
    double now = clock_now_ms();
    uint32_t ago = (uint32_t)(uint64_t)now - (uint32_t)t;
    return ago < 10000 ? fmin(floor(now) - ago + 0.5, now) : now;
}

/* PortMidi makes a stamp from two clocks that it reads one after the other, ALSA's and
 * ours. If the thread had to wait in between, a stamp is late; it is never early. So no
 * event is taken to be later than the next one, or earlier than those already fed. */
static void find_moments(struct ports_devices *d, const PmEvent *events, int n,
                         double *ms)
{
    double after = clock_now_ms();
    for (int i = n; i-- > 0;)
        after = ms[i] = fmin(moment_of(events[i].timestamp), after);
    for (int i = 0; i < n; i++)
        d->fed_ms = ms[i] = fmax(ms[i], d->fed_ms);
}

static void feed(struct ports_devices *d, const PmEvent *e, double ms)
{
    uint32_t m = (uint32_t)e->message;
    const uint8_t message[3] = {(uint8_t)m, (uint8_t)(m >> 8), (uint8_t)(m >> 16)};
    if (message[0] >= 0xf0) { /* a follower can miss a few clocks */
        sync_feed(d->sync,
                  &(struct sync_message){ms, message[0], message[1], message[2]});
        return;
    }
    d->used_ms = ms;
    held_keys_follow(&d->held, message);
    live_feed(d->live, ms, message);
}

/* Reads new messages. After an overflow, releases of held keys may be missing. false:
 * the device is gone. */
static bool devices_read(struct ports_devices *d)
{
    PmEvent events[N_READ];
    double ms[N_READ];
    d->has_overflowed = false;
    for (int turn = 0; turn < MOST_READS; turn++) {
        int n = Pm_Read(d->side[PORT_IN].stream, events, N_READ);
        find_moments(d, events, n, ms);
        for (int i = 0; i < n; i++)
            feed(d, &events[i], ms[i]);
        if (n == pmBufferOverflow) {
            d->has_overflowed = true;
            end_held(d);
        } else if (n < 0) {
            return false;
        }
        if (n >= 0 && n < N_READ)
            return !Pm_HasHostError(d->side[PORT_IN].stream);
    }
    return true; /* an endless stream must not hold up the rest */
}

static bool send_and_note(void *devices, uint32_t message)
{
    struct ports_devices *d = devices;
    d->used_ms = clock_now_ms();
    return send(d, message);
}

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

static void publish_port(struct ports *p, int side, enum port_state state)
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

static void publish_devices(struct ports *p)
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
        publish_devices(p);
        p->any_seen |= Pm_CountDevices() > 0;
    }
    for (int side = 0; side < PORT_SIDES; side++) {
        bool opened =
            is_missing(p, side) && devices_open(&p->devices, side, p->wanted[side]);
        if (opened != was[side])
            publish_port(p, side, opened ? PORT_OPEN : PORT_LOST);
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
        ((!p->devices.listed || kernel_sum() != p->devices.listed) &&
         clock_now_ms() - p->devices.used_ms > QUIET_MS))
        look(p);
    else
        p->looked_ms = clock_now_ms() - LOOK_MS + GONE_MS; /* look again soon */
}

static void lose(struct ports *p, int side)
{
    devices_close(&p->devices, side);
    publish_port(p, side, PORT_LOST);
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
        publish_port(p, side, PORT_OPEN); /* a look follows, since the user chose */
        return;
    }
    memcpy(p->wanted[side], wanted, sizeof wanted);
    devices_close(&p->devices, side);
    p->devices.side[side].name[0] = '\0';
    p->looked_ms = -INFINITY;
    p->must_look = !wants_none(p, side);
    publish_port(p, side, wants_none(p, side) ? PORT_OFF : PORT_MISSING);
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
    const struct output_line line = {send_and_note, &p->devices};
    if (is_open(p, PORT_OUT) && !output_pass(p->devices.output, &line, &next_output_ms))
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

/* -- listing without ports -- */

bool ports_list(struct midi_device *out, int most, int *n)
{
    *n = 0;
    if (Pm_Initialize() != pmNoError)
        return false;
    for (int i = 0; i < Pm_CountDevices() && *n < most; i++) {
        const PmDeviceInfo *info = Pm_GetDeviceInfo(i);
        if (!info)
            continue;
        struct midi_device *d = &out[(*n)++];
        *d = (struct midi_device){.is_input = info->input, .is_output = info->output};
        snprintf(d->name, sizeof d->name, "%s", info->name);
        snprintf(d->interface, sizeof d->interface, "%s", info->interf);
    }
    Pm_Terminate();
    return true;
}
