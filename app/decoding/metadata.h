/* The JSON in a checkpoint's __metadata__ besides its configuration that says what its tokens mean.
 * Functions return malloc'd text, NULL when out of memory. */
#ifndef APP_METADATA_H
#define APP_METADATA_H

#include "app/decoding/grid_fill.h"
#include "midi/tokens/tokens.h"
#include "model/weights/model.h"

/* The score tokenizer: each kind of token with its first id and their number,
 * in the order of the vocabulary, and the names of the styles. vocab: TOKEN_COUNT, or
 * TOKEN_COUNT_PLAIN of a model that knows no holes. */
char *tokenizer_json(int vocab);
/* The same for the grid tokenizer: the voices written and read, and whether it has hold. */
char *grid_tokenizer_json(const struct grid_lesson *lesson);
/* Whether it is a model of score tokens (midi/tokens/tokens.h): its vocabulary has the same
 * size, and its description, if any, is ours. A style number without a name is accepted. */
bool metadata_fits_score(const struct model *m);
/* The lesson of a model of grid tokens. false: it has other tokens, or does not describe
 * them, or has an encoder but no source voices. */
bool metadata_grid_lesson(const struct model *m, struct grid_lesson *lesson);

/* The name of a style, as in the tokenizer's description: "chorale". */
const char *style_name(enum style s);

#endif
