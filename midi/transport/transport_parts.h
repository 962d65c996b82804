/* Where on its line the playhead is: an inner part of midi/transport/transport.h, of its thread.
 *
 * The line is straight in seconds of the piece, through an anchor. By itself those are the
 * tempo map's; while a clock is followed (midi/transport/sync.h) they are what the piece would take at
 * 120 quarters a minute, whatever its map says, and `rate` is how much faster the clock is. */
#ifndef MIDI_TRANSPORT_PARTS_H
#define MIDI_TRANSPORT_PARTS_H

#include "midi/transport/transport.h"

const struct timeline *line_timeline(const struct transport *t);
/* From here on: the playhead's tick at that moment of the sound's clock. */
void line_set_anchor(struct transport *t, double ms);

double line_seconds(const struct transport *t, double tick);
double line_tick(const struct transport *t, double seconds);
/* The moment of a tick, and the tick of a moment, at least 0. */
double line_ms_at(const struct transport *t, double tick);
double line_tick_at(const struct transport *t, double ms);
/* The first whole tick that is not heard before `ms`, near `tick`: exactly as line_ms_at
 * has it, since by that it was decided what was sent for which moment. */
int64_t line_first_tick_from(const struct transport *t, double ms, double tick);

/* At that moment the playhead is still in the pass before a turn that was sent. */
bool line_turn_is_ahead(const struct transport *t, double ms);

/* The clock that a transport sends, as MIDI 1.0 has it: 24 clocks a quarter, a start or a
 * continue right before the one that it begins with, which is on a sixteenth, and the song
 * position of that. An inner part of midi/transport/transport.h, of its thread; nothing is sent while
 * no clocks are wanted. */

/* What is sent next begins: the position goes out at `ms`. */
void clocks_begin(struct transport *t, double ms);
void clocks_locate(struct transport *t, int64_t tick, double ms);
void clocks_send(struct transport *t, int64_t before_tick);
/* Those from that moment on come again; turns: a turn of the loop was among it. */
void clocks_take_back(struct transport *t, double from_ms, bool turns);
void clocks_stop(struct transport *t);

/* The state of the channels where a transport is: an inner part of midi/transport/transport.h, of its
 * thread. */

/* That which the piece has reached at `tick`; what is next is what comes then. */
void state_seek(struct transport *t, int64_t tick, struct chase *state);
/* Puts the channels into it. */
void state_set(struct transport *t, int64_t tick);
/* Passes over what was sent already, or is too late. What of it was edited since, an
 * instrument say, is made up for behind the last that was sent. */
void state_skip_to(struct transport *t, int64_t tick);

/* The metronome of a transport, and the bars that are counted before it: an inner part of
 * midi/transport/transport.h, of its thread. */

/* The beats from what was sent last to that tick, if there are to be clicks. */
void clicks_send(struct transport *t, int64_t before_tick);
/* Those counted before it that are heard by that moment of the sound's clock. */
void clicks_count_in(struct transport *t, double until_ms);

#endif
