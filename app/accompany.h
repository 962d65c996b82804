/* Accompanying a melody: the voices below it, from a model that hears one (the
 * encoder) and tells the others (the decoder).
 *
 * The melody is heard in windows of the model's context, each the last one's second
 * half and more; what was told of the part they share is read again before going
 * on. A cell is a rest, a pitch, or the note before it held where the model tells
 * that apart; nothing else can be drawn, so it always ends, after one token for
 * each cell. The same melody, model and seed give the same voices. Blocks while it
 * works; any one thread. */
#ifndef APP_ACCOMPANY_H
#define APP_ACCOMPANY_H

#include "app/grid_corpus.h"
#include "model/decoder.h"
#include "model/sampler.h"

struct accompany_request {
    const struct model *model;
    struct pool *pool;
    struct grid_lesson lesson; /* the model's */
    struct sampling sampling;
    const atomic_bool *cancel; /* as decoder_set_cancel, or NULL */
};

struct accompany_result {
    int n_tokens;
    double log_prob; /* summed, in nats, under the mask */
    double masked;   /* probability the mask took away, mean */
};

/* Writes the told voices of g, whose heard ones stand. MODEL_BAD_CONFIG: the model
 * hears nothing, is not of these tokens, or has too short a context. */
enum model_status accompany_grid(struct grid *g,
                                 const struct accompany_request *request,
                                 struct accompany_result *result);

#endif
