/* Pastes a clipboard into the score, once or several times in a row. UI thread only. */
#ifndef APP_PASTE_H
#define APP_PASTE_H

#include "app/editor/session/session.h"

/* Pastes in one step of the history; `label` ("paste") names it and begins the message. The
 * clipboard's first track goes to `track`, the others to those after it; missing tracks are
 * added. `origin` is in ticks. Notes that would overlap one of the same pitch are left out;
 * the cursor goes to the pitch of the first that is not. from is not empty; times > 0. */
void paste_clipboard(struct session *s, const struct clipboard *from, int track,
                     int64_t origin, int times, const char *label);

#endif
