/* Where on its line the playhead is: an inner part of midi/transport/transport.h, of its thread.
 *
 * The line is straight in seconds of the piece, through an anchor. By itself those are the
 * tempo map's; while a clock is followed (midi/transport/sync.h) they are what the piece would take at
 * 120 quarters a minute, whatever its map says, and `rate` is how much faster the clock is. */
#ifndef MIDI_TRANSPORT_LINE_H
#define MIDI_TRANSPORT_LINE_H

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

#endif
