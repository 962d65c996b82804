/* What is kept of a session beside the music (app/document/beside.h): written as it changes,
 * given back when the piece is opened again. UI thread only. */
#ifndef APP_KEEP_H
#define APP_KEEP_H

#include "app/editor/session/session.h"

/* With the music that was saved just now. false: not all of it, which is said. */
bool session_save_beside(struct session *s);
/* Before a piece is left whose music is saved: saves the rest, if it has changed; a seed that
 * went on is nothing to keep where nothing else is. `advice` ends what is said when it is
 * false. */
bool session_keep_settings(struct session *s, const char *advice);
void session_flush_beside(struct session *s); /* writes what has changed, and blocks */
void session_write_beside_anew(struct session *s); /* into a store that has nothing */
void session_leave_beside(
    struct session *s); /* what was not saved is not to come back */
/* Milliseconds until it is written; -1: nothing is to be. */
int session_beside_timeout_ms(const struct session *s);
/* Takes wait that are kept nowhere: the music has no file yet. */
bool session_has_homeless_takes(const struct session *s);
/* What belongs beside it now. To be freed also on failure, which is out of memory. */
bool session_gather_beside(const struct session *s, struct beside *b);
/* There is a file that it would be beside. */
bool session_has_music(const struct session *s);
/* Whether the piece's own file may be written over; says so when not. Blocks. */
bool session_may_write(struct session *s, bool forced);

#endif
