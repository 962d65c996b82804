/* Where the lines of the steering panel are. Pure. */
#ifndef TUI_STEER_PANEL_H
#define TUI_STEER_PANEL_H

#include "tui/paint/list.h"

struct steer_panel {
    struct list_box box;
    int value, n_value;   /* columns: start and width of the values, */
    int less, more;       /* arrows of the chosen line, */
    int slider, n_slider; /* start and width of sliders; width 0: no room */
};

struct steer_panel steer_panel_for(const struct layout *l, int n_lines, int chosen);

#endif
