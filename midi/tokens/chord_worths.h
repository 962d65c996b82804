/* What each chord symbol is worth in a beat: the log likelihood of the pitch classes that
 * sound and of the bass; and what it is worth that it begins there, by where in the bar
 * the beat is, how the chord's notes fit those around, and how common it is in the key.
 * Symbols are root * CHORD_QUALITIES + quality, the last is no chord. Pure functions. */
#ifndef MIDI_CHORD_WORTHS_H
#define MIDI_CHORD_WORTHS_H

#include "midi/tokens/chord_beats.h"

/* Rows end in zeros, so that they are whole vectors. */
enum { CHORD_SYMBOLS = 12 * CHORD_QUALITIES + 1, CHORD_ROW = 128 };

struct chord_worths {
    float tones[12][CHORD_ROW], basses[13][CHORD_ROW], members[12][CHORD_ROW];
    float in_key[2][CHORD_SYMBOLS]; /* mode, symbol over C: log chance */
    float keys[24][12];             /* standardised profiles: major from C on, minor */
};

void chord_worths_init(struct chord_worths *w);
void chord_worths_hear(float out[CHORD_ROW], const struct chord_worths *w,
                       const struct chord_beat *b);
void chord_worths_begin(float out[CHORD_ROW], const struct chord_worths *w,
                        const struct chord_beat *b);
/* The pitch class is one of the chord's. */
bool chord_has(int symbol, int class);

#endif
