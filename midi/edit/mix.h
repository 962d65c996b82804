/* How loud a track is, where it stands and how much of the effects it has: controllers 7,
 * 10, 91 and 93 (MIDI 1.0; General MIDI 2 for the last two) as they are at its start, which
 * is before and with its first note. Pure functions. */
#ifndef MIDI_MIX_H
#define MIDI_MIX_H

#include "midi/edit/controllers.h"

enum mix_knob { MIX_VOLUME, MIX_PAN, MIX_REVERB, MIX_CHORUS, MIX_KNOBS };

struct mix_knob_about {
    const char *name, *label; /* "pan", and what its change is called */
    struct control control;
    int centre, low, high; /* as people say it, from its centre: low..high */
};
const struct mix_knob_about *mix_about(enum mix_knob k);

/* What it is at the track's start, from its centre. */
int mix_value(const struct score *s, int track, enum mix_knob k);
/* The first tick after its start at which the track says another; -1: nowhere. */
int64_t mix_next_tick(const struct score *s, int track, enum mix_knob k);
/* MIDI_BAD_EDIT: it is out of range. */
enum midi_status change_mix(struct change *c, const struct score *s, int track,
                            enum mix_knob k, int value);

#endif
