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

/* Opens the model that --model names, or the bundled one for NULL. path [n_path] becomes its
 * path. 0, or the exit status: then it has said what is wrong, and *out is NULL. */
int verb_model_open(struct model **out, const char *wanted, char *path, size_t n_path);

#endif
