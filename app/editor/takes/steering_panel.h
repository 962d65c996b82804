/* The panel of steering values, MODE_STEER. UI thread only. */
#ifndef APP_STEERING_PANEL_H
#define APP_STEERING_PANEL_H

#include "app/generation/steer.h"
#include "tui/view/view.h"

/* Tests look into it, others do not. */
struct steering_panel {
    struct steering before; /* as it was when the panel was opened */
    int chosen;
    struct steer_line lines[STEER_MAX_ROWS]; /* the view points at */
    char summary[96];
};

#endif
