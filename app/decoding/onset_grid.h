/* A bounded bias of the logits towards the places in a beat where the piece's notes begin. A
 * take for a quantised piece then does not drag and rush as the human drummers in the training
 * music do. Drums keep to their own subdivision, halved to sixteenths for fills. Other tracks
 * keep to sixteenths, thirty-seconds and triplets; a tune of quarters and eighths is seldom
 * divided further. A freely played piece has no bias. Pure functions, any thread. */
#ifndef APP_ONSET_GRID_H
#define APP_ONSET_GRID_H

#include "midi/tokens/piece.h"

/* Bit p: a note may begin p steps after a quarter, counted from its bar line. */
struct onset_grid {
    uint32_t drums, others; /* all bits: anywhere */
    uint32_t common;        /* of `others`, those that are not rare */
    uint64_t drum_tracks;
};

struct onset_grid onset_grid_of(const struct piece *p,
                                const bool tracks[TOKEN_MAX_TRACKS]);
/* Whether there is a bias to add: `allowed` [TOKEN_COUNT] has positions, or `position`, where
 * a note would begin, is not on the grid. */
bool onset_grid_is_needed(const struct onset_grid *l, int64_t position,
                          const uint8_t *allowed);
/* Adds the bias to the logits [TOKEN_COUNT] of allowed [TOKEN_COUNT] tokens: those of a note
 * that begins `position` steps after the bar line, and positions after `base`. */
void onset_grid_bias(const struct onset_grid *l, int64_t position, int64_t base,
                     const uint8_t *allowed, float *logits);

#endif
