/* Gives FluidSynth a channel message, at once or as a queued event: notes, pressure,
 * controllers, programs, bends. Ignores others. */
#ifndef MIDI_SOUND_MESSAGE_H
#define MIDI_SOUND_MESSAGE_H

#include "midi/sound/schedule.h"

#include <fluidsynth.h>

/* Adds `first_channel` to the message's channel. */
void sound_apply(fluid_synth_t *synth, const struct message *m, int first_channel);
void sound_fill_event(fluid_event_t *e, const struct message *m);

#endif
