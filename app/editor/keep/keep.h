/* Saves the session of a piece as it changes, and restores it when the piece is opened
 * again (app/document/store_session.h). UI thread only. */
#ifndef APP_KEEP_H
#define APP_KEEP_H

#include "app/editor/session/session.h"

/* Writes the session as saved; call directly after saving the music. false: out of memory,
 * and the user was told. */
bool session_autosave_saved(struct session *s);
/* Does the same if the session has changed; a new random seed alone is no change. Call before
 * leaving a piece whose music is saved. false: it failed, and the user was told, with `advice`
 * at the end. */
bool session_keep_settings(struct session *s, const char *advice);
void session_autosave_flush(struct session *s);  /* writes changes now; blocks */
void session_autosave_anew(struct session *s);   /* into an empty store */
void session_autosave_forget(struct session *s); /* drops unsaved changes */
/* Milliseconds until the session is written; -1: nothing has changed. */
int session_autosave_timeout_ms(const struct session *s);
/* Whether takes wait that are not saved because the music has no file yet. */
bool session_has_homeless_takes(const struct session *s);
/* Whether the piece's own file may be written over; if not, tells the user. Blocks. */
bool session_may_write(struct session *s, bool forced);

/* -- settings of the configuration and of `:set` -- */

/* Applies all settings that can change while the program runs. */
void settings_apply(const struct settings *settings, struct session *s);
/* Copies the settings of the session to *settings. */
void settings_take(struct settings *settings, const struct session *s);

/* -- takes that wait (takes_pack.c) -- */

/* Packs the waiting takes. The caller owns *out, also on failure. A take that is being written
 * is packed with the notes it has; a take without notes is left out. false: out of memory. */
bool takes_pack(struct kept_takes *out, const struct session *s);

/* Restores the takes of *from that fit the score; the others stay in *from. No take may wait
 * before. Notes that the takes replace are found by position; others stay. false: out of memory,
 * and no take waits. */
bool takes_unpack(struct session *s, struct kept_takes *from);

#endif
