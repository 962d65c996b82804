/* The verbs of the command line, from one table: what `continuo --help`, the manual page
 * and the shells' completions tell of them, and main runs. */
#ifndef APP_VERBS_H
#define APP_VERBS_H

#include "app/generation/options.h"

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

#endif
