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

/* After whatever may have changed modes, takes or the view: gives the list of takes its
 * place, or takes it back, and frames the hole, or goes back. */
void framing_follow(struct session *s);
/* The same after a command: what moved the view and not the cursor was meant to. */
void framing_acted(struct session *s);
/* The view is not gone back to: another piece is opened. */
void framing_forget(struct session *s);
/* Pitches are folded away so that the take is seen. */
bool framing_folds(const struct session *s);
/* They are shown again: the user moves the view up and down, which is theirs then. */
void framing_unfold(struct session *s);
/* Where Space begins: at the hole that is shown, unless the cursor was put in or before it.
 * Negative: no take is looked at. */
int64_t framing_play_from(const struct session *s);

#endif
