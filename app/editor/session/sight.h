/* Keeping in sight what a command is about, without moving the view where it is already.
 * UI thread only. */
#ifndef APP_SIGHT_H
#define APP_SIGHT_H

#include "app/editor/session/session.h"

/* The active track's pitch that is nearest the cursor's, of the notes in the time that is
 * seen; the cursor's, where one of them is in sight or there are none. */
int sight_of_track(const struct session *s);

/* Takes the cursor to the nearest of the notes that a change puts, takes or alters, unless
 * one of them is in sight. */
void sight_show_change(struct session *s, const struct change *c);

#endif
