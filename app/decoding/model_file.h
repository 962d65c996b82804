/* Models from files, for all that runs them: each is told what computes the state of its
 * tokens, where they have one (model/weights/model.h). */
#ifndef APP_MODEL_FILE_H
#define APP_MODEL_FILE_H

#include "model/weights/model.h"

/* As model_open. A model whose state table is of other rows than ours opens, and nothing
 * runs it. */
enum model_status model_file_open(struct model **out, const char *path, char *detail,
                                  size_t n_detail);

/* What computes the state of score tokens (midi/tokens/token_state.h).  */
const struct model_state_kind *model_file_score_state(void);

/* -- verb_model -- */

/* The model that a verb works with. */

/* Opens the one that was asked for, or the bundled one where `wanted` is NULL. path [n_path]
 * is where it was looked for. 0, or the exit status: it has said why, and *out is NULL. */
int verb_model_open(struct model **out, const char *wanted, char *path, size_t n_path);

#endif
