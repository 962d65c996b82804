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

/* argv begins with the verb's name. The exit status: 0 done, 1 failed, 2 wrong usage. */
int verb_run(const struct verb *v, int argc, char **argv);

/* What `continuo --help` prints. */
void usage_write(FILE *to);

#endif
