/* Harmonises a tune that plays alone: a chord for each half bar, from the notes, the key around
 * and the chords before, by dynamic programming (as Simon, Morris & Basu, "MySong: Automatic
 * Accompaniment Generation for Vocal Melodies", CHI 2008). Triads and dominant sevenths; keys
 * are found likewise, so that chords modulate with the tune. Pure function, any thread. */
#ifndef APP_CHORD_TUNE_H
#define APP_CHORD_TUNE_H

#include "app/biases/cadence.h"
#include "midi/tokens/piece.h"

/* The chords of the bars that [from, to) touches, steps, from the pitched notes of p. Free *out.
 * MIDI_NO_MEMORY: *out is
 * NULL. */
enum midi_status chord_tune(struct grid_chord **out, size_t *n, const struct piece *p,
                            const struct signature *signature, int64_t from,
                            int64_t to);

#endif
