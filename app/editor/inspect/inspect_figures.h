/* Inner parts of inspect_shape: the figures beside the drawings, the view of a take that is
 * being written, and memory for both. UI thread only. */
#ifndef APP_INSPECT_FIGURES_H
#define APP_INSPECT_FIGURES_H

#include "app/editor/inspect/inspect.h"

/* Shapes how the note is viewed, and why there is nothing to show yet. */
void inspect_shape_state(struct session *s);
/* Shapes the figures of a report that has the chosen note. */
void inspect_shape_figures(struct session *s);
/* Shapes the newest attention row, in place of a report. */
void inspect_shape_live(struct session *s);

/* Makes room for n notes and their shades, or for n cells of the matrix. false, NULL: out of
 * memory. */
bool inspect_make_room(struct inspect_shapes *to, size_t n);
float *inspect_matrix_room(struct inspect_shapes *to, size_t n);
/* Sets the notes' shades, from shapes.shades, and their ranks. */
void inspect_shade_notes(struct session *s, int chosen);

#endif
