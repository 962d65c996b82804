/* The verbs that take a MIDI file: options, loading, and letting go of it again. */
#ifndef APP_VERB_SCORE_H
#define APP_VERB_SCORE_H

#include "app/generation/options.h"

/* run may change both; what it returns is the exit status. */
int verb_on_score(const struct verb *v, int argc, char **argv,
                  int (*run)(struct options *o, struct score *s));

#endif
