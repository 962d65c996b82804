#include "midi/sound/sound_device.h"

#include "midi/base/bell.h"
#include "midi/base/thread.h"
#include "midi/base/clock.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct sound_device {
    pthread_t thread;
    fluid_settings_t *settings; /* constant, as is the next one */
    fluid_synth_t *synth;
    char *wanted; /* owned; NULL: the usual ones in turn */

    fluid_audio_driver_t *driver; /* of its thread only */
    const char *name;             /* the requested one; else set before DEVICE_OPEN */
    atomic_int state;             /* enum device_state, except DEVICE_CLOSING */
    struct bell may_close;        /* rung once */
    struct bell is_settled;       /* rung when it has opened, failed or closed */
    bool is_asked_to_close;       /* of the asking thread only */
};

static bool open_driver(struct sound_device *d, const char *name)
{
    if (fluid_settings_setstr(d->settings, "audio.driver", name) != FLUID_OK)
        return false; /* FluidSynth was built without this driver */
    d->driver = new_fluid_audio_driver(d->settings, d->synth);
    return d->driver;
}

static void settle(struct sound_device *d, enum device_state state)
{
    atomic_store(&d->state, (int)state);
    bell_ring(&d->is_settled);
}

static void *run(void *device)
{
    /* Sound servers come first, since they share the card. sdl2 would need SDL, and oss
     * is obsolete on Linux. */
    static const char *const usual[] = {"pulseaudio", "pipewire",  "jack",
                                        "alsa",       "coreaudio",
#ifndef __linux__
                                        "oss"
#endif
    };
    struct sound_device *d = device;
    bool is_open = d->wanted && open_driver(d, d->wanted);
    for (size_t i = 0; !d->wanted && !is_open && i < sizeof usual / sizeof *usual;
         i++) {
        d->name = usual[i];
        is_open = open_driver(d, d->name);
    }
    if (!is_open) {
        settle(d, DEVICE_NONE);
        return NULL;
    }
    settle(d, DEVICE_OPEN);
    bell_wait(&d->may_close, NULL);
    delete_fluid_audio_driver(d->driver);
    settle(d, DEVICE_CLOSED);
    return NULL;
}

static void release(struct sound_device *d)
{
    bell_fini(&d->may_close);
    bell_fini(&d->is_settled);
    free(d->wanted);
    free(d);
}

struct sound_device *sound_device_open(fluid_settings_t *settings, fluid_synth_t *synth,
                                       const char *driver)
{
    struct sound_device *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    *d = (struct sound_device){.settings = settings,
                               .synth = synth,
                               .wanted = driver ? strdup(driver) : NULL,
                               .name = driver ? driver : ""};
    atomic_init(&d->state, DEVICE_OPENING);
    bell_init(&d->may_close);
    bell_init(&d->is_settled);
    if ((d->wanted || !driver) && thread_start(&d->thread, run, d))
        return d;
    release(d);
    return NULL;
}

void sound_device_close(struct sound_device *d)
{
    if (!d->is_asked_to_close)
        bell_ring(&d->may_close);
    d->is_asked_to_close = true;
}

enum device_state sound_device_state(const struct sound_device *d)
{
    enum device_state state = (enum device_state)atomic_load(&d->state);
    return state == DEVICE_OPEN && d->is_asked_to_close ? DEVICE_CLOSING : state;
}

const char *sound_device_driver(const struct sound_device *d)
{
    return d->name;
}

static bool is_settled(const struct sound_device *d)
{
    enum device_state state = sound_device_state(d);
    return state != DEVICE_OPENING && state != DEVICE_CLOSING;
}

bool sound_device_wait(struct sound_device *d, int ms)
{
    const struct timespec until = clock_after_ms(ms);
    while (!is_settled(d))
        if (!bell_wait(&d->is_settled, &until))
            return is_settled(d);
    return true;
}

void sound_device_destroy(struct sound_device *d)
{
    if (!d)
        return;
    pthread_join(d->thread, NULL);
    release(d);
}

void sound_device_abandon(struct sound_device *d)
{
    pthread_detach(d->thread);
}
