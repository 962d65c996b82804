/* What a request takes along from the session: the notes it replaces, where something of
 * them is kept, and the takes that were liked or disliked. */
#ifndef APP_ASKING_H
#define APP_ASKING_H

#include "app/editor/session/session.h"

/* Into o, which points at nothing yet; request_fini (app/generation/request.h) frees it. false: out
 * of memory, and nothing is in it. */
bool asking_gather(struct continuation_options *o, const struct session *s);

#endif
