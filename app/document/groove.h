/* Quantising: notes go to the lines of a grid, all the way or a part of it, straight or
 * swung.
 *
 * The grid divides every bar anew. Swing is told as on Linn's MPC: where the second step
 * of each pair begins, in percent of the pair; 50 is straight, 66 a triplet, 75 a dotted
 * step and its half. A grid whose pairs do not fit into beats, of triplets say, is never
 * swung.
 *
 * What counts is how a note was played (midi/score/played.h): half the way, done twice, is half
 * the way. Pure functions, any thread. */
#ifndef APP_GROOVE_H
#define APP_GROOVE_H

#include "app/document/grid_step.h"
#include "midi/score/score.h"

enum groove_ends {
    GROOVE_ENDS_FOLLOW,  /* the length stays */
    GROOVE_ENDS_LINES,   /* ends go to lines of the grid as starts do */
    GROOVE_ENDS_LENGTHS, /* lengths become whole steps */
};

struct groove {
    int strength; /* percent of the way, 0..100 */
    bool starts;  /* whether they move */
    enum groove_ends ends;
    int swing; /* percent of a pair, 50..75 */
    int within; /* percent of a step: what is farther from its line stays; 0: none does */
};

extern const struct groove GROOVE_DEFAULT; /* starts, all the way, straight */

enum { GROOVE_TEXT = 64 }; /* bytes that hold any groove's text */

struct groove_grid {
    const struct timeline *timeline; /* whose bars */
    struct lattice lattice;          /* and what divides them */
};

/* The line nearest to the tick, the later of two as near. */
int64_t groove_line(const struct groove_grid *grid, int swing, int64_t tick);
/* The first one after it. */
int64_t groove_line_after(const struct groove_grid *grid, int swing, int64_t tick);

/* Lengths of 0 stay; others never become 0. */
void groove_quantise(const struct groove *g, const struct groove_grid *grid,
                     struct note *n);

/* "80% start end swing 56 within 30%", in any order; what is not said stays, but where
 * start, end or length is said, those that are not do not move. "straight" is swing 50.
 * false: something else, and nothing changed. */
bool groove_parse(const char *text, struct groove *g);
/* Reads back as the same; buf is returned. */
const char *groove_format(const struct groove *g, char buf[GROOVE_TEXT]);

#endif
