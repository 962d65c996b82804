/* The figures beside the inspector's drawings; inner parts of inspect_shape. */
#ifndef APP_INSPECT_FIGURES_H
#define APP_INSPECT_FIGURES_H

struct session;

/* How it is looked at, and why there is nothing to see yet. */
void inspect_shape_state(struct session *s);
/* Of a report that has the chosen note. */
void inspect_shape_figures(struct session *s);

#endif
