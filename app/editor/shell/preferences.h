/* Applies the configuration and greets a new user. UI thread only. */
#ifndef APP_SHELL_PREFERENCES_H
#define APP_SHELL_PREFERENCES_H

#include <stdbool.h>

struct config;
struct session;

/* Applies the configuration to the session and takes its keys. Call before a file is opened;
 * from then on opened files are remembered. */
void preferences_begin(struct session *s, struct config *c);
/* Then: says what is wrong with the configuration, or tells a new user where to begin; or
 * starts the tutor. */
void preferences_greet(struct session *s, const struct config *c, bool with_tutor);

#endif
