/* Output to an external instrument: messages on their way from the player's thread to
 * the ports' thread, which owns PortMidi (midi/ports/ports.h).
 *
 * The player queues messages for future moments, and the ports' thread sends each when
 * it is due. So an edit can still take messages back. The ports' thread remembers what
 * it has sent: the new state of a channel is sent as differences, since a message takes
 * a millisecond on a MIDI cable, and a stop ends each sounding note by its key.
 *
 * Moments are milliseconds of midi/base/clock.h. Each function says which thread may
 * call it. None blocks, and only create allocates. */
#ifndef MIDI_OUTPUT_H
#define MIDI_OUTPUT_H

#include "midi/base/bell.h"
#include "midi/sound/chase.h"

struct output;

/* player_wake is rung when an instrument is opened. NULL: out of memory. */
struct output *output_create(struct bell *player_wake);
void output_destroy(struct output *o); /* once no thread uses it; NULL is fine */

/* Ui thread. only: while an instrument is open, the synth does not play the piece's
 * notes. clicks: the instrument plays the metronome, too. */
void output_set_only(struct output *o, bool only);
void output_set_clicks(struct output *o, bool clicks);
unsigned output_n_lost(const struct output *o); /* messages that a full queue lost */

/* Any thread. is_only: `only` is set, and an instrument is open. */
bool output_is_open(const struct output *o);
bool output_is_only(const struct output *o);

/* -- the player's thread. All but n_opened and flush accept NULL, which means no
 * output. -- */

/* Changes when an instrument is opened; no channel has a state then. */
unsigned output_n_opened(const struct output *o);
bool output_has_clicks(const struct output *o);

/* Queues a message if an instrument is open; clocks and song positions, too. `mark` is
 * the same moment in another clock, for output_take_back. Of equal moments, a later
 * call comes later. */
void output_send_at(struct output *o, double ms, double mark, const struct message *m);
/* Sets a channel's state at once, and sends only what differs. */
void output_set_state(struct output *o, int channel, const struct channel_state *state);
/* Takes back messages with that mark or a later one. */
void output_take_back(struct output *o, double mark);
/* Drops the queue, ends notes and lifts pedals. */
void output_stop(struct output *o, bool cuts); /* cuts: decaying sound, too */
void output_flush(struct output *o); /* wakes the ports' thread after these calls */

/* -- the ports' thread -- */

/* Returns the bell that the ports' thread waits for. Any thread may ring it. */
struct bell *output_wake(struct output *o);

/* Sends a message, packed as PortMidi does, with the status lowest. false: the
 * instrument is gone. */
struct output_line {
    bool (*send)(void *context, uint32_t message);
    void *context;
};
void output_open(struct output *o);
/* Sends what is due. *next_ms is when to call again at the latest; INFINITY: when
 * woken. false: the instrument is gone. */
bool output_pass(struct output *o, const struct output_line *line, double *next_ms);
/* Ends notes, and stops what follows our clock, if that can still be sent. */
void output_close(struct output *o, const struct output_line *line);

#endif
