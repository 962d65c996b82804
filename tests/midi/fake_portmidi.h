/* A PortMidi in place of the library: devices are plugged, events are played on them, and what
 * is sent to them is seen, with its moment. A test has it inside, or the whole program gets it
 * as a library that follows a script (tests/midi/ports/stand_in_portmidi.c). Only what the
 * program calls is here, with the meanings of portmidi.h (PortMidi 217). Any thread. */
#ifndef TESTS_MIDI_FAKE_PORTMIDI_H
#define TESTS_MIDI_FAKE_PORTMIDI_H

#include <portmidi.h>

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#pragma GCC diagnostic ignored "-Wunused-parameter"

enum { FAKE_DEVICES = 4, FAKE_EVENTS = 65536 };

static pthread_mutex_t fake_lock = PTHREAD_MUTEX_INITIALIZER;

static inline void fake_release(pthread_mutex_t **lock)
{
    pthread_mutex_unlock(*lock);
}

/* Holds the lock to the end of the function. */
#define FAKE_HOLD                                                                      \
    __attribute__((cleanup(fake_release))) pthread_mutex_t *held = &fake_lock;         \
    pthread_mutex_lock(held)

static struct fake_device {
    char name[64];
    bool is_there, is_gone; /* is_gone: unplugged since it was opened */
    bool is_listed;         /* by the last Pm_Initialize */
    bool is_open;
    PmDeviceInfo info;
} fake_devices[FAKE_DEVICES];
static bool fake_is_on;
static PmEvent fake_played[FAKE_EVENTS];
static int fake_n_played, fake_n_read;
static int fake_n_reads;         /* calls of Pm_Read */
static int fake_n_buffer;        /* as many may wait as the reader asked for */
static PmTimeProcPtr fake_clock; /* the reader's */
static bool fake_is_endless;     /* repeats what was played */
static struct fake_sent {
    double ms; /* of CLOCK_MONOTONIC */
    uint32_t message;
} fake_sent[FAKE_EVENTS];
static int fake_n_sent;

/* Called with the lock held: before PortMidi says or reads anything, and after a device was
 * sent something. */
static void (*fake_before)(void), (*fake_after)(const struct fake_sent *s);

static inline double fake_now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* -- the test's -- */

static inline void fake_plug(int i, const char *name, bool is_input)
{
    FAKE_HOLD;
    struct fake_device *d = &fake_devices[i];
    snprintf(d->name, sizeof d->name, "%s", name);
    d->is_there = true;
    d->info = (PmDeviceInfo){1, "fake", d->name, is_input, !is_input, 0};
}

/* Out, or in again. With the lock held. */
static inline void fake_set_there(int i, bool is_there)
{
    fake_devices[i].is_there = is_there;
    fake_devices[i].is_gone |= !is_there;
}

static inline void fake_unplug(int i)
{
    FAKE_HOLD;
    fake_set_there(i, false);
}

static inline void fake_replug(int i)
{
    FAKE_HOLD;
    fake_set_there(i, true);
}

static inline void fake_put(PmEvent e)
{
    if (fake_n_played < FAKE_EVENTS)
        fake_played[fake_n_played++] = e;
}

/* Plays n events at once, with PortMidi's stamps: milliseconds of clock_now_ms. */
static inline void fake_play(const PmEvent *events, int n)
{
    FAKE_HOLD;
    for (int i = 0; i < n; i++)
        fake_put(events[i]);
}

static inline int fake_count_sent(void)
{
    FAKE_HOLD;
    return fake_n_sent;
}

static inline int fake_count_reads(void)
{
    FAKE_HOLD;
    return fake_n_reads;
}

/* Unplugs all devices; forgets what was played and sent. */
static inline void fake_reset(void)
{
    FAKE_HOLD;
    memset(fake_devices, 0, sizeof fake_devices);
    fake_n_played = fake_n_read = fake_n_sent = 0;
    fake_is_on = fake_is_endless = false;
}

static inline void fake_go_on_for_ever(void)
{
    FAKE_HOLD;
    fake_is_endless = true;
}

/* -- PortMidi's -- */

static void fake_prepare(void)
{
    if (fake_before)
        fake_before();
}

PmError Pm_Initialize(void)
{
    FAKE_HOLD;
    fake_prepare();
    for (int i = 0; i < FAKE_DEVICES && !fake_is_on; i++)
        fake_devices[i].is_listed = fake_devices[i].is_there;
    fake_is_on = true;
    return pmNoError;
}

PmError Pm_Terminate(void)
{
    FAKE_HOLD;
    fake_is_on = false;
    for (int i = 0; i < FAKE_DEVICES; i++)
        fake_devices[i].is_open = false;
    return pmNoError;
}

int Pm_CountDevices(void)
{
    int n = 0;
    FAKE_HOLD;
    for (int i = 0; i < FAKE_DEVICES; i++)
        n = fake_devices[i].is_listed ? i + 1 : n;
    return n;
}

const PmDeviceInfo *Pm_GetDeviceInfo(PmDeviceID id)
{
    FAKE_HOLD;
    return id >= 0 && id < FAKE_DEVICES && fake_devices[id].is_listed
               ? &fake_devices[id].info
               : NULL;
}

static PmError fake_open(PortMidiStream **stream, PmDeviceID id, bool is_input)
{
    struct fake_device *d = &fake_devices[id];
    if (!d->is_listed || d->info.input != is_input)
        return pmInvalidDeviceId;
    d->is_open = true;
    d->is_gone = !d->is_there;
    *stream = d;
    fake_prepare();
    return pmNoError;
}

PmError Pm_OpenInput(PortMidiStream **stream, PmDeviceID id, void *driver, int32_t size,
                     PmTimeProcPtr proc, void *info)
{
    FAKE_HOLD;
    fake_clock = proc;
    fake_n_buffer = size;
    return fake_open(stream, id, true);
}

/* No latency: what is written is sent at once. */
PmError Pm_OpenOutput(PortMidiStream **stream, PmDeviceID id, void *driver,
                      int32_t size, PmTimeProcPtr proc, void *info, int32_t latency)
{
    FAKE_HOLD;
    return latency ? pmInvalidDeviceId : fake_open(stream, id, false);
}

PmError Pm_SetFilter(PortMidiStream *stream, int32_t filters)
{
    return pmNoError;
}

PmError Pm_Close(PortMidiStream *stream)
{
    FAKE_HOLD;
    ((struct fake_device *)stream)->is_open = false;
    return pmNoError;
}

int Pm_HasHostError(PortMidiStream *stream)
{
    FAKE_HOLD;
    fake_prepare();
    return ((struct fake_device *)stream)->is_gone;
}

/* What overflows is flushed, and that is told once. */
int Pm_Read(PortMidiStream *stream, PmEvent *buffer, int32_t length)
{
    FAKE_HOLD;
    fake_prepare();
    fake_n_reads++;
    if (!((struct fake_device *)stream)->is_open)
        return pmBadPtr;
    if (fake_n_played - fake_n_read > fake_n_buffer) {
        fake_n_read = fake_n_played;
        return pmBufferOverflow;
    }
    int n = 0;
    for (; n < length && fake_n_read < fake_n_played; n++) {
        buffer[n] = fake_played[fake_n_read++];
        if (fake_is_endless)
            fake_n_read %= fake_n_played;
    }
    return n;
}

PmError Pm_WriteShort(PortMidiStream *stream, PmTimestamp when, PmMessage message)
{
    FAKE_HOLD;
    fake_prepare();
    const struct fake_device *d = stream;
    if (!d->is_open || d->is_gone)
        return pmHostError;
    const struct fake_sent s = {fake_now_ms(), (uint32_t)message & 0xffffff};
    if (fake_n_sent < FAKE_EVENTS)
        fake_sent[fake_n_sent++] = s;
    if (fake_after)
        fake_after(&s);
    return pmNoError;
}

#endif
