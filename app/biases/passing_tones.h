/* The steps of a tune. A tune that keeps to the chords leaps from one of their tones to the next:
 * people's tunes pass between them by steps, on weak beats. Pure functions, any thread. */
#ifndef APP_PASSING_TONES_H
#define APP_PASSING_TONES_H

#include "app/biases/analysis.h"
#include "app/biases/chord_bias.h"

/* The track with the highest notes on the mean, of those that seldom play two at once, and but for
 * the bass; -1: there is none. tracks: of p, by analyse_tracks. */
int passing_tones_tune(const struct piece *p,
                       const struct track_facts tracks[TOKEN_MAX_TRACKS], int bass);
/* Between strong beats, the pitches within a step of the track's last note are as likely as before
 * the chords had their say: `kept` has these logits [N_PITCHES]. Strong are the beginnings of bars,
 * of their halves, and of chords. */
void passing_tones_free(const struct chord_bias *chords, const struct place *at,
                        const float *kept);

#endif
