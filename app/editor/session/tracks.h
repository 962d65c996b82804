/* What the actions on tracks as wholes share. */
#ifndef APP_TRACKS_H
#define APP_TRACKS_H

#include "app/editor/session/session.h"

/* The active track, to be changed; NULL, which is said: there is none. */
struct track *tracks_active(struct session *s);
/* Makes another the active one, in sight in the list. */
void tracks_choose(struct session *s, int track);

/* act_mix.c: the column of the mixer that is chosen in the list. */
enum mix_knob mix_chosen(const struct session *s);
/* At one of its columns: a press chooses that, of the active track, and the wheel turns it,
 * of the one there. false: it is not there. */
bool mix_press(struct session *s, const struct command *c);
bool mix_wheel(struct session *s, const struct command *c);

#endif
