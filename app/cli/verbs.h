/* The verbs of the command line, from one table: what `continuo --help`, the manual page
 * and the shells' completions tell of them, and main runs. */
#ifndef APP_VERBS_H
#define APP_VERBS_H

#include "app/generation/options.h"

#include <stdio.h>

struct verb_entry {
    const char *name, *summary;
    int (*run)(int argc, char **argv); /* argv from the name on; the exit status */
    const struct verb *verb; /* NULL: its options are app/training/train_options.h's */
};
extern const struct verb_entry VERBS[];
extern const int n_verbs;

const struct verb_entry *verb_find(const char *name); /* NULL: there is none */
/* The i-th option of a verb, --help among them; false: there are no more. */
bool verb_option(const struct verb_entry *v, int i, struct option_about *out);
/* The name with what follows it on a usage line: "copy IN.mid -o OUT.mid". */
const char *verb_usage(const struct verb_entry *v, char *buf, size_t n);

/* -- verb_score -- */

/* The verbs that take a MIDI file: options, loading, and letting go of it again. */

/* run may change both; what it returns is the exit status. */
int verb_on_score(const struct verb *v, int argc, char **argv,
                  int (*run)(struct options *o, struct score *s));

/* -- usage -- */

/* `continuo --help`: the verbs and the workstation's options, from their tables. */

void usage_write(FILE *to);

#endif
