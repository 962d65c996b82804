/* The key that notes are most likely in, major or minor: how long each pitch class sounds
 * is correlated with the key profiles of Krumhansl and Kessler (Psychological Review 89,
 * 1982), as in Krumhansl, "Cognitive Foundations of Musical Pitch" (1990), ch. 4. Drums
 * (channel 10) do not count. Reads the score and nothing else. */
#ifndef MIDI_SCALE_GUESS_H
#define MIDI_SCALE_GUESS_H

#include "midi/scale.h"
#include "midi/score.h"

/* Of what sounds in [from, to), ticks. false: nothing does, or all twelve as long, and
 * nothing is changed. */
bool scale_guess(const struct score *s, int64_t from, int64_t to, struct scale *out);

#endif
