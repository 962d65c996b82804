/* The metronome of a transport, and the bars that are counted before it: an inner part of
 * midi/transport/transport.h, of its thread. */
#ifndef MIDI_TRANSPORT_CLICKS_H
#define MIDI_TRANSPORT_CLICKS_H

#include "midi/transport/transport.h"

/* The beats from what was sent last to that tick, if there are to be clicks. */
void clicks_send(struct transport *t, int64_t before_tick);
/* Those counted before it that are heard by that moment of the sound's clock. */
void clicks_count_in(struct transport *t, double until_ms);

#endif
