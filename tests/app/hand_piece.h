/* Pieces written by hand, a note at a time, in common time. */
#ifndef TESTS_APP_HAND_PIECE_H
#define TESTS_APP_HAND_PIECE_H

#include "tests/app/auto.h"

#include <string.h>

enum { HAND_NOTES = 4096, QUARTER = STEPS_PER_QUARTER };

struct hand_piece {
    struct grid_note notes[HAND_NOTES];
    struct grid_meter meters[2];
    struct piece piece; /* of the two above; never piece_fini */
};

static inline void hand_begin(struct hand_piece *h, int n_bars)
{
    memset(h, 0, sizeof *h);
    h->meters[0] = (struct grid_meter){0, 4, 4};
    h->piece = (struct piece){
        .notes = h->notes, .meters = h->meters, .n_meters = 1, .n_bars = n_bars};
}

static inline void hand_note(struct hand_piece *h, int track, int step, int length,
                             int pitch)
{
    h->notes[h->piece.n_notes++] = (struct grid_note){.step = step,
                                                      .length = length,
                                                      .track = (uint8_t)track,
                                                      .pitch = (uint8_t)pitch};
    piece_sort(&h->piece);
}

/* Quarter notes in a row from a step on. */
static inline void hand_line(struct hand_piece *h, int track, int step,
                             const int *pitches, int n)
{
    for (int i = 0; i < n; i++)
        hand_note(h, track, step + i * QUARTER, QUARTER, pitches[i]);
}

#endif
