/* Four-voice music against the rules it is taught by: parallel fifths and
 * octaves, voices out of range, and voices that cross.
 *
 * A chord is what sounds wherever a note begins, two voices at least. Two that
 * sound in it and in the chord before are parallel when both move, the same
 * way, from a fifth to a fifth or from an octave to an octave; twelfths are
 * fifths, and unisons octaves. So passing notes count, as they do on paper; the
 * masters' own rate is the measure, not zero. The ranges are those of harmony
 * courses: C4-G5, G3-D5, C3-G4, E2-D4.
 *
 * Plain data, zero to begin with; pure functions, any thread. */
#ifndef APP_VOICES_H
#define APP_VOICES_H

#include "midi/tokens/piece.h"

enum { VOICES = 4 };

struct voices {
    int64_t n_chords;
    int64_t fifths, octaves; /* pairs of voices in parallel */
    int64_t out_of_range;    /* notes */
    int64_t crossed;         /* chords with a voice below a lower one */
};

/* The tracks of the soprano, alto, tenor and bass: by mean pitch. false: not
 * four tracks of one note at a time. */
bool voices_find(const struct piece *p, uint8_t tracks[VOICES]);

/* A canonical piece joins the sums; of two notes of a voice the later, then
 * the higher, is taken. */
void voices_add(struct voices *sum, const struct piece *p,
                const uint8_t tracks[VOICES]);

/* n of them to a hundred chords; NaN without chords. */
double voices_rate(const struct voices *v, int64_t n);

#endif
