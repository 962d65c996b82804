/* Opens models from files for all parts that run them, and sets the function that computes
 * the state of their tokens, if they have one (model/weights/model.h). */
#ifndef APP_MODEL_FILE_H
#define APP_MODEL_FILE_H

#include "model/weights/model.h"

/* As model_open. A model whose state table is of other rows than ours opens, and nothing
 * runs it. */
enum model_status model_file_open(struct model **out, const char *path, char *detail,
                                  size_t n_detail);

/* What computes the state of score tokens (midi/tokens/token_state.h).  */
const struct model_state_kind *model_file_score_state(void);

/* Opens the model that --model names, or the bundled one for NULL. path [n_path] becomes
 * its path. Returns 0, or the exit status after printing what is wrong; *out is then NULL. */
int verb_model_open(struct model **out, const char *wanted, char *path, size_t n_path);

#endif
