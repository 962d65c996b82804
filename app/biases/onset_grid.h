/* A bounded bias of the logits towards the places in a beat where the piece's notes begin. A
 * take for a quantised piece then does not drag and rush as the human drummers in the training
 * music do, and a swung piece stays swung. Drums keep to their own subdivision, halved to
 * sixteenths for fills; other tracks keep to sixteenths, thirty-seconds and triplets. Within
 * these, a track seldom begins a note where it has begun none. Drums
 * that have played nothing yet take the places of the others, and likewise. A freely played
 * piece has no bias. Pure functions, any thread. */
#ifndef APP_ONSET_GRID_H
#define APP_ONSET_GRID_H

#include "midi/tokens/piece.h"

/* Bit p: a note may begin p steps after a quarter, counted from its bar line. */
struct onset_places {
    uint32_t possible;
    uint32_t common; /* of these, those that are not rare, */
    float rare;      /* and what the others cost, nats */
};

struct onset_grid {
    /* None of a track that is not asked for. */
    struct onset_places of[TOKEN_MAX_TRACKS];
    struct onset_places any; /* of any track */
};

struct onset_grid onset_grid_of(const struct piece *p,
                                const bool tracks[TOKEN_MAX_TRACKS]);
/* Adds the bias to the logits [TOKEN_COUNT] of allowed [TOKEN_COUNT] tokens: those of a note
 * that begins `position` steps after the bar line, on `track` (-1: none was said) if no other
 * is chosen, and positions after `base`. */
void onset_grid_bias(const struct onset_grid *g, int track, int64_t position,
                     int64_t base, const uint8_t *allowed, float *logits);

#endif
