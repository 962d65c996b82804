/* Guesses the style of music: the one under which the model finds its tokens likeliest. One
 * thread at a time. */
#ifndef APP_STYLE_GUESS_H
#define APP_STYLE_GUESS_H

#include "midi/tokens/tokens.h"
#include "model/decoder/decoder.h"

struct style_guess;

/* model and pool are borrowed. */
enum model_status style_guess_create(struct style_guess **out,
                                     const struct model *model, struct pool *pool);
void style_guess_destroy(struct style_guess *g); /* NULL is fine */
void style_guess_set_cancel(struct style_guess *g, const atomic_bool *flag);

/* Reads a few tokens for nothing: the first that a model reads take as long again, since
 * its weights are not in memory yet. */
void style_guess_warm_up(struct style_guess *g);

size_t style_guess_max_tokens(const struct style_guess *g);
/* t begins with BOS STYLE and is at most as long as that; its style token is
 * changed. p: the music, which has the changes of a blues or is none. The same tokens as last time
 * are not read again, and a guess that was cancelled goes on where it was. */
enum model_status style_guess_run(struct style_guess *g, struct tokens *t,
                                  const struct piece *p, enum style *out);

#endif
