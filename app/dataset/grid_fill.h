/* Generates the cells of a grid with a model of grid tokens: all voices, or, if the model has
 * an encoder that reads the melody, the voices below it.
 *
 * It works in windows of the model's context; each keeps half of the one before. In a window
 * the encoder reads the melody, the decoder reads the cells that are there, and the rest is
 * drawn. A cell is a rest, a pitch, or (if the model has hold tokens) the note before, held.
 * Nothing else can be drawn, so it ends after one token for each cell. The same grid, model
 * and seed give the same cells. Blocks while it works; any one thread. */
#ifndef APP_GRID_FILL_H
#define APP_GRID_FILL_H

#include "app/dataset/grid_corpus.h"
#include "model/decoder/decoder.h"
#include "model/decoder/sampler.h"

struct grid_fill_request {
    const struct model *model;
    struct pool *pool;
    struct grid_lesson lesson; /* the model's */
    int from_step;             /* cells are generated from here on */
    struct sampling sampling;
    const atomic_bool *cancel; /* as decoder_set_cancel, or NULL */
};

struct grid_fill_result {
    int n_tokens;
    double log_prob; /* summed, in nats, under the mask */
    double masked;   /* probability the mask took away, mean */
};

/* Writes the told voices of g from from_step on; nothing else changes. MODEL_BAD_CONFIG: the
 * model has other tokens or another lesson, or its context is too short. */
enum model_status grid_fill(struct grid *g, const struct grid_fill_request *request,
                            struct grid_fill_result *result);

#endif
