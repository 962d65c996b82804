/* The state of the sixteen channels at a point of a piece, so that playing may
 * begin anywhere: programs, banks, controllers, pedal, pitch bend and its
 * range, pressure. Plain data; nothing allocates. */
#ifndef MIDI_CHASE_H
#define MIDI_CHASE_H

#include "midi/sound/schedule.h"

enum { N_CHANNELS = 16, MAX_CHASED = 160 };

struct chase {
    struct channel_state {
        uint8_t controller[128];
        bool is_set[128]; /* controllers to send */
        uint8_t program, pressure;
        uint8_t bend_low, bend_high;        /* 7 bits each; 0 and 64 at rest */
        uint8_t bend_semitones, bend_cents; /* RPN 0: range of the bend */
    } channel[N_CHANNELS];
};

/* As a synth wakes up; programs from the tracks, for files that name none. */
void chase_init(struct chase *c, const struct score *score);
void chase_feed(struct chase *c, const struct message *m);

/* Messages that put `channel` in this state whatever it was in; their number.
 * Their ticks are 0. */
int chase_messages(const struct chase *c, int channel, struct message out[MAX_CHASED]);

/* Messages that bring `channel` from one state to another, and no others: for music that
 * was edited while it sounds. */
int chase_difference(const struct chase *from, const struct chase *to, int channel,
                     struct message out[MAX_CHASED]);
/* The same at the turn of a loop: pedals that were down are lifted in between, so that
 * what they held ends. */
int chase_turn(const struct chase *from, const struct chase *to, int channel,
               struct message out[MAX_CHASED]);

#endif
