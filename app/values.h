/* Values as people write them, on the command line and after `:`. Each says false,
 * and leaves what it was given alone, for what is not such a value. */
#ifndef APP_VALUES_H
#define APP_VALUES_H

#include "app/corpus.h"

#include <stdbool.h>
#include <stdint.h>

bool value_real(const char *text, double low, double high, double *x);
bool value_count(const char *text, int low, int high, int *n); /* a whole number */
bool value_seed(const char *text, uint64_t *seed);
/* A style's name, or "guess": CONTINUATION_STYLE_GUESS. */
bool value_style(const char *text, int *style);
bool value_split(const char *text, enum corpus_split *split); /* train, valid, test */

#endif
