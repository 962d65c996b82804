/* What the model reads while both play together (answer.h), and what it is asked for. ui thread, while
 * playing together is on. */
#ifndef APP_ANSWER_CONTEXT_H
#define APP_ANSWER_CONTEXT_H

#include "app/generation/generator.h"

struct session;

/* Returns the track that answers. */
int answer_track(const struct session *s);
/* Returns the music that begins before a tick, with what both have played; held notes end there. The
 * caller destroys it. NULL: out of memory. */
struct score *answer_context(const struct session *s, int64_t tick);
/* Makes the request for an answer from one tick to another: without controls and kept notes, which
 * would make it a hole. */
struct continuation_options answer_request(const struct session *s, int64_t begin,
                                           int64_t end);
/* Lets the model read the music that can no longer change at tick `now`. */
void answer_read_ahead(struct session *s, double now);
/* Moves the beginning of the context to a later bar line if there is too much to read. Call as a turn
 * begins, so that the model does not read all of it again within one. */
void answer_forget(struct session *s);

#endif
