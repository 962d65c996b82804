/* The session at its screen: one turn of the ui loop, which the workstation goes round
 * and `continuo bench frames` measures. A turn waits, obeys the keys, and shows.
 *
 * Plain data of the ui thread; only what a turn shares with the next is in it. */
#ifndef APP_DESK_H
#define APP_DESK_H

#include "app/editor/session/session.h"
#include "tui/terminal/screen.h"
#include "tui/panels/which_key.h"

struct desk {
    struct session session; /* initialised and finished by the owner, as all here */
    struct screen *screen;
    int wake_fd; /* the read end, not blocking, of the pipe that others write to */
    struct keymap_state keys;
    struct which_key which_key;
    char theme[THEME_NAME_BYTES]; /* as the session last wished it; "": not at all */
    int columns, rows;            /* of the last frame, */
    int64_t shown_ms;   /* and when it was drawn, monotonic; 0: it answered a key */
    bool answers;       /* a key, with the next one */
    bool is_shown;      /* nothing has happened since */
    bool is_behind;     /* a frame is to come, and news went before it */
    int64_t put_off_ms; /* since when no frame is drawn, monotonic; 0: they are */
};

/* Waits for keys or news, most_ms at the most, and less where something moves. Flags of
 * screen_wait. */
int desk_wait(struct desk *d, int most_ms);
/* Runs what the keys ask for; flags: what desk_wait gave. */
void desk_obey(struct desk *d, int flags);
/* Takes what other threads have, and draws. */
void desk_show(struct desk *d);

#endif
