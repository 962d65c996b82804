/* The model that a verb works with. */
#ifndef APP_VERB_MODEL_H
#define APP_VERB_MODEL_H

#include "model/weights/model.h"

/* Opens the one that was asked for, or the bundled one where `wanted` is NULL. path [n_path]
 * is where it was looked for. 0, or the exit status: it has said why, and *out is NULL. */
int verb_model_open(struct model **out, const char *wanted, char *path, size_t n_path);

#endif
