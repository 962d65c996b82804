/* The tracks that `:accompany` has added, while its takes wait. Ui thread. */
#ifndef APP_EDITOR_BAND_H
#define APP_EDITOR_BAND_H

#include "app/editor/session/session.h"

/* Whether they were added by the last edit. */
bool band_waits(const struct session *s);
/* The instruments as they were typed; "" if none wait. */
const char *band_words(const struct session *s);
/* Call when no take waits any more: takes the tracks away again, if they wait. Returns whether it
 * did. */
bool band_take_away(struct session *s);
/* Like session_do; in one step with the tracks, if they wait. */
bool band_do_with_tracks(struct session *s, struct change *c);

#endif
