/* Putting a passage into the score, once or several times in a row. UI thread only. */
#ifndef APP_PASTE_H
#define APP_PASTE_H

#include "app/editor/session/session.h"

/* One step of the history, whose label ("paste") makes what is said of it, too. Its first
 * track is `track`, the others are those after that, and are added where there are too
 * few; it begins at `origin`, ticks. Notes that would overlap one of the same pitch are
 * left out; the cursor goes to the pitch of the first that is not. The passage is not empty; times is positive. */
void paste_passage(struct session *s, const struct passage *from, int track,
                   int64_t origin, int times, const char *label);

#endif
