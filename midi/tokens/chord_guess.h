/* Guesses chord symbols of a piece from its notes, at most one a beat, by dynamic
 * programming over beats (after Raphael & Stoddard, "Functional Harmonic Analysis
 * Using Probabilistic Models", Computer Music Journal 28(3), 2004; the key is
 * guessed first). Ignores hits. Pure function, any thread; a microsecond or two a
 * beat. */
#ifndef MIDI_CHORD_GUESS_H
#define MIDI_CHORD_GUESS_H

#include "midi/tokens/piece.h"

/* Replaces p->chords of a canonical piece. MIDI_NO_MEMORY: they are unchanged. */
enum midi_status chord_guess(struct piece *p);
/* The same of music whose bass is missing: only notes below this pitch are a bass. */
enum midi_status chord_guess_without_bass(struct piece *p, int bass_below);

#endif
