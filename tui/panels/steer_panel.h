/* The panel of steering values, framed over the roll: where its lines are. Pure. */
#ifndef TUI_STEER_PANEL_H
#define TUI_STEER_PANEL_H

#include "tui/paint/list_box.h"

struct steer_panel {
    struct list_box box;
    int value, n_value;   /* columns: where values begin and how wide they are, */
    int less, more;       /* the arrows of the chosen one, */
    int slider, n_slider; /* and what shows where it lies; 0: no room */
};

struct steer_panel steer_panel_for(const struct layout *l, int n_lines, int chosen);

#endif
