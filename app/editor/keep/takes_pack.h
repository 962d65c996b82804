/* The takes that wait in a session, made ready to be kept beside the piece, and brought
 * back when it is opened again. UI thread only. */
#ifndef APP_TAKES_PACK_H
#define APP_TAKES_PACK_H

#include "app/editor/session/session.h"
#include "app/document/kept_takes.h"

/* Which music takes fit that are packed now. */
void takes_tell_music(struct kept_takes *t, const struct project *p);

/* *out is the caller's, also on failure. A take that is still being written is packed
 * as far as it is; one without notes yet is not. false: out of memory. */
bool takes_pack(struct kept_takes *out, const struct session *s);

/* No take waits in the session; those of *from do then, as far as they fit the score.
 * What they would replace is found by where it is, and what is not found stays. Uses
 * *from up, which is still to be freed. false: out of memory, and none waits. */
bool takes_unpack(struct session *s, struct kept_takes *from, int *n_left_out);

#endif
