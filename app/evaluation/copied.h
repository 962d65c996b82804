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

/* A suffix automaton (Blumer et al. 1985) of a text of 32-bit symbols: it has a state for each
 * set of substrings that end at the same places of the text. Walking another text through it
 * takes time proportional to that text's length, and gives at every symbol its longest suffix
 * that the first text contains.
 *
 * The owner builds it once; walking it changes nothing. */

struct automaton_state {
    int32_t length; /* of the longest substring here; 0 at the root, state 0 */
    int32_t link;   /* to the state of its longest suffix that is not here; -1 */
    int32_t edges;  /* the first of its edges, -1: none */
};

struct automaton_edge {
    uint32_t symbol;
    int32_t from, to, next; /* next edge of the same state, -1: none */
};

struct automaton {
    struct automaton_state *states; /* [n_states] */
    struct automaton_edge *edges;   /* [n_edges] */
    int32_t *table; /* [mask + 1] edges by hash of (from, symbol), -1: empty */
    size_t mask;
    int32_t n_states, n_edges;
    int32_t last; /* the state of the whole text */
};

/* Makes room for a text of n symbols. false: out of memory, or n is too large. */
bool automaton_init(struct automaton *a, size_t n);
void automaton_fini(struct automaton *a); /* also when zeroed */

/* Appends a symbol to the text; at most n times. */
void automaton_append(struct automaton *a, uint32_t symbol);

/* Another text's progress: its longest suffix that the first text contains, by state and
 * length. Zero at first. */
struct automaton_match {
    int32_t state, length;
};
void automaton_walk(const struct automaton *a, struct automaton_match *m,
                    uint32_t symbol);

#endif
