/* Inner parts of inspect_shape: the figures beside the drawings, the view of a take that
 * is being written, and the room for both. */
#ifndef APP_INSPECT_FIGURES_H
#define APP_INSPECT_FIGURES_H

#include "app/editor/inspect/inspect.h"

/* How it is looked at, and why there is nothing to see yet. */
void inspect_shape_state(struct session *s);
/* Of a report that has the chosen note. */
void inspect_shape_figures(struct session *s);
/* Of the newest row; in place of a report. */
void inspect_shape_live(struct session *s);

/* Room for n notes and their shades, and for n cells of the matrix. false and NULL: out of
 * memory. */
bool inspect_make_room(struct inspect_shapes *to, size_t n);
float *inspect_matrix_room(struct inspect_shapes *to, size_t n);
/* The notes' shades, of what stands in shapes.shades, and their ranks. */
void inspect_shade_notes(struct session *s, int chosen);

#endif
