/* Keeps a take as free of clashes as its piece. A note clashes if it begins a semitone, or that
 * and octaves, from one that sounds. How many of the piece's last notes do is counted: where
 * many do, as in late or chromatic music, they are no fault. The bias is bounded. Pure functions,
 * any thread. */
#ifndef APP_CLASH_BIAS_H
#define APP_CLASH_BIAS_H

#include "app/biases/place.h"

/* Returns the nats that a clash costs after the notes before step `end`, 0 or less. */
float clash_bias_of(const struct piece *p, int64_t end);
/* Biases pitches. */
void clash_bias_apply(float nats, const struct place *at);

#endif
