/* Settings of the configuration and of `:set`, put into a session and read from it.
 * UI thread only. */
#ifndef APP_SESSION_SETTINGS_H
#define APP_SESSION_SETTINGS_H

#include "app/settings/settings.h"

struct session;
/* What can change while the program runs, all of it; and what of it belongs to a piece:
 * one of which nothing else is kept (app/document/beside.h) begins with that. The dice go on. */
void settings_apply(const struct settings *settings, struct session *s);
void settings_apply_to_piece(const struct settings *settings, struct session *s);
/* What the session has of them now. */
void settings_take(struct settings *settings, const struct session *s);

#endif
