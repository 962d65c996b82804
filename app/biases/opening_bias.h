/* The tune of a band that begins a score without notes has no piece to be like: it goes on neither
 * in one rhythm nor on one pitch nor by leaps, and in eighths at most. A bounded bias. Pure function, any
 * thread. */
#ifndef APP_OPENING_BIAS_H
#define APP_OPENING_BIAS_H

#include "app/biases/place.h"

/* Of positions, pitches and lengths; the place's track is the tune. */
void opening_bias_apply(const struct place *at);

#endif
