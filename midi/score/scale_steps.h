/* Going by the steps of a scale, told by its pitch classes (scale_mask, midi/score/scale.h).
 * Pitches are 0..127; mask is never 0. Pure functions, any thread. */
#ifndef MIDI_SCALE_STEPS_H
#define MIDI_SCALE_STEPS_H

#include <stdbool.h>
#include <stdint.h>

bool scale_has(uint16_t mask, int pitch);
/* So many steps up, or down where `by` is negative. From between two steps the first of
 * them leads onto the scale. -1: there is no such pitch. */
int scale_step(uint16_t mask, int pitch, int by);
/* Of two as near, the lower. */
int scale_nearest(uint16_t mask, int pitch);

#endif
