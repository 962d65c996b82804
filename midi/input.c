/* The input's thread. See input.h.
 *
 * PortMidi lists devices when it is started, and only then, so it is started anew for each
 * look; and it does not say that a keyboard of ALSA's sequencer has gone. The kernel's own
 * list of the sequencer's clients does, where there is one. */
#include "midi/input.h"

#include "midi/held_keys.h"
#include "midi/live.h"
#include "midi/thread.h"

#include <portmidi.h>

#include <math.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    READ_MS = 1,      /* between looks at an open device, */
    LOOK_MS = 2000,   /* for one that is missing, */
    GONE_MS = 500,    /* whether an open one is still there, */
    RARE_MS = 10000,  /* where no MIDI device was ever seen, and none is named, */
    FAR_MS = 3600000, /* for nothing */
    N_BUFFERED = 8192,
    N_READ = 256, /* at a time */
};

struct input {
    /* Constant once the thread runs. */
    pthread_t thread;
    struct live *live;

    sem_t wake;              /* the ui posts */
    atomic_bool quit, chose; /* the ui sets */

    pthread_mutex_t lock; /* guards what follows: the ui chooses, the thread tells */
    struct input_news news;

    /* The thread only. */
    PortMidiStream *stream;
    bool is_listed; /* the kernel listed it when it was opened */
    char name[INPUT_NAME_BYTES], wanted[INPUT_NAME_BYTES];
    struct held_keys held;
    double fed_ms; /* the moment of what was fed last */
    double looked_ms;
    bool any_seen; /* MIDI device, of whatever kind */
};

/* PortMidi stamps events with this as it reads them. It wraps after 24 days. */
static PmTimestamp stamp(void *unused)
{
    (void)unused;
    return (PmTimestamp)(uint32_t)(uint64_t)live_now();
}

/* The moment of a stamp, which is a little while ago: the middle of that millisecond. */
static double moment_of(PmTimestamp t)
{
    double now = live_now();
    uint32_t ago = (uint32_t)(uint64_t)now - (uint32_t)t;
    return ago < 10000 ? fmin(floor(now) - ago + 0.5, now) : now;
}

/* -- what the ui is told -- */

static void tell(struct input *in, enum input_state state)
{
    pthread_mutex_lock(&in->lock);
    if (in->news.state != state || state == INPUT_OPEN)
        in->news.n_changes++;
    in->news.state = state;
    snprintf(in->news.name, sizeof in->news.name, "%s", in->name);
    pthread_mutex_unlock(&in->lock);
}

static void tell_devices(struct input *in)
{
    pthread_mutex_lock(&in->lock);
    in->news.n_devices = 0;
    for (int i = 0; i < Pm_CountDevices(); i++) {
        const PmDeviceInfo *d = Pm_GetDeviceInfo(i);
        if (d && d->input && in->news.n_devices < INPUT_MAX_DEVICES)
            snprintf(in->news.devices[in->news.n_devices++], INPUT_NAME_BYTES, "%s",
                     d->name);
    }
    pthread_mutex_unlock(&in->lock);
}

/* -- opening and losing -- */

static bool is_wanted(const char *wanted, const char *name)
{
    return *wanted ? strcasestr(name, wanted) != NULL : !strcasestr(name, "through");
}

/* -1: there is none. */
static PmDeviceID find_device(const char *wanted)
{
    for (int i = 0; i < Pm_CountDevices(); i++) {
        const PmDeviceInfo *d = Pm_GetDeviceInfo(i);
        if (d && d->input && d->name && is_wanted(wanted, d->name))
            return i;
    }
    return pmNoDevice;
}

/* Whether the kernel's list of what its sequencer connects has that name; false, too, where
 * there is no such list. */
static bool kernel_lists(const char *name)
{
    static char text[32768];
    char quoted[INPUT_NAME_BYTES + 2];
    FILE *f = fopen("/proc/asound/seq/clients", "re");
    if (!f)
        return false;
    size_t n = fread(text, 1, sizeof text - 1, f);
    fclose(f);
    text[n] = '\0';
    snprintf(quoted, sizeof quoted, "\"%s\"", name);
    return strstr(text, quoted);
}

static bool open_device(struct input *in, PmDeviceID id)
{
    const PmDeviceInfo *d = Pm_GetDeviceInfo(id);
    snprintf(in->name, sizeof in->name, "%s", d->name);
    if (Pm_OpenInput(&in->stream, id, NULL, N_BUFFERED, stamp, NULL) != pmNoError) {
        in->stream = NULL;
        return false;
    }
    Pm_SetFilter(in->stream, PM_FILT_REALTIME | PM_FILT_SYSTEMCOMMON);
    in->is_listed = kernel_lists(in->name);
    return true;
}

/* Leaves PortMidi running only if a device is open. */
static bool look(struct input *in)
{
    in->looked_ms = live_now();
    if (Pm_Initialize() != pmNoError)
        return false;
    tell_devices(in);
    in->any_seen |= Pm_CountDevices() > 0;
    PmDeviceID id = find_device(in->wanted);
    if (id != pmNoDevice && open_device(in, id))
        return true;
    Pm_Terminate();
    return false;
}

static void end_held(struct input *in)
{
    uint8_t message[3];
    in->fed_ms = fmax(live_now(), in->fed_ms);
    while (held_keys_end(&in->held, message))
        live_feed(in->live, in->fed_ms, message);
}

static void close_device(struct input *in)
{
    if (!in->stream)
        return;
    end_held(in);
    Pm_Close(in->stream);
    Pm_Terminate();
    in->stream = NULL;
}

/* -- reading -- */

/* A stamp is made of two clocks that PortMidi reads one after the other, ALSA's and ours: it
 * is late where the thread had to wait in between, and never early. So nothing is later than
 * what came after it; and what has been fed already stays before the rest. */
static void find_moments(struct input *in, const PmEvent *events, int n, double *ms)
{
    double after = live_now();
    for (int i = n; i-- > 0;)
        after = ms[i] = fmin(moment_of(events[i].timestamp), after);
    for (int i = 0; i < n; i++)
        in->fed_ms = ms[i] = fmax(ms[i], in->fed_ms);
}

static void feed(struct input *in, const PmEvent *e, double ms)
{
    uint32_t m = (uint32_t)e->message;
    const uint8_t message[3] = {(uint8_t)m, (uint8_t)(m >> 8), (uint8_t)(m >> 16)};
    held_keys_follow(&in->held, message);
    live_feed(in->live, ms, message);
}

static void count_overflow(struct input *in)
{
    pthread_mutex_lock(&in->lock);
    in->news.n_overflows++;
    pthread_mutex_unlock(&in->lock);
}

/* What has come; false: the device has gone. An overflow is counted, and what was held may
 * never be told to end. */
static bool read_device(struct input *in)
{
    PmEvent events[N_READ];
    double ms[N_READ];
    for (;;) {
        int n = Pm_Read(in->stream, events, N_READ);
        find_moments(in, events, n, ms);
        for (int i = 0; i < n; i++)
            feed(in, &events[i], ms[i]);
        if (n == pmBufferOverflow) {
            count_overflow(in);
            end_held(in);
        } else if (n < 0) {
            return false;
        }
        if (n >= 0 && n < N_READ)
            return !Pm_HasHostError(in->stream);
    }
}

static bool is_there(struct input *in)
{
    if (!read_device(in))
        return false;
    double now = live_now();
    if (!in->is_listed || now - in->looked_ms < GONE_MS)
        return true;
    in->looked_ms = now;
    return kernel_lists(in->name);
}

/* -- the thread -- */

static bool wants_none(const struct input *in)
{
    return !strcmp(in->wanted, "none");
}

static void adopt_choice(struct input *in)
{
    if (!atomic_exchange(&in->chose, false))
        return;
    close_device(in);
    pthread_mutex_lock(&in->lock);
    memcpy(in->wanted, in->news.wanted, sizeof in->wanted);
    pthread_mutex_unlock(&in->lock);
    in->name[0] = '\0';
    tell(in, wants_none(in) ? INPUT_OFF : INPUT_MISSING);
}

static void wait_ms(struct input *in, int ms)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    long ns = until.tv_nsec + ms % 1000 * 1000000L;
    until.tv_sec += ms / 1000 + ns / 1000000000L;
    until.tv_nsec = ns % 1000000000L;
    sem_clockwait(&in->wake, CLOCK_MONOTONIC, &until);
}

/* One turn; returns how long to wait before the next, in milliseconds. */
static int turn(struct input *in)
{
    adopt_choice(in);
    if (wants_none(in))
        return FAR_MS;
    if (in->stream) {
        if (is_there(in))
            return READ_MS;
        close_device(in);
        tell(in, INPUT_LOST);
    }
    if (!look(in)) /* each look without a MIDI system at all is a line in the log */
        return in->any_seen || *in->wanted ? LOOK_MS : RARE_MS;
    tell(in, INPUT_OPEN);
    return READ_MS;
}

static void *run(void *input)
{
    struct input *in = input;
    while (!atomic_load(&in->quit))
        wait_ms(in, turn(in));
    close_device(in);
    return NULL;
}

/* -- the ui -- */

struct input *input_create(struct live *live, const char *wanted)
{
    struct input *in = calloc(1, sizeof *in);
    if (!in)
        return NULL;
    in->live = live;
    sem_init(&in->wake, 0, 0);
    pthread_mutex_init(&in->lock, NULL);
    snprintf(in->news.wanted, sizeof in->news.wanted, "%s", wanted);
    atomic_store(&in->chose, true);
    if (thread_start(&in->thread, run, in))
        return in;
    pthread_mutex_destroy(&in->lock);
    sem_destroy(&in->wake);
    free(in);
    return NULL;
}

void input_destroy(struct input *in)
{
    if (!in)
        return;
    atomic_store(&in->quit, true);
    sem_post(&in->wake);
    pthread_join(in->thread, NULL);
    pthread_mutex_destroy(&in->lock);
    sem_destroy(&in->wake);
    free(in);
}

void input_choose(struct input *in, const char *wanted)
{
    pthread_mutex_lock(&in->lock);
    snprintf(in->news.wanted, sizeof in->news.wanted, "%s", wanted);
    pthread_mutex_unlock(&in->lock);
    atomic_store(&in->chose, true);
    sem_post(&in->wake);
}

void input_news(struct input *in, struct input_news *out)
{
    pthread_mutex_lock(&in->lock);
    *out = in->news;
    pthread_mutex_unlock(&in->lock);
}

bool input_list(struct midi_device *out, int most, int *n)
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
