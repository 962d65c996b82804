/* Continuation options that own what they point at, to be handed from thread to
 * thread. Pure functions. */
#ifndef APP_REQUEST_H
#define APP_REQUEST_H

#include "app/decoding/continuation.h"

/* *to need not be initialised. false: out of memory, and nothing is in it. */
bool request_copy(struct continuation_options *to,
                  const struct continuation_options *from);
/* What is given and what is muted, which was borrowed, becomes the options' own, as the
 * rest of a copy. false: out of memory, and there is neither. */
bool request_own_choices(struct continuation_options *o);
/* Frees what a copy points at, and forgets it; also when zeroed. */
void request_fini(struct continuation_options *o);

#endif
