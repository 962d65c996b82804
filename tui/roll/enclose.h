/* A view in which a span of time and all notes of a take in it are seen at once: it is
 * moved, zoomed out, and pitches without notes are folded away, in that order and only as
 * far as it takes. Pure. */
#ifndef TUI_ENCLOSE_H
#define TUI_ENCLOSE_H

#include "tui/view/layout.h"

struct enclosing {
    int64_t from, to;           /* ticks that are to be seen */
    int64_t quarter;            /* ticks of a quarter note, at least 1 */
    int64_t lead;               /* ticks before `from` that are welcome */
    struct pitch_set wanted;    /* seen where that takes no folding */
    struct pitch_set needed;    /* some of those, seen in any case */
    const struct ghost *ghosts; /* the take's, [n_ghosts], ascending by start */
    size_t n_ghosts;
    int rows_below; /* at the roll's foot, that something covers */
};

/* The roll's first row stays free, for the name of the hole. Where there are more pitches
 * than rows, neighbours share one (layout_row): those whose notes sound together least. */
void viewport_enclose(struct viewport *p, const struct layout *l,
                      const struct enclosing *e);

#endif
