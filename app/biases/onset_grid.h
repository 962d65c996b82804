/* A bounded bias of the logits towards the positions in a beat where the piece's notes
 * begin. A take for a quantised piece then does not drag and rush as the human drummers in
 * the training music do, and a swung piece stays swung. Drums keep to their own
 * subdivision, halved to sixteenths for fills; other tracks keep to sixteenths,
 * thirty-seconds and triplets. Within these, a track rarely begins a note at a position
 * where it has begun none. Drums without notes use the positions of the other tracks, and
 * the other way round. A freely played piece has no bias. Pure functions, any thread. */
#ifndef APP_ONSET_GRID_H
#define APP_ONSET_GRID_H

#include "app/biases/place.h"

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
/* Of positions, and of what begins at the present one. */
void onset_grid_apply(const struct onset_grid *g, const struct place *at);

#endif
