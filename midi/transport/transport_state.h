/* The state of the channels where a transport is: an inner part of midi/transport/transport.h, of its
 * thread. */
#ifndef MIDI_TRANSPORT_STATE_H
#define MIDI_TRANSPORT_STATE_H

#include "midi/transport/transport.h"

/* That which the piece has reached at `tick`; what is next is what comes then. */
void state_seek(struct transport *t, int64_t tick, struct chase *state);
/* Puts the channels into it. */
void state_set(struct transport *t, int64_t tick);
/* Passes over what was sent already, or is too late. What of it was edited since, an
 * instrument say, is made up for behind the last that was sent. */
void state_skip_to(struct transport *t, int64_t tick);

#endif
