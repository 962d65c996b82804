/* What the actions on tracks as wholes share. */
#ifndef APP_TRACKS_H
#define APP_TRACKS_H

#include "app/session.h"

/* The active track, to be changed; NULL, which is said: there is none. */
struct track *tracks_active(struct session *s);
/* Makes another the active one, in sight in the list. */
void tracks_choose(struct session *s, int track);

#endif
