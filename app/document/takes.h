/* The verbs that write takes: --takes K files, each the score with one take in it. */
#ifndef APP_TAKES_H
#define APP_TAKES_H

#include "app/generation/options.h"

/* As o->continuation asks, of `s`, which is left as it was. Says what was written, or
 * what went wrong; the exit status. */
int takes_write(const struct options *o, const struct score *s);

#endif
