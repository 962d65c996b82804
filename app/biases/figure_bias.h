/* A keyboard or guitar that accompanies alone plays a figure, no chord for a whole bar: where a bar
 * or a chord begins a bass note, which may have its octave, and on the other beats what completes
 * the chord above it. A bounded bias. Pure functions, any thread. */
#ifndef APP_FIGURE_BIAS_H
#define APP_FIGURE_BIAS_H

#include "app/biases/place.h"

/* Of positions, pitches and lengths of the track at this place. chord: the one in force; NULL: none. The
 * last bar that is written, if it is no beginning, is left to the model: it may come to rest. */
void figure_bias_apply(const struct grid_chord *chord, const struct place *at,
                       int64_t from);

#endif
