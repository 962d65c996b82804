/* What the configuration sets, and what a newcomer is told first. UI thread only. */
#ifndef APP_WAYS_H
#define APP_WAYS_H

#include <stdbool.h>

struct config;
struct session;

/* A session is to be as the configuration says; takes its keys. Before a file is opened.
 * From then on files that are opened are remembered. */
void ways_begin(struct session *s, struct config *c);
/* After that: says what is wrong with the configuration, or where to begin when this
 * user is new here; or begins with the tutor. */
void ways_greet(struct session *s, const struct config *c, bool with_tutor);

#endif
