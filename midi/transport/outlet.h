/* The outlet of a transport: the synth, and an external instrument if there is one.
 * Times are the sound's clock. Plain data of the player's thread; nothing blocks. */
#ifndef MIDI_OUTLET_H
#define MIDI_OUTLET_H

#include "midi/sound/chase.h"
#include "midi/transport/output.h"
#include "midi/sound/sound.h"

struct outlet {
    struct sound *sound;   /* borrowed; never NULL once in use */
    struct output *output; /* borrowed; NULL: none */
    double ahead_ms;       /* the sound's clock minus ours (midi/base/clock.h) */
};

double outlet_now(const struct outlet *o);
void outlet_send_at(const struct outlet *o, double ms, const struct message *m);
/* Like sound_scheduled_at. */
void outlet_scheduled_at(const struct outlet *o, double ms, const struct message *m);
void outlet_click_at(const struct outlet *o, double ms, const struct message *m);
/* Sends a clock, a start and the like, to the instrument only. */
void outlet_sync_at(const struct outlet *o, double ms, int status, int data1,
                    int data2);
/* Like sound_take_back. */
double outlet_take_back(const struct outlet *o, double ms);
/* Sets the state of the channels at once; an instrument gets only those in `used`. */
void outlet_set_state(const struct outlet *o, const struct chase *state, unsigned used);
/* The same for the instrument only, when it was just opened. */
void outlet_greet(const struct outlet *o, const struct chase *state, unsigned used);
/* Drops the queue, ends notes, lifts pedals. */
void outlet_stop(const struct outlet *o);
void outlet_silence(const struct outlet *o);

#endif
