/* The view while takes are shown. It encloses the hole and all its notes
 * (tui/roll/enclose.h); the list of takes is beside them. Afterwards the view and the
 * cursor go back to where they were. If the user moves the view, it stays there. */
#ifndef APP_FRAMING_H
#define APP_FRAMING_H

#include "app/editor/session/session.h"

/* Zero-initialise it. Ui thread only. */
struct framing {
    bool is_on, is_loose;   /* is_loose: the user has moved the view */
    struct viewport before; /* the view before the frame, which comes back, */
    struct viewport port;   /* the framed view, */
    struct viewport last;   /* and the view at the last check */
    struct roll_point cursor_before, cursor; /* likewise */
    int64_t last_tick;
    uint64_t made_for; /* a hash of what `port` was made for */
};

/* Call when takes are requested: the view goes to them, also if the user had moved it. */
void framing_begin_anew(struct session *s);
/* Unfolds the rows, so that the user may move the view up and down. */
void framing_unfold(struct session *s);
/* Returns the tick where Space starts to play: the hole's start, unless the user put the cursor
 * in or before the hole. Negative: no take is shown. */
int64_t framing_play_from(const struct session *s);

#endif
