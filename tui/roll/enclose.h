/* Changes the viewport so that a span of time and all notes of a take in it are in
 * view. It moves the view, zooms out and folds away pitches without notes, in this
 * order and no further than needed. Pure. */
#ifndef TUI_ENCLOSE_H
#define TUI_ENCLOSE_H

#include "tui/view/layout.h"

struct enclosing {
    int64_t from, to;           /* ticks that must be in view */
    int64_t quarter;            /* ticks of a quarter note, at least 1 */
    int64_t lead;               /* ticks before `from` to show if possible */
    struct pitch_set wanted;    /* to show if no folding is needed */
    struct pitch_set needed;    /* some of these, to show in any case */
    const struct ghost *ghosts; /* of the take, ascending by start */
    size_t n_ghosts;
    int rows_below; /* rows at the roll's foot that are covered */
};

/* Leaves the roll's first row free for the hole's name. If there are more pitches than
 * rows, neighbours share a row (layout_row), first those that sound together least. */
void viewport_enclose(struct viewport *p, const struct layout *l,
                      const struct enclosing *e);

#endif
