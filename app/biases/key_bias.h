/* A bounded bias of the logits towards the pitch classes of the piece: a class that it
 * hardly uses becomes less likely. The bias fades over 24 bars, since long pieces modulate.
 * A piece that uses all twelve has no bias; one without notes, or with few, which fit it, is held
 * to its key signature.
 * Pure functions, any thread. */
#ifndef APP_KEY_BIAS_H
#define APP_KEY_BIAS_H

#include "app/biases/place.h"

struct key_bias {
    float cost[12]; /* nats, by pitch class */
    int64_t from;   /* the step where the take begins */
};

/* key: the pitch classes of the key signature; 0: there is none. */
struct key_bias key_bias_of(const struct piece *p, uint16_t key, int64_t from);
/* Of pitches. */
void key_bias_apply(const struct key_bias *k, const struct place *at);

#endif
