/* How surprising the notes of a piece are to the model. Plain data, pure functions. */
#ifndef APP_SURPRISE_H
#define APP_SURPRISE_H

#include "midi/score/timeline.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct note_surprise {
    uint64_t id; /* of the score's note */
    int track;
    int64_t tick; /* where it begins */
    float nats;   /* summed over its tokens */
};

void surprise_sort(struct note_surprise *notes, size_t n); /* ascending by id */
/* Of notes that ascend by id; NULL: it is not among them. */
const struct note_surprise *surprise_find(const struct note_surprise *notes, size_t n,
                                          uint64_t id);
/* The bar with the highest mean of nats a note, of those with two notes or more; of equal
 * ones the first. tracks: bits of those that count, 0: all. false: there is none, or no
 * memory. */
bool surprise_worst_bar(const struct timeline *t, const struct note_surprise *notes,
                        size_t n, uint64_t tracks, struct bar *bar, float *mean);

#endif
