/* One turn of the ui loop: it waits, runs the keys' commands and paints. The workstation
 * runs it; `continuo bench frames` measures it.
 *
 * Plain data of the ui thread: the state between two turns. */
#ifndef APP_UI_LOOP_H
#define APP_UI_LOOP_H

#include "app/editor/session/session.h"
#include "tui/terminal/screen.h"
#include "tui/panels/panels.h"

struct ui_loop {
    struct session session; /* its owner initialises and finishes it */
    struct screen *screen;
    int wake_fd; /* the read end, not blocking, of the pipe that others write to */
    struct keymap_state keys;
    char theme[THEME_NAME_BYTES]; /* the session's last request; "": none */
    int columns, rows;            /* of the last frame, */
    int64_t shown_ms; /* and when it was painted, monotonic; 0: it answered a key */
    bool answers;     /* the next frame answers a key */
    bool is_shown;    /* nothing has happened since the last frame */
    bool is_behind;   /* a frame is due, and news was taken before it */
    bool is_late;     /* not all is written yet, */
    bool was_told;    /* and the user was told that it takes long */
};

/* Waits for keys or news for at most most_ms, less where something moves. Returns the
 * flags of screen_wait. */
int ui_loop_wait(struct ui_loop *d, int most_ms);
/* Runs the keys' commands; flags: the result of ui_loop_wait. */
void ui_loop_execute(struct ui_loop *d, int flags);
/* Takes news of other threads, and paints a frame. */
void ui_loop_show(struct ui_loop *d);

#endif
