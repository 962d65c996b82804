/* The key that notes are most likely in, major or minor: how long each pitch class sounds
 * is correlated with the key profiles of Krumhansl and Kessler (Psychological Review 89,
 * 1982), as in Krumhansl, "Cognitive Foundations of Musical Pitch" (1990), ch. 4. Drums
 * (channel 10) do not count. Reads the score and nothing else. */
#ifndef MIDI_SCALE_GUESS_H
#define MIDI_SCALE_GUESS_H

#include "midi/score/scale.h"
#include "midi/score/score.h"

/* Of what sounds in [from, to), ticks. false: nothing does, or all twelve as long, and
 * nothing is changed. */
bool scale_guess(const struct score *s, int64_t from, int64_t to, struct scale *out);
/* The same, of how long each pitch class sounds, in any unit, and by other profiles: of
 * major, of minor, from the tonic up. */
bool scale_guess_by(const double sounds[12], const double profiles[2][12],
                    struct scale *out);

#endif
