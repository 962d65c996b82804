/* The view while takes are looked at: it encloses the hole and all its notes
 * (tui/roll/enclose.h), with the list of takes beside them and not over them, and goes back to
 * where it was afterwards, with the cursor. Whoever moves it then keeps it as it is. */
#ifndef APP_FRAMING_H
#define APP_FRAMING_H

#include "tui/view/view.h"

struct session;

/* Zero-initialise. UI thread. */
struct framing {
    bool is_on, is_loose;                 /* loose: the user has moved the view */
    struct viewport before;               /* where it goes back to, */
    struct viewport port;                 /* where it is, */
    struct viewport last;                 /* and was when it was looked at last */
    int64_t tick_before, tick, last_tick; /* the cursor's, in the same way */
    int pitch_before, pitch;
    uint64_t made_for; /* a sum over what `port` was made for */
};

/* Other takes were asked for: the view goes to them, wherever the user had moved it. */
void framing_begin_anew(struct session *s);
/* They are shown again: the user moves the view up and down, which is theirs then. */
void framing_unfold(struct session *s);
/* Where Space begins: at the hole that is shown, unless the cursor was put in or before it.
 * Negative: no take is looked at. */
int64_t framing_play_from(const struct session *s);

#endif
