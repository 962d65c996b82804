/* Going about in the tree of what was done. UI thread only. */
#ifndef APP_HISTORY_GO_H
#define APP_HISTORY_GO_H

#include "app/editor/session/session.h"

/* After the history was gone about in, from the state `from`: all parts follow. false, and
 * said: it is there again, since takes would be lost that nobody can ask for once more. */
bool history_arrive(struct session *s, uint64_t from);

#endif
