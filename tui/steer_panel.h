/* The panel of steering values, framed over the roll: where its lines are. Pure. */
#ifndef TUI_STEER_PANEL_H
#define TUI_STEER_PANEL_H

#include "tui/layout.h"

struct steer_panel {
    struct region frame; /* its borders, too */
    int first, n_shown; /* lines; as many as there is room for, the chosen among them */
    int value, n_value; /* columns: where values begin and how wide they are, */
    int less, more;     /* the arrows of the chosen one, */
    int slider, n_slider; /* and what shows where it lies; 0: no room */
};

struct steer_panel steer_panel_for(const struct layout *l, int n_lines, int chosen);
int steer_panel_line_at(const struct steer_panel *p, int column, int row); /* or -1 */

#endif
