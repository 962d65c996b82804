/* FluidSynth's audio driver, opened and closed on a thread of its own: a call to a
 * hanging sound server hangs, and the player must not.
 *
 * For one thread, the sound's. Borrows the synth and the settings until the device
 * is destroyed, or for ever if it never can be. */
#ifndef MIDI_SOUND_DEVICE_H
#define MIDI_SOUND_DEVICE_H

#include <fluidsynth.h>
#include <stdbool.h>

struct sound_device;

enum device_state {
    DEVICE_OPENING,
    DEVICE_OPEN,
    DEVICE_NONE,    /* could not be opened */
    DEVICE_CLOSING, /* being closed */
    DEVICE_CLOSED,  /* was closed */
};

/* Begins to open a driver. `driver` is borrowed until the device is destroyed or
 * abandoned; NULL: the usual ones in turn. Returns NULL: out of memory or threads. */
struct sound_device *sound_device_open(fluid_settings_t *settings, fluid_synth_t *synth,
                                       const char *driver);
/* Begins to close it once it is open. */
void sound_device_close(struct sound_device *d);
enum device_state sound_device_state(const struct sound_device *d);
/* The opened driver; static or the requested one. */
const char *sound_device_driver(const struct sound_device *d);
/* Waits up to ms for it to open or close; false: not yet. */
bool sound_device_wait(struct sound_device *d, int ms);
/* When NONE or CLOSED; NULL is fine. */
void sound_device_destroy(struct sound_device *d);
/* Otherwise: leaves it alone, with all it has borrowed. */
void sound_device_abandon(struct sound_device *d);

#endif
