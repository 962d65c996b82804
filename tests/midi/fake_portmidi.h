/* A PortMidi inside the test, instead of the library: the test plugs devices, plays
 * on them, and sees what was sent and when. Any thread. */
#ifndef TESTS_MIDI_FAKE_PORTMIDI_H
#define TESTS_MIDI_FAKE_PORTMIDI_H

#include "tests/check.h"
#include "midi/base/clock.h"
#include "midi/transport/live.h"

#include <portmidi.h>

#include <pthread.h>

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
    bool is_input, is_there, is_gone; /* is_gone: unplugged since it was opened */
    bool is_listed;                   /* by the last Pm_Initialize */
    bool is_open;
    PmDeviceInfo info;
} fake_devices[FAKE_DEVICES];
static bool fake_is_on;
static PmEvent fake_played[FAKE_EVENTS];
static int fake_n_played, fake_n_read;
static bool fake_is_endless; /* repeats what was played */
static struct fake_sent {
    double ms;
    uint32_t message;
} fake_sent[FAKE_EVENTS];
static int fake_n_sent;

/* -- the test's -- */

static inline void fake_plug(int i, const char *name, bool is_input)
{
    FAKE_HOLD;
    struct fake_device *d = &fake_devices[i];
    snprintf(d->name, sizeof d->name, "%s", name);
    d->is_input = is_input;
    d->is_there = true;
    d->info = (PmDeviceInfo){1, "fake", d->name, is_input, !is_input, 0};
}

static inline void fake_unplug(int i)
{
    FAKE_HOLD;
    fake_devices[i].is_there = false;
    fake_devices[i].is_gone = true;
}

static inline void fake_replug(int i)
{
    FAKE_HOLD;
    fake_devices[i].is_there = true;
}

/* Plays n events at once, with PortMidi's stamps: milliseconds of clock_now_ms. */
static inline void fake_play(const PmEvent *events, int n)
{
    FAKE_HOLD;
    for (int i = 0; i < n && fake_n_played < FAKE_EVENTS; i++)
        fake_played[fake_n_played++] = events[i];
}

static inline int fake_count_sent(void)
{
    FAKE_HOLD;
    return fake_n_sent;
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

PmError Pm_Initialize(void)
{
    FAKE_HOLD;
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
    return FAKE_DEVICES;
}

const PmDeviceInfo *Pm_GetDeviceInfo(PmDeviceID id)
{
    FAKE_HOLD;
    return id >= 0 && id < FAKE_DEVICES && fake_devices[id].is_listed
               ? &fake_devices[id].info
               : NULL;
}

static PmError fake_open(PortMidiStream **stream, PmDeviceID id)
{
    FAKE_HOLD;
    fake_devices[id].is_open = true;
    fake_devices[id].is_gone = !fake_devices[id].is_there;
    *stream = &fake_devices[id];
    return pmNoError;
}

PmError Pm_OpenInput(PortMidiStream **stream, PmDeviceID id, void *driver, int32_t size,
                     PmTimeProcPtr proc, void *info)
{
    return fake_open(stream, id);
}

PmError Pm_OpenOutput(PortMidiStream **stream, PmDeviceID id, void *driver,
                      int32_t size, PmTimeProcPtr proc, void *info, int32_t latency)
{
    assert_int_equal(latency, 0); /* no latency: sent when written */
    return fake_open(stream, id);
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
    return ((struct fake_device *)stream)->is_gone;
}

int Pm_Read(PortMidiStream *stream, PmEvent *buffer, int32_t length)
{
    int n = 0;
    FAKE_HOLD;
    if (!((struct fake_device *)stream)->is_open)
        n = pmBadPtr;
    for (; n >= 0 && n < length && fake_n_read < fake_n_played; n++) {
        buffer[n] = fake_played[fake_n_read++];
        if (fake_is_endless)
            fake_n_read %= fake_n_played;
    }
    return n;
}

PmError Pm_WriteShort(PortMidiStream *stream, PmTimestamp when, PmMessage message)
{
    FAKE_HOLD;
    const struct fake_device *d = stream;
    bool ok = d->is_open && !d->is_gone;
    if (ok && fake_n_sent < FAKE_EVENTS)
        fake_sent[fake_n_sent++] =
            (struct fake_sent){clock_now_ms(), (uint32_t)message & 0xffffff};
    return ok ? pmNoError : pmHostError;
}

#endif
