/* Pieces written by hand, a note or a pattern of notes at a time, in common time. */
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

/* Steps as a number, or in bars, quarters and eighths: "24", "1q", "2b1q", "1e". */
static inline int read_steps(const char **at)
{
    static const char UNITS[] = "bqe";
    static const int STEPS[] = {4 * QUARTER, QUARTER, QUARTER / 2};
    int sum = 0;
    do {
        const int n = (int)strtol(*at, (char **)at, 10);
        const char *unit = **at ? strchr(UNITS, **at) : NULL;
        sum += n * (unit ? STEPS[unit - UNITS] : 1);
        *at += unit != NULL;
    } while (**at >= '0' && **at <= '9');
    return sum;
}

/* "1q: 60 62 60+64 -" over and over from one step up to another: pitches, together or none, each
 * that far from the one before and that long; "1q/1:" is shorter. `up`: semitones. */
static inline void hand_play(struct hand_piece *h, int track, int from, int to, int up,
                             const char *pattern)
{
    const char *at = pattern, *first;
    const int apart = read_steps(&at),
              length = *at == '/' ? (at++, read_steps(&at)) : apart;
    for (first = at = at + strspn(at, ": "); from < to; from += apart) {
        do {
            if (*at != '-')
                hand_note(h, track, from, length, (int)strtol(at, NULL, 10) + up);
            at += strcspn(at, "+ ");
        } while (*at++ == '+');
        at = at[-1] ? at : first;
    }
}

#endif
