/* The parts of a transport, shared by transport.c, transport_line.c and
 * transport_send.c.
 *
 * The line says where the playhead is. It is a straight line in seconds of the piece,
 * through an anchor. Seconds are those of the tempo map. While a clock is followed
 * (midi/transport/sync.h), they are what the piece would take at 120 quarters a minute,
 * and `rate` is how much faster the clock is. */
#ifndef MIDI_TRANSPORT_PARTS_H
#define MIDI_TRANSPORT_PARTS_H

#include "midi/transport/transport.h"

const struct timeline *line_timeline(const struct transport *t);
/* Puts the anchor at the playhead's tick and that moment of the sound's clock. */
void line_set_anchor(struct transport *t, double ms);

double line_seconds(const struct transport *t, double tick);
double line_tick(const struct transport *t, double seconds);
/* Return the moment of a tick, and the tick of a moment, at least 0. */
double line_ms_at(const struct transport *t, double tick);
double line_tick_at(const struct transport *t, double ms);
/* Returns the first whole tick near `tick` that is not heard before `ms`, exactly by
 * line_ms_at, which decided what was sent for which moment. */
int64_t line_first_tick_from(const struct transport *t, double ms, double tick);

/* Whether the playhead is still in the pass before a turn that was sent. */
bool line_turn_is_ahead(const struct transport *t, double ms);

/* Sends a message to the instrument and the synth; to the synth in order, or if
 * is_scheduled, like sound_scheduled_at. */
void send_at(const struct transport *t, double ms, const struct message *m,
             bool is_scheduled);

/* The MIDI clock that is sent: 24 clocks a quarter, and before the first one, which is
 * on a sixteenth, its song position and a start or a continue. Nothing is sent while
 * clocks are off. */

/* Starts with what is sent next. The position goes out at `ms`. */
void clocks_begin(struct transport *t, double ms);
void clocks_locate(struct transport *t, int64_t tick, double ms);
void clocks_send(struct transport *t, int64_t before_tick);
/* Clocks from that moment on will be sent again. turns: a turn of the loop was among
 * them. */
void clocks_take_back(struct transport *t, double from_ms, bool turns);
void clocks_stop(struct transport *t);

/* The state of the channels. */

/* Finds the state at `tick`. The schedule goes on from there, with these voices. */
void state_seek(struct transport *t, struct voices *voices, int64_t tick,
                struct chase *state);
/* Strikes the notes that sound at the tick again, at that moment of the sound's
 * clock. */
void state_strike_again(struct transport *t, int64_t tick, double ms);
/* Finds the state at `tick`, and sets the channels to it. */
void state_set(struct transport *t, int64_t tick);
/* Skips what was sent already or is too late. If an edit changed its controllers or
 * programs, sends the differences after what was sent. */
void state_skip_to(struct transport *t, int64_t tick);

/* The metronome, and the count-in. */

/* Sends the beats before that tick, if clicks are on. */
void clicks_send(struct transport *t, int64_t before_tick);
/* Sends the count-in's clicks before that moment. */
void clicks_count_in(struct transport *t, double until_ms);

/* Notes that are not in the music. */

/* Sends what is due between these moments, and forgets notes that are over. The
 * playhead waits at the tick `before`. */
void scheduled_send(struct transport *t, double now_ms, double until_ms,
                    int64_t before);
/* Marks events that were sent for `from_ms` or later as not sent, since they were taken
 * back. */
void scheduled_take_back(struct scheduled_notes *c, double from_ms);
/* Ends sounding notes at that moment and forgets all. Later events have been taken back
 * before. */
void scheduled_cut(struct transport *t, double ms);

#endif
