/* A bounded bias of the logits towards the positions in a beat where the piece's notes
 * begin. A take for a quantised piece then does not drag and rush as the human drummers in
 * the training music do, and a swung piece stays swung. Drums keep to their own
 * subdivision, halved to sixteenths for fills; other tracks keep to sixteenths,
 * thirty-seconds and triplets. Within these, a track rarely begins a note at a position
 * where it has begun none. Drums without notes use the positions of the other tracks, and
 * the other way round. A freely played piece has no bias. Pure functions, any thread. */
#ifndef APP_ONSET_GRID_H
#define APP_ONSET_GRID_H

#include "midi/tokens/piece.h"

/* Bit p: a note may begin p steps after a quarter, counted from its bar line. */
struct onset_places {
    uint32_t possible;
    uint32_t common; /* of these, those that are not rare, */
    float rare;      /* and the cost of the others, nats */
};

struct onset_grid {
    /* Nothing for a track that is not requested. */
    struct onset_places of[TOKEN_MAX_TRACKS];
    struct onset_places any; /* of any track */
};

struct onset_grid onset_grid_of(const struct piece *p,
                                const bool tracks[TOKEN_MAX_TRACKS]);
/* Adds the bias to the logits [TOKEN_COUNT] of allowed [TOKEN_COUNT] tokens: those of a
 * note that begins `position` steps after the bar line, on `track` (-1: unknown) if no
 * other is chosen, and positions after `base`. */
void onset_grid_bias(const struct onset_grid *g, int track, int64_t position,
                     int64_t base, const uint8_t *allowed, float *logits);

#endif
