/* FluidSynth's audio driver, opened and closed on a thread of its own: who speaks to a
 * sound server that hangs, hangs with it, and that must not be the player.
 *
 * Asked for from one thread, the sound's. The synth and the settings are borrowed until
 * the device is destroyed, or for ever where it never could be. */
#ifndef MIDI_SOUND_DEVICE_H
#define MIDI_SOUND_DEVICE_H

#include <fluidsynth.h>
#include <stdbool.h>

struct sound_device;

enum device_state {
    DEVICE_OPENING,
    DEVICE_OPEN,
    DEVICE_NONE,    /* it could not be opened, */
    DEVICE_CLOSING, /* or is being closed, */
    DEVICE_CLOSED,  /* or was */
};

/* Begins to open one. `driver` is borrowed until it is destroyed or abandoned; NULL: the
 * usual ones in turn. NULL: no memory or threads. */
struct sound_device *sound_device_open(fluid_settings_t *settings, fluid_synth_t *synth,
                                       const char *driver);
/* Begins to close it, once it is open. */
void sound_device_close(struct sound_device *d);
enum device_state sound_device_state(const struct sound_device *d);
/* Which was opened; static or the one that was asked for. */
const char *sound_device_driver(const struct sound_device *d);
/* Gives it so long to open or close; false: it has not. */
bool sound_device_wait(struct sound_device *d, int ms);
/* Once it is NONE or CLOSED; NULL is fine. */
void sound_device_destroy(struct sound_device *d);
/* Else: it is left to itself, with what it has borrowed. */
void sound_device_abandon(struct sound_device *d);

#endif
