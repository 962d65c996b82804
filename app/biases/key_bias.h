/* Keeps a take to the pitch classes of its piece: a class that the piece hardly uses becomes less
 * likely. The bias is bounded; it fades after eight bars of four quarters and is gone after
 * sixteen, since long pieces modulate. A piece that uses all twelve classes has no bias; a piece
 * without notes, or with few that fit its key signature, is held to that. Pure functions, any
 * thread. */
#ifndef APP_KEY_BIAS_H
#define APP_KEY_BIAS_H

#include "app/biases/place.h"

struct key_bias {
    float cost[12]; /* nats, by pitch class */
    int64_t from;   /* the step where the take begins */
};

/* key: the pitch classes of the key signature; 0: there is none. */
struct key_bias key_bias_of(const struct piece *p, uint16_t key, int64_t from);
/* Biases pitches. */
void key_bias_apply(const struct key_bias *k, const struct place *at);

#endif
