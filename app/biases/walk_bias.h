/* A bass that is written anew for a swinging band walks: it begins a note on each beat, hardly
 * another between two, holds each until the next, does not repeat it or go back and forth, and comes
 * to the bass of the next chord by a step. One that walks already goes on so. chord_bias has the tones
 * of the chords. The bias is bounded. Pure functions, any thread. */
#ifndef APP_WALK_BIAS_H
#define APP_WALK_BIAS_H

#include "app/biases/analysis.h"
#include "app/biases/place.h"

/* Whether a bass walks there: in jazz, and where others swing over a ride cymbal on the beats.
 * tracks: of p, by analyse_tracks. */
bool walk_bias_is_due(const struct piece *p,
                      const struct track_facts tracks[TOKEN_MAX_TRACKS],
                      enum style style);

/* Whether a given bass does, of whose notes up to step `from` these are the facts. */
bool walk_bias_goes_on(const struct track_facts *bass, int64_t from);

/* Of positions, pitches and lengths of the bass; and of pitches alone. next: the chord after the one in force; NULL:
 * none. */
void walk_bias_apply(const struct grid_chord *next, const struct place *at);
void walk_bias_pitches(const struct grid_chord *next, const struct place *at);

#endif
