/* A channel message as FluidSynth takes it: at once, or as an event to be queued. Notes,
 * pressure, controllers, programs and bends; others are nothing. */
#ifndef MIDI_SOUND_MESSAGE_H
#define MIDI_SOUND_MESSAGE_H

#include "midi/sound/schedule.h"

#include <fluidsynth.h>

/* `first_channel` is added to its channel. */
void sound_apply(fluid_synth_t *synth, const struct message *m, int first_channel);
void sound_fill_event(fluid_event_t *e, const struct message *m);

#endif
