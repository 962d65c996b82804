/* Where a transport's messages go: the synth, and an external instrument if there is one.
 * Times are of the sound's clock. Plain data of the player's thread; nothing blocks. */
#ifndef MIDI_OUTLET_H
#define MIDI_OUTLET_H

#include "midi/sound/chase.h"
#include "midi/transport/output.h"
#include "midi/sound/sound.h"

struct outlet {
    struct sound *sound;   /* borrowed; never NULL once in use */
    struct output *output; /* borrowed; NULL: there is none */
    double ahead_ms;       /* the sound's clock, of CLOCK_MONOTONIC */
};

double outlet_now(const struct outlet *o);
void outlet_send_at(const struct outlet *o, double ms, const struct message *m);
/* As sound_cue_at. */
void outlet_cue_at(const struct outlet *o, double ms, const struct message *m);
void outlet_click_at(const struct outlet *o, double ms, const struct message *m);
/* A clock, a start and the like, which only instruments understand. */
void outlet_sync_at(const struct outlet *o, double ms, int status, int data1,
                    int data2);
/* As sound_take_back. */
double outlet_take_back(const struct outlet *o, double ms);
/* Puts the channels into that state at once; an instrument those alone that are in `used`. */
void outlet_set_state(const struct outlet *o, const struct chase *state, unsigned used);
/* The same for an instrument alone, which has just come. */
void outlet_greet(const struct outlet *o, const struct chase *state, unsigned used);
void outlet_stop(const struct outlet *o); /* what was queued, what sounds, the pedals */
void outlet_silence(const struct outlet *o);

#endif
