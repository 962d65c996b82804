/* Single notes sounded for a moment while editing, on channels of their own so
 * that they disturb nothing that plays. Player thread only; all zero is none. */
#ifndef MIDI_AUDITION_H
#define MIDI_AUDITION_H

#include "midi/sound/sound.h"

enum { N_AUDITIONS = 16 };

struct auditions {
    struct audition {
        bool is_on;
        uint8_t channel, program, pitch, velocity;
        double end_ms;
    } slot[N_AUDITIONS];
};

/* `wanted` says what to sound; the same pitch again is struck anew. Times are
 * of one steady clock, in milliseconds. */
void auditions_begin(struct auditions *a, struct sound *sound,
                     const struct audition *wanted, double now_ms);
/* Ends those that are over; true: some still sound. */
bool auditions_end_due(struct auditions *a, struct sound *sound, double now_ms);

#endif
