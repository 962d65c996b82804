/* Scrolls what a command is about into view; the view stays if it is visible already. UI
 * thread only. */
#ifndef APP_SCROLL_H
#define APP_SCROLL_H

#include "app/editor/session/session.h"

/* Of the active track's notes in the visible time, the pitch nearest the cursor's. If one of
 * them is visible, or there are none: the cursor's pitch. */
int scroll_pitch_of_track(const struct session *s);

/* Moves the cursor to the nearest of the notes that a change adds, removes or alters, unless
 * one of them is visible. */
void scroll_to_change(struct session *s, const struct change *c);

#endif
