/* The state of all channels at a point of a piece, so that playing may begin anywhere:
 * programs, banks, controllers, pedals, pitch bend and its range, pressure. Plain data;
 * nothing allocates. */
#ifndef MIDI_CHASE_H
#define MIDI_CHASE_H

#include "midi/sound/schedule.h"

enum { N_CHANNELS = 16 /* of a port */, MAX_CHASED = 160 };

struct chase {
    struct channel_state {
        uint8_t controller[128];
        bool is_set[128]; /* controllers that are sent */
        uint8_t program, pressure;
        uint8_t bend_low, bend_high;        /* 7 bits each; 0 and 64 is the centre */
        uint8_t bend_semitones, bend_cents; /* RPN 0: range of the bend */
    } channel[SOUND_CHANNELS];              /* of all ports */
};

/* Sets the state after a reset, with the programs of the tracks for files that set
 * none. */
void chase_init(struct chase *c, const struct score *score);
void chase_feed(struct chase *c, const struct message *m);

/* Lists the messages that set `channel` to this state from any other. Their ticks are
 * 0. Returns their number. */
int chase_messages(const struct chase *c, int channel, struct message out[MAX_CHASED]);

/* Lists only the messages that lead from one state to another: for music that is edited
 * while it plays. */
int chase_difference(const struct chase *from, const struct chase *to, int channel,
                     struct message out[MAX_CHASED]);
/* The same for the turn of a loop: also lifts the pedals in between, so that notes they
 * hold end. */
int chase_turn(const struct chase *from, const struct chase *to, int channel,
               struct message out[MAX_CHASED]);

#endif
