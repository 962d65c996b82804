/* Models and what their tokens mean: the JSON in a checkpoint's __metadata__ besides its
 * configuration, and opening one from a file. Text is malloc'd, NULL when out of memory. */
#ifndef APP_METADATA_H
#define APP_METADATA_H

#include "app/decoding/grid_fill.h"
#include "app/decoding/styles.h"
#include "midi/tokens/tokens.h"
#include "model/weights/model.h"

/* Describes the tokenizer: each kind of token with its first id and their number, in the order of the
 * vocabulary. lesson NULL: the score tokenizer, with the names of the styles; else the grid tokenizer, with
 * the voices written and read, and whether it has hold. */
char *tokenizer_json(const struct grid_lesson *lesson);
/* Whether it is a model of score tokens (midi/tokens/tokens.h): its vocabulary has the same
 * size, and its description, if any, is ours. A style number without a name is accepted. */
bool metadata_fits_score(const struct model *m);
/* The lesson of a model of grid tokens. false: it has other tokens, or does not describe
 * them, or has an encoder but no source voices. */
bool metadata_grid_lesson(const struct model *m, struct grid_lesson *lesson);

/* -- opening: for all parts that run models; sets the function that computes the state of their
 * tokens, if they have one (model/weights/model.h) -- */

/* Opens a model as model_open does. A model whose state table has other rows than ours opens, and
 * nothing runs it. */
enum model_status model_file_open(struct model **out, const char *path, char *detail,
                                  size_t n_detail);

/* The functions that compute the state of score tokens (midi/tokens/token_state.h). */
const struct model_state_kind *model_file_score_state(void);

/* Opens the model that --model names, or the bundled one for NULL. path [n_path] becomes
 * its path. Returns 0, or the exit status after printing what is wrong; *out is then NULL. */
int verb_model_open(struct model **out, const char *wanted, char *path, size_t n_path);

#endif
