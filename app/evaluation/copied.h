/* Finds the longest run of notes that a piece shares with other pieces: how much a model copied
 * from its training music. One thread.
 *
 * A run is consecutive notes of one track; notes of one onset go from the lowest up. Two runs
 * are equal if their durations and their intervals from note to note are, so that a transposed
 * copy is found, too. Rests are not compared.
 *
 * The few pieces in question go into an automaton; each possible source is then read once. */
#ifndef APP_COPIED_H
#define APP_COPIED_H

#include "midi/tokens/piece.h"

struct copied;

/* The pieces are not needed afterwards. NULL: out of memory. */
struct copied *copied_create(const struct piece *pieces, size_t n_pieces);
void copied_destroy(struct copied *c); /* NULL is fine */

/* Reads a possible source of copies; results name it by `source`. */
void copied_read(struct copied *c, const struct piece *p, int source);

struct copied_run {
    int n_notes; /* 0, or 2 and more */
    int source;
    uint8_t track; /* of the source, where the run's last note begins */
    int32_t step;  /* at this step */
};

/* Call after the last source, and before copied_longest. false: out of memory. */
bool copied_finish(struct copied *c);
struct copied_run copied_longest(const struct copied *c, size_t piece);

#endif
