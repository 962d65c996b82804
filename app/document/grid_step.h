/* The step of the grid that the cursor and notes move by: a part of a whole note,
 * straight, a triplet's or dotted; or none.
 *
 *   1/1 1/2 1/4 ... 1/64      1/16T  two thirds of it      1/8.  half as long again
 *   free                      no lines but the bars'
 *
 * Plain data; pure functions. */
#ifndef APP_GRID_STEP_H
#define APP_GRID_STEP_H

#include <stdbool.h>
#include <stdint.h>

enum grid_kind { GRID_STRAIGHT, GRID_TRIPLET, GRID_DOTTED, N_GRID_KINDS };

enum { GRID_FINEST = 64, GRID_STEP_TEXT = 8 };

struct grid_step {
    int division; /* of a whole note: a power of two from 1 to GRID_FINEST */
    enum grid_kind kind;
    bool is_free;
};

#define GRID_STEP_DEFAULT ((struct grid_step){.division = 16})

/* false: no such step, and nothing changed. In any case, with or without "1/"; the text
 * may be anything. Of a free one only is_free is set. */
bool grid_step_parse(const char *text, struct grid_step *out);
/* Buf is returned, and read back exactly. */
const char *grid_step_format(const struct grid_step *g, char buf[GRID_STEP_TEXT]);

/* A step of the lattice, which need not be whole: `ticks` of them are `steps` steps.
 * Never less than a tick. What is free is as if it were not. */
struct lattice {
    int64_t ticks, steps;
};
struct lattice grid_step_lattice(const struct grid_step *g, int ticks_per_quarter);
/* Where line k is, k >= 0, from line 0 on: to the nearest tick. */
int64_t lattice_line(const struct lattice *l, int64_t k);
/* The last line at or before `ticks`, which is at least 0. */
int64_t lattice_before(const struct lattice *l, int64_t ticks);

#endif
