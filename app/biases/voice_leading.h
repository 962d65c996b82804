/* Keeps the rules of part writing that a piece keeps: between tracks of one note at a time, no
 * parallel fifths and octaves, and no crossing. How often the piece breaks each rule is counted;
 * a rule that it breaks often, as a pop song does, is not one. A bounded bias of the logits.
 * Pure functions, any thread. */
#ifndef APP_VOICE_LEADING_H
#define APP_VOICE_LEADING_H

#include "midi/tokens/piece.h"

struct voice_leading {
    uint64_t lines;                 /* bit t: track t has one note at a time, */
    uint64_t missing;               /* had no notes: it plays in unison with none */
    uint64_t ranked;                /* and notes that tell its rank */
    uint8_t rank[TOKEN_MAX_TRACKS]; /* of a line: 0 for the highest on the mean */
    float parallels, crossing;      /* nats, 0 or less, for each pair of lines */
};

/* Of the notes before step `end`. missing: bit t: track t has no notes, but will have some; one at
 * a time if its instrument plays so, or the lines of its family do. */
struct voice_leading voice_leading_of(const struct piece *p, int64_t end,
                                      uint64_t missing);
/* Adds to the logits [TOKEN_COUNT] of pitches that are allowed [TOKEN_COUNT], for a note of
 * the track at this step. p: the piece so far, with the written notes. */
void voice_leading_apply(const struct voice_leading *v, const struct piece *p,
                         int track, int64_t step, const uint8_t *allowed,
                         float *logits);

#endif
