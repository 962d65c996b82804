/* PortMidi in the test's own program, in the place of the library: devices that the test
 * plugs, what is played on them, and what was sent to them with the moment of it. Any
 * thread. Include cmocka.h before it. */
#ifndef TESTS_MIDI_FAKE_PORTMIDI_H
#define TESTS_MIDI_FAKE_PORTMIDI_H

#include "midi/transport/live.h"

#include <portmidi.h>

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { FAKE_DEVICES = 4, FAKE_EVENTS = 65536 };

static pthread_mutex_t fake_lock = PTHREAD_MUTEX_INITIALIZER;
static struct fake_device {
    char name[64];
    bool is_input, is_there, is_gone; /* is_gone: since it was opened */
    bool is_listed;                   /* by the latest Pm_Initialize */
    bool is_open;
    PmDeviceInfo info;
} fake_devices[FAKE_DEVICES];
static bool fake_is_on;
static PmEvent fake_played[FAKE_EVENTS];
static int fake_n_played, fake_n_read;
static bool fake_is_endless; /* what was played comes again and again */
static struct fake_sent {
    double ms;
    uint32_t message;
} fake_sent[FAKE_EVENTS];
static int fake_n_sent;

/* -- the test's -- */

static inline void fake_plug(int i, const char *name, bool is_input)
{
    pthread_mutex_lock(&fake_lock);
    struct fake_device *d = &fake_devices[i];
    snprintf(d->name, sizeof d->name, "%s", name);
    d->is_input = is_input;
    d->is_there = true;
    d->info = (PmDeviceInfo){1, "fake", d->name, is_input, !is_input, 0};
    pthread_mutex_unlock(&fake_lock);
}

static inline void fake_unplug(int i)
{
    pthread_mutex_lock(&fake_lock);
    fake_devices[i].is_there = false;
    fake_devices[i].is_gone = true;
    pthread_mutex_unlock(&fake_lock);
}

static inline void fake_replug(int i)
{
    pthread_mutex_lock(&fake_lock);
    fake_devices[i].is_there = true;
    pthread_mutex_unlock(&fake_lock);
}

/* n of them at once, as PortMidi stamps: milliseconds of live_now. */
static inline void fake_play(const PmEvent *events, int n)
{
    pthread_mutex_lock(&fake_lock);
    for (int i = 0; i < n && fake_n_played < FAKE_EVENTS; i++)
        fake_played[fake_n_played++] = events[i];
    pthread_mutex_unlock(&fake_lock);
}

static inline int fake_count_sent(void)
{
    pthread_mutex_lock(&fake_lock);
    int n = fake_n_sent;
    pthread_mutex_unlock(&fake_lock);
    return n;
}

/* Nothing was played or sent, nothing is plugged. */
static inline void fake_reset(void)
{
    pthread_mutex_lock(&fake_lock);
    memset(fake_devices, 0, sizeof fake_devices);
    fake_n_played = fake_n_read = fake_n_sent = 0;
    fake_is_on = fake_is_endless = false;
    pthread_mutex_unlock(&fake_lock);
}

static inline void fake_go_on_for_ever(void)
{
    pthread_mutex_lock(&fake_lock);
    fake_is_endless = true;
    pthread_mutex_unlock(&fake_lock);
}

/* -- PortMidi's -- */

PmError Pm_Initialize(void)
{
    pthread_mutex_lock(&fake_lock);
    for (int i = 0; i < FAKE_DEVICES && !fake_is_on; i++)
        fake_devices[i].is_listed = fake_devices[i].is_there;
    fake_is_on = true;
    pthread_mutex_unlock(&fake_lock);
    return pmNoError;
}

PmError Pm_Terminate(void)
{
    pthread_mutex_lock(&fake_lock);
    fake_is_on = false;
    for (int i = 0; i < FAKE_DEVICES; i++)
        fake_devices[i].is_open = false;
    pthread_mutex_unlock(&fake_lock);
    return pmNoError;
}

int Pm_CountDevices(void)
{
    return FAKE_DEVICES;
}

const PmDeviceInfo *Pm_GetDeviceInfo(PmDeviceID id)
{
    pthread_mutex_lock(&fake_lock);
    bool is_known = id >= 0 && id < FAKE_DEVICES && fake_devices[id].is_listed;
    pthread_mutex_unlock(&fake_lock);
    return is_known ? &fake_devices[id].info : NULL;
}

static PmError fake_open(PortMidiStream **stream, PmDeviceID id)
{
    pthread_mutex_lock(&fake_lock);
    fake_devices[id].is_open = true;
    fake_devices[id].is_gone = !fake_devices[id].is_there;
    *stream = &fake_devices[id];
    pthread_mutex_unlock(&fake_lock);
    return pmNoError;
}

PmError Pm_OpenInput(PortMidiStream **stream, PmDeviceID id, void *driver, int32_t size,
                     PmTimeProcPtr proc, void *info)
{
    (void)driver, (void)size, (void)proc, (void)info;
    return fake_open(stream, id);
}

PmError Pm_OpenOutput(PortMidiStream **stream, PmDeviceID id, void *driver,
                      int32_t size, PmTimeProcPtr proc, void *info, int32_t latency)
{
    (void)driver, (void)size, (void)proc, (void)info;
    assert_int_equal(latency, 0); /* it is sent when it is written */
    return fake_open(stream, id);
}

PmError Pm_SetFilter(PortMidiStream *stream, int32_t filters)
{
    (void)stream, (void)filters;
    return pmNoError;
}

PmError Pm_Close(PortMidiStream *stream)
{
    pthread_mutex_lock(&fake_lock);
    ((struct fake_device *)stream)->is_open = false;
    pthread_mutex_unlock(&fake_lock);
    return pmNoError;
}

int Pm_HasHostError(PortMidiStream *stream)
{
    pthread_mutex_lock(&fake_lock);
    bool is_gone = ((struct fake_device *)stream)->is_gone;
    pthread_mutex_unlock(&fake_lock);
    return is_gone;
}

int Pm_Read(PortMidiStream *stream, PmEvent *buffer, int32_t length)
{
    int n = 0;
    pthread_mutex_lock(&fake_lock);
    if (!((struct fake_device *)stream)->is_open)
        n = pmBadPtr;
    for (; n >= 0 && n < length && fake_n_read < fake_n_played; n++) {
        buffer[n] = fake_played[fake_n_read++];
        if (fake_is_endless)
            fake_n_read %= fake_n_played;
    }
    pthread_mutex_unlock(&fake_lock);
    return n;
}

PmError Pm_WriteShort(PortMidiStream *stream, PmTimestamp when, PmMessage message)
{
    (void)when;
    pthread_mutex_lock(&fake_lock);
    const struct fake_device *d = stream;
    bool ok = d->is_open && !d->is_gone;
    if (ok && fake_n_sent < FAKE_EVENTS)
        fake_sent[fake_n_sent++] =
            (struct fake_sent){live_now(), (uint32_t)message & 0xffffff};
    pthread_mutex_unlock(&fake_lock);
    return ok ? pmNoError : pmHostError;
}

#endif
