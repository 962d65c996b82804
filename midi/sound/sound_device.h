/* FluidSynth's audio driver, opened and closed on a thread of its own: a call to a
 * sound server that hangs would hang, too, and the player must not.
 *
 * For one thread, that of the sound. Borrows the synth and the settings until the
 * device is destroyed, or for ever if it never can be. */
#ifndef MIDI_SOUND_DEVICE_H
#define MIDI_SOUND_DEVICE_H

#include <fluidsynth.h>
#include <stdbool.h>

struct sound_device;

enum device_state {
    DEVICE_OPENING,
    DEVICE_OPEN,
    DEVICE_NONE,    /* it could not be opened */
    DEVICE_CLOSING, /* it is being closed */
    DEVICE_CLOSED,  /* it was closed */
};

/* Begins to open a driver. `driver` is borrowed until the device is destroyed or
 * abandoned; NULL means the usual ones in turn. Returns NULL if memory or threads are
 * out. */
struct sound_device *sound_device_open(fluid_settings_t *settings, fluid_synth_t *synth,
                                       const char *driver);
/* Begins to close the device, once it is open. */
void sound_device_close(struct sound_device *d);
enum device_state sound_device_state(const struct sound_device *d);
/* Returns the driver's name, which is static or the requested one. */
const char *sound_device_driver(const struct sound_device *d);
/* Waits up to `ms` for the device to open, fail or close. false: it has not yet. */
bool sound_device_wait(struct sound_device *d, int ms);
/* Frees a device whose state is NONE or CLOSED. NULL is fine. */
void sound_device_destroy(struct sound_device *d);
/* For other states: leaves the device alone, with everything that it has borrowed. */
void sound_device_abandon(struct sound_device *d);

#endif
