/* The places in a beat where the notes of a piece begin, leant on: what is written for a
 * quantised piece does not drag and rush as a human drummer does, of whom the model has
 * heard as well. Drums keep to their own subdivision, halved to sixteenths for fills; all
 * else to sixteenths, thirty-seconds and triplets. A piece that was played freely binds
 * nobody. A bounded bias of the logits. Pure functions, any thread. */
#ifndef APP_LATTICE_H
#define APP_LATTICE_H

#include "midi/tokens/piece.h"

/* Bit p: a note may begin p steps after a quarter, counted from its bar line. */
struct lattice {
    uint32_t drums, others; /* all bits: anywhere */
    uint64_t drum_tracks;
};

struct lattice lattice_of(const struct piece *p, const bool tracks[TOKEN_MAX_TRACKS]);
/* There is something to lean: among what is allowed [TOKEN_COUNT] there are positions, or
 * `position`, where a note would begin, is none of the lattice's. */
bool lattice_wants(const struct lattice *l, int64_t position, const uint8_t *allowed);
/* Adds to the logits [TOKEN_COUNT] of tokens that are allowed [TOKEN_COUNT], of a note that
 * begins `position` steps after the bar line; of positions, those after `base`. */
void lattice_bias(const struct lattice *l, int64_t position, int64_t base,
                  const uint8_t *allowed, float *logits);

#endif
