/* What an external instrument is sent, on its way from the player's thread to the one that
 * owns PortMidi (midi/ports/ports.h).
 *
 * The player queues messages for moments to come; the ports' thread sends each when its
 * moment is there, and so can still take back what an edit made wrong. It remembers what it
 * has sent: so a channel's state is told by what differs alone (a MIDI cable takes a
 * millisecond for a message), and at a stop each note that sounds is ended by its own key.
 *
 * Moments are CLOCK_MONOTONIC in milliseconds. Each function says whose it is; none blocks
 * or allocates but create. */
#ifndef MIDI_OUTPUT_H
#define MIDI_OUTPUT_H

#include "midi/sound/chase.h"

#include <semaphore.h>

struct output;

/* player_wake is posted when an instrument was opened. NULL: out of memory. */
struct output *output_create(sem_t *player_wake);
void output_destroy(struct output *o); /* NULL is fine; when no thread uses it */

/* The ui's. only: the notes of the piece are not played by the synth while an instrument is
 * there; clicks: the metronome goes there, too. */
void output_set_only(struct output *o, bool only);
void output_set_clicks(struct output *o, bool clicks);
unsigned output_n_lost(const struct output *o); /* messages, to a full queue */

/* Any thread's. only: and one is there. */
bool output_is_open(const struct output *o);
bool output_is_only(const struct output *o);

/* -- the player's thread -- */

/* Another number: an instrument was opened, and knows nothing yet. */
unsigned output_n_opened(const struct output *o);
bool output_has_clicks(const struct output *o);

/* Where none is open nothing is queued. `mark` is what output_take_back is given: the same
 * moment in another clock. Among equal moments, later calls come later. The status may be
 * that of a clock or a song position, too. */
void output_send_at(struct output *o, double ms, double mark, const struct message *m);
/* At once; nothing that the instrument has already is sent. */
void output_set_state(struct output *o, int channel, const struct channel_state *state);
void output_take_back(struct output *o, double mark); /* what has that mark, or later */
/* Forgets what is queued; what sounds ends, pedals go up. */
void output_stop(struct output *o);
void output_silence(struct output *o); /* the same, and cuts off what still rings */
void output_flush(struct output *o); /* after some of these: wakes the ports' thread */

/* -- the ports' thread -- */

sem_t *output_wake(struct output *o); /* what it waits for; any thread may post it */

/* Where messages go: the bytes as PortMidi packs them, the status lowest. false: the
 * instrument is gone. */
struct output_line {
    bool (*send)(void *context, uint32_t message);
    void *context;
};
void output_open(struct output *o);
/* Sends what is due; false: the instrument is gone. *next_ms: when it is to be called again
 * at the latest; INFINITY: when it is woken. */
bool output_pass(struct output *o, const struct output_line *line, double *next_ms);
/* Ends what sounds, and stops what goes by our clock, if that can still be sent. */
void output_close(struct output *o, const struct output_line *line);

#endif
