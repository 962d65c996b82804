/* Counts breaks of the rules of four-voice writing: parallel fifths and octaves, voices out of
 * range, and voices that cross.
 *
 * A chord is what sounds when a note begins, in two voices or more. Parallels are those of
 * midi/score/parallel.h, between a chord and the one before. Passing notes count, too, so
 * compare with the masters' rate, not with zero. The ranges are those of harmony courses:
 * C4-G5, G3-D5, C3-G4, E2-D4.
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

/* Finds the tracks of soprano, alto, tenor and bass by their mean pitch. false: p has not four
 * tracks of one note at a time. */
bool voices_find(const struct piece *p, uint8_t tracks[VOICES]);

/* Adds a canonical piece to the sums. If a voice has two notes, the later counts; if they
 * begin together, the higher. */
void voices_add(struct voices *sum, const struct piece *p,
                const uint8_t tracks[VOICES]);

/* n for each hundred chords; NaN without chords. */
double voices_rate(const struct voices *v, int64_t n);

#endif
