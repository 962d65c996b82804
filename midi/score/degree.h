/* Moving by steps of a scale (as midi/score/scale_steps.h does), but so that what is outside it
 * stays so. The scale is given by its pitch classes (scale_mask of midi/score/scale.h; never 0).
 * Pitches may be any numbers, also beyond MIDI's. Pure functions, any thread. */
#ifndef MIDI_DEGREE_H
#define MIDI_DEGREE_H

#include <stdint.h>

/* The highest pitch of the scale that is not above this one. */
int degree_floor(uint16_t mask, int pitch);
/* So many steps up, or down; a pitch outside the scale stays as far above the step below
 * it as it was. */
int degree_move(uint16_t mask, int pitch, int steps);

#endif
