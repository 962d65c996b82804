/* Guesses the chord symbols of a piece from its notes, at most one a beat, by dynamic
 * programming (after Raphael & Stoddard, "Functional Harmonic Analysis Using
 * Probabilistic Models", Computer Music Journal 28(3), 2004; here the key is guessed
 * first). Ignores hits. Pure function, any thread; a beat takes a microsecond or
 * two. */
#ifndef MIDI_CHORD_GUESS_H
#define MIDI_CHORD_GUESS_H

#include "midi/tokens/piece.h"

/* Replaces p->chords of a canonical piece. On MIDI_NO_MEMORY they are unchanged. */
enum midi_status chord_guess(struct piece *p);
/* The same for music whose bass is missing: only notes below `bass_below` count as
 * bass. */
enum midi_status chord_guess_without_bass(struct piece *p, int bass_below);

#endif
