/* The longest run of notes that a piece has in common with others: how much of
 * what a model wrote it had read.
 *
 * A run is of consecutive notes of one track, notes of one onset from the
 * lowest up. Two runs are the same when their durations are, and the intervals
 * from note to note, so that a copy does not hide by being transposed; rests
 * are not compared.
 *
 * The pieces asked about are few and go into an automaton; the pieces they
 * might be copied from, however many, are then read once each. */
#ifndef APP_COPIED_H
#define APP_COPIED_H

#include "midi/tokens/piece.h"

struct copied;

/* The pieces are not needed afterwards. NULL: out of memory. */
struct copied *copied_create(const struct piece *pieces, size_t n_pieces);
void copied_destroy(struct copied *c); /* NULL is fine */

/* A piece that might have been copied from; `source` names it in answers. */
void copied_read(struct copied *c, const struct piece *p, int source);

struct copied_run {
    int n_notes; /* 0, or 2 and more */
    int source;
    uint8_t track; /* of the source, where the run's last note begins */
    int32_t step;  /* at this step */
};

/* Settles what was read; false: out of memory. Then the longest run of each
 * piece may be asked for. */
bool copied_finish(struct copied *c);
struct copied_run copied_longest(const struct copied *c, size_t piece);

#endif
