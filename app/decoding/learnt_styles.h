/* Which styles a model has learnt, as its provenance tells: those of the corpora it was
 * trained on, and "any". Only these are offered, and guessed from. Pure functions. */
#ifndef APP_LEARNT_STYLES_H
#define APP_LEARNT_STYLES_H

#include "model/weights/model.h"

#include <stddef.h>

enum { LEARNT_LIST_BYTES = 256 };

/* Bit s: enum style s. All of them, where the model does not say or names none that we
 * know. */
uint64_t learnt_styles(const struct model *m);
/* The same of the model in a file, NULL the bundled one; all, where it cannot be opened. */
uint64_t learnt_styles_of_file(const char *wanted_model);
/* style: as in struct continuation_options; a guess is always offered. styles 0: it is not
 * known yet, and all are. */
bool learnt_has(uint64_t styles, int style);
/* "one of: guess any chorale piano"; buf is returned. */
const char *learnt_list(uint64_t styles, char buf[LEARNT_LIST_BYTES]);

#endif
