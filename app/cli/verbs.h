/* The list of verbs, which main, `continuo --help`, the manual page and the shells'
 * completions go through. */
#ifndef APP_VERBS_H
#define APP_VERBS_H

#include "app/generation/options.h"

#include <stdio.h>

extern const struct verb *const VERBS[];
extern const int n_verbs;

const struct verb *verb_find(const char *name); /* NULL: there is none */
/* The i-th option of a verb or of the workstation; false: there are no more. */
bool verb_option(const struct verb *v, int i, struct option_about *out);

/* Of a verb that takes a MIDI file: parses the options, loads the file, calls `run`, and
 * frees the score, which `run` may change. The exit status, which is run's. */
int verb_on_score(const struct verb *v, int argc, char **argv,
                  int (*run)(struct options *o, struct score *s));

/* What `continuo --help` prints. */
void usage_write(FILE *to);

#endif
