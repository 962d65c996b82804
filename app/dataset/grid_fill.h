/* Writing the cells of a grid with a model of grid tokens: going on with all its
 * voices, or, where the model has an encoder that hears a melody, telling those
 * below it.
 *
 * It goes in windows of the model's context, each of which keeps half of the one
 * before: the melody of a window is heard, what is there of the voices to tell is
 * read, and the rest is drawn. A cell is a rest, a pitch, or the note before it held
 * where the model tells that apart; nothing else can be drawn, so it always ends,
 * after one token for each cell. The same grid, model and seed give the same cells.
 * Blocks while it works; any one thread. */
#ifndef APP_GRID_FILL_H
#define APP_GRID_FILL_H

#include "app/dataset/grid_corpus.h"
#include "model/decoder/decoder.h"
#include "model/decoder/sampler.h"

struct grid_fill_request {
    const struct model *model;
    struct pool *pool;
    struct grid_lesson lesson; /* the model's */
    int from_step;             /* told from here on; what is before stands */
    struct sampling sampling;
    const atomic_bool *cancel; /* as decoder_set_cancel, or NULL */
};

struct grid_fill_result {
    int n_tokens;
    double log_prob; /* summed, in nats, under the mask */
    double masked;   /* probability the mask took away, mean */
};

/* Writes the told voices of g from from_step on; nothing else changes.
 * MODEL_BAD_CONFIG: the model is not of these tokens and this lesson, or of too
 * short a context. */
enum model_status grid_fill(struct grid *g, const struct grid_fill_request *request,
                            struct grid_fill_result *result);

#endif
