#include "midi/ports/ports_device.h"

#include "midi/base/clock.h"
#include "midi/base/hash.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    N_BUFFERED = 8192,
    N_READ = 256,   /* events in one read */
    MOST_READS = 8, /* reads in one turn */
    FILTERED = PM_FILT_ACTIVE | PM_FILT_SYSEX | PM_FILT_UNDEFINED | PM_FILT_RESET |
               PM_FILT_TICK | PM_FILT_MTC | PM_FILT_SONG_SELECT | PM_FILT_TUNE,
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

bool devices_list(struct ports_devices *d)
{
    if (d->is_on)
        Pm_Terminate();
    d->is_on = Pm_Initialize() == pmNoError;
    d->listed = kernel_sum();
    return d->is_on;
}

void devices_end_list(struct ports_devices *d)
{
    if (d->is_on && !d->side[PORT_IN].stream && !d->side[PORT_OUT].stream) {
        Pm_Terminate();
        d->is_on = false;
    }
}

bool devices_any(void)
{
    return Pm_CountDevices() > 0;
}

int devices_names(int side, char names[][PORT_NAME_BYTES], int most)
{
    int n = 0;
    for (int i = 0; i < Pm_CountDevices() && n < most; i++) {
        const PmDeviceInfo *info = Pm_GetDeviceInfo(i);
        if (is_of_side(info, side))
            snprintf(names[n++], PORT_NAME_BYTES, "%s", info->name);
    }
    return n;
}

bool devices_are_others(const struct ports_devices *d)
{
    return !d->listed || kernel_sum() != d->listed;
}

/* -- opening and closing -- */

/* PortMidi stamps events with this when it reads them. It wraps after 24 days. */
static PmTimestamp stamp(void *unused)
{
    (void)unused;
    return (PmTimestamp)(uint32_t)(uint64_t)clock_now_ms();
}

static bool open_device(struct ports_devices *d, int side, PmDeviceID id)
{
    PortMidiStream *stream = NULL;
    PmError e = side == PORT_IN
                    ? Pm_OpenInput(&stream, id, NULL, N_BUFFERED, stamp, NULL)
                    : Pm_OpenOutput(&stream, id, NULL, N_BUFFERED, NULL, NULL, 0);
    bool is_open = e == pmNoError;
    if (is_open && side == PORT_IN)
        Pm_SetFilter(stream, FILTERED);
    snprintf(d->side[side].name, PORT_NAME_BYTES, "%s", Pm_GetDeviceInfo(id)->name);
    d->side[side].stream = is_open ? stream : NULL;
    d->side[side].is_listed = kernel_lists(d->side[side].name);
    if (is_open && side == PORT_OUT)
        output_open(d->output);
    return is_open;
}

bool devices_open(struct ports_devices *d, int side, const char *wanted)
{
    for (int i = 0; d->is_on && i < Pm_CountDevices(); i++) {
        const PmDeviceInfo *info = Pm_GetDeviceInfo(i);
        if (is_of_side(info, side) && (*wanted ? strcasestr(info->name, wanted) != NULL
                                               : !strcasestr(info->name, "through")))
            return open_device(d, side, i);
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

void devices_close(struct ports_devices *d, int side)
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

bool devices_still_there(const struct ports_devices *d, int side)
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

/* Reads new messages. After an overflow, releases of held keys may be missing. */
bool devices_read(struct ports_devices *d)
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

/* -- writing -- */

static bool send_and_note(void *devices, uint32_t message)
{
    struct ports_devices *d = devices;
    d->used_ms = clock_now_ms();
    return send(d, message);
}

bool devices_write(struct ports_devices *d, double *next_ms)
{
    return output_pass(d->output, &(struct output_line){send_and_note, d}, next_ms);
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
