/* Quantising: moves notes to the lines of a grid, fully or partly, straight or swung.
 *
 * The grid starts again in every bar. Swing is given as on Linn's MPC: where the second
 * step of each pair begins, in percent of the pair; 50 is straight, 66 a triplet, 75 a
 * dotted step and its half. A grid whose pairs do not fit into beats, such as triplets, is
 * never swung.
 *
 * It starts from the played time (midi/score/notes.h): half the way, done twice, is half
 * the way. Pure functions, any thread. */
#ifndef APP_GROOVE_H
#define APP_GROOVE_H

#include "midi/score/score.h"

/* The step of the grid that the cursor and notes move by: a part of a whole note,
 * straight, a triplet's or dotted; or none.
 *
 *   1/1 1/2 1/4 ... 1/64      1/16T  two thirds of it      1/8.  half as long again
 *   free                      no lines but the bars'
 *
 * Plain data; pure functions. */

enum grid_kind { GRID_STRAIGHT, GRID_TRIPLET, GRID_DOTTED, N_GRID_KINDS };

enum { GRID_FINEST = 64, GRID_STEP_TEXT = 8 };

struct grid_step {
    int division; /* of a whole note: a power of two from 1 to GRID_FINEST */
    enum grid_kind kind;
    bool is_free;
};

#define GRID_STEP_DEFAULT ((struct grid_step){.division = 16})

/* Reads a step, with or without "1/", in upper or lower case. Of a free step only is_free is set.
 * false: the text is no step, and nothing changed. */
bool grid_step_parse(const char *text, struct grid_step *out);
/* Writes a step so that reading gives the same. Returns buf. */
const char *grid_step_format(const struct grid_step *g, char buf[GRID_STEP_TEXT]);

/* Steps of a grid that need not be whole ticks: `ticks` ticks are `steps` steps. A step is never less
 * than a tick. */
struct lattice {
    int64_t ticks, steps;
};
/* Returns the lattice of a step; is_free is ignored. */
struct lattice grid_step_lattice(const struct grid_step *g, int ticks_per_quarter);
/* Returns the distance of line k from line 0, to the nearest tick; k >= 0. */
static inline int64_t lattice_line(const struct lattice *l, int64_t k)
{
    return (2 * k * l->ticks + l->steps) / (2 * l->steps);
}
/* Returns the number of the last line at or before `ticks`, which is at least 0. */
static inline int64_t lattice_before(const struct lattice *l, int64_t ticks)
{
    return ((2 * ticks + 1) * l->steps - 1) / (2 * l->ticks); /* lines are rounded */
}

enum groove_ends {
    GROOVE_ENDS_FOLLOW,  /* the length stays */
    GROOVE_ENDS_LINES,   /* ends go to lines of the grid as starts do */
    GROOVE_ENDS_LENGTHS, /* lengths become whole steps */
};

struct groove {
    int strength; /* percent of the way, 0..100 */
    bool starts;  /* whether starts move */
    enum groove_ends ends;
    int swing;  /* percent of a pair, 50..75 */
    int within; /* percent of a step: notes farther from the line stay; 0: no limit */
};

extern const struct groove GROOVE_DEFAULT; /* starts move all the way, straight */

enum { GROOVE_TEXT = 64 }; /* bytes that hold any groove's text */

struct groove_grid {
    const struct timeline *timeline; /* its bars begin the grid anew */
    struct lattice lattice;          /* divides the bars */
};

/* Returns the line nearest to the tick, the later of two equally near. */
int64_t groove_line(const struct groove_grid *grid, int swing, int64_t tick);
/* Returns the first line after the tick. */
int64_t groove_line_after(const struct groove_grid *grid, int swing, int64_t tick);

/* Quantises a note. A length of 0 stays; another never becomes 0. */
void groove_quantise(const struct groove *g, const struct groove_grid *grid,
                     struct note *n);

/* Reads "80% start end swing 56 within 30%", in any order. Parts that are not given stay, but if one of
 * start, end and length is given, the others do not move. "straight" is swing 50. false: the text is
 * something else, and nothing changed. */
bool groove_parse(const char *text, struct groove *g);
/* Writes a groove so that reading gives the same. Returns buf. */
const char *groove_format(const struct groove *g, char buf[GROOVE_TEXT]);

#endif
