/* The view while takes are shown. It encloses the hole and all its notes
 * (tui/roll/enclose.h); the list of takes is beside them. Afterwards the view and the
 * cursor go back to where they were. If the user moves the view, it stays there. */
#ifndef APP_FRAMING_H
#define APP_FRAMING_H

#include "app/editor/session/session.h"

/* Zero-initialise. UI thread. */
struct framing {
    bool is_on, is_loose;                    /* loose: the user has moved the view */
    struct viewport before;                  /* where it goes back to, */
    struct viewport port;                    /* where it is, */
    struct viewport last;                    /* and its value at the last check */
    struct roll_point cursor_before, cursor; /* in the same way */
    int64_t last_tick;
    uint64_t made_for; /* a hash of what `port` was made for */
};

/* New takes were requested: the view goes to them, also if the user had moved it. */
void framing_begin_anew(struct session *s);
/* The takes are shown again, and the user may move the view up and down. */
void framing_unfold(struct session *s);
/* The tick where Space starts to play: the hole's start, unless the user put the cursor
 * in or before the hole. Negative: no take is shown. */
int64_t framing_play_from(const struct session *s);

#endif
