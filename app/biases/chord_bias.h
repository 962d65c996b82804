/* Keeps pitched tracks on the chords that are written in the piece or planned for the take. A
 * pitch class that the chord in force lacks is less likely, more so on a beat. The lowest track
 * begins a chord or a bar with the chord's bass. A note ends before a chord that lacks it. In
 * styles that have them ninths and thirteenths, which symbols lack here
 * (midi/tokens/grid_chord.h), are as free above the bass. Just before the next chord, notes that
 * approach its bass are free. And a tune may pass between the tones by steps, as people's do, on weak
 * beats. The biases are bounded. Pure functions, any thread. */
#ifndef APP_CHORD_BIAS_H
#define APP_CHORD_BIAS_H

#include "app/biases/analysis.h"
#include "app/biases/place.h"

struct chord_bias {
    const struct grid_chord *chords; /* ascending; borrowed */
    size_t n;
    int bass;     /* the track that plays the chords' basses; -1: none */
    float weight; /* 0: nothing is biased; 1: a band's */
    bool has_tensions;
};

/* The sum of these costs by pitch class over the chord's classes. */
float chord_bias_cost(const struct grid_chord *chord, const float cost[12]);
/* The class of the third of the dominant that is in force at a step; -1: it is none. */
int chord_bias_leading(const struct chord_bias *b, int64_t step);
/* The chord in force at a step, and the one after it; NULL: none. */
const struct grid_chord *chord_bias_in_force(const struct chord_bias *b, int64_t step);
const struct grid_chord *chord_bias_next(const struct chord_bias *b, int64_t step);
/* Of pitches, and of the length of the note whose pitch was said. */
void chord_bias_pitches(const struct chord_bias *b, const struct place *at);
void chord_bias_lengths(const struct chord_bias *b, const struct place *at);
/* Where the next bar or chord begins, those who carry the chords begin a note: of positions that
 * pass by it, and of what leaves the bar. last: the step of the track's newest note. */
void chord_bias_onsets(const struct chord_bias *b, const struct place *at,
                       int64_t last);

/* -- the steps of a tune -- */

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
