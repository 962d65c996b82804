/* Moves in the history tree. UI thread only. */
#ifndef APP_HISTORY_GO_H
#define APP_HISTORY_GO_H

#include "app/editor/session/session.h"

/* Call after the history moved away from the state `from`: all parts follow. false: it went
 * back to `from`, since takes would be lost for good, and the user was told. */
bool history_arrive(struct session *s, uint64_t from);

#endif
