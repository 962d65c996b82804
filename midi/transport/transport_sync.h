/* The clock that a transport sends, as MIDI 1.0 has it: 24 clocks a quarter, a start or a
 * continue right before the one that it begins with, which is on a sixteenth, and the song
 * position of that. An inner part of midi/transport/transport.h, of its thread; nothing is sent while
 * no clocks are wanted. */
#ifndef MIDI_TRANSPORT_SYNC_H
#define MIDI_TRANSPORT_SYNC_H

#include "midi/transport/transport.h"

/* What is sent next begins: the position goes out at `ms`. */
void clocks_begin(struct transport *t, double ms);
void clocks_locate(struct transport *t, int64_t tick, double ms);
void clocks_send(struct transport *t, int64_t before_tick);
/* Those from that moment on come again; turns: a turn of the loop was among it. */
void clocks_take_back(struct transport *t, double from_ms, bool turns);
void clocks_stop(struct transport *t);

#endif
