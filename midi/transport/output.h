/* Output to an external instrument: messages on their way from the player's thread
 * to the ports' thread, which owns PortMidi (midi/ports/ports.h).
 *
 * The player queues messages with future moments; the ports' thread sends each when
 * it is due, so an edit can still take messages back. It remembers what it sent: a
 * channel's new state is sent as differences (a MIDI cable takes a millisecond for a
 * message), and a stop ends each sounding note by its key.
 *
 * Moments are milliseconds (midi/base/clock.h). Each function says which thread may
 * call it; none blocks, and only create allocates. */
#ifndef MIDI_OUTPUT_H
#define MIDI_OUTPUT_H

#include "midi/base/bell.h"
#include "midi/sound/chase.h"

struct output;

/* player_wake is posted when an instrument is opened. NULL: out of memory. */
struct output *output_create(struct bell *player_wake);
void output_destroy(struct output *o); /* when no thread uses it; NULL is fine */

/* Ui thread. only: while an instrument is open, the synth does not play the piece's
 * notes. clicks: the instrument plays the metronome, too. */
void output_set_only(struct output *o, bool only);
void output_set_clicks(struct output *o, bool clicks);
unsigned output_n_lost(const struct output *o); /* messages lost to a full queue */

/* Any thread. is_only: `only`, and an instrument is open. */
bool output_is_open(const struct output *o);
bool output_is_only(const struct output *o);

/* -- the player's thread. All but n_opened and flush take NULL: there is no output. -- */

/* Changes when an instrument is opened; it has no state then. */
unsigned output_n_opened(const struct output *o);
bool output_has_clicks(const struct output *o);

/* Queues a message if an instrument is open. `mark` is the same moment in another
 * clock, for output_take_back. Of equal moments, later calls come later. Takes
 * clocks and song positions, too. */
void output_send_at(struct output *o, double ms, double mark, const struct message *m);
/* At once; sends only what differs. */
void output_set_state(struct output *o, int channel, const struct channel_state *state);
/* Messages with that mark or later. */
void output_take_back(struct output *o, double mark);
/* Drops the queue, ends notes, lifts pedals. */
void output_stop(struct output *o, bool cuts); /* cuts: off decaying sound, too */
void output_flush(struct output *o); /* wakes the ports' thread after these calls */

/* -- the ports' thread -- */

/* The thread waits for it; any thread may ring it. */
struct bell *output_wake(struct output *o);

/* Sends a message packed as PortMidi does, status lowest. false: the instrument is
 * gone. */
struct output_line {
    bool (*send)(void *context, uint32_t message);
    void *context;
};
void output_open(struct output *o);
/* Sends what is due. *next_ms: call again by then; INFINITY: when woken. false: the
 * instrument is gone. */
bool output_pass(struct output *o, const struct output_line *line, double *next_ms);
/* Ends notes and stops what follows our clock, if that can still be sent. */
void output_close(struct output *o, const struct output_line *line);

#endif
