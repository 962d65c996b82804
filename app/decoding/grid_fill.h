/* Models of four voices in sixteenths (midi/tokens/grid.h): what they write and read, and writing.
 * Pure functions but for grid_fill. */
#ifndef APP_GRID_FILL_H
#define APP_GRID_FILL_H

#include "midi/tokens/grid.h"
#include "model/base/pool.h"
#include "model/decoder/decoder.h"
#include "model/decoder/sampler.h"

/* The voices that the decoder predicts (told), and those that the encoder reads (heard), of
 * the same steps. heard.n 0: no encoder. */
struct grid_lesson {
    struct grid_form told, heard;
};
/* Predicts all voices; with an encoder the lower ones, given the melody. */
struct grid_lesson grid_lesson_for(bool has_encoder, bool hold);
/* The most encoder tokens for `length` decoder tokens. */
int grid_lesson_source_length(const struct grid_lesson *lesson, int length);

/* A window for validation; of its piece's target cells, [from, to) count. */
struct grid_window {
    int piece, first_step;
    int from, to;
};

/* The window of a piece of n_steps steps whose first counted cell is `from`. It begins half the length
 * before that cell, at a bar of common time if windows of whole bars advance. */
struct grid_window grid_window_from(int n_steps, struct grid_form told, int from,
                                    int length);

/* Generates the cells of a grid with a model of grid tokens: all voices, or, if the model has
 * an encoder that reads the melody, the voices below it.
 *
 * It works in windows of the model's context; each keeps half of the one before. In a
 * window the encoder reads the melody, the decoder reads the known cells, and the rest is
 * drawn. A cell is a rest, a pitch, or (if the model has hold tokens) the note before,
 * held. Nothing else can be drawn, so it ends after one token for each cell. Pitches that make
 * parallel fifths or octaves with a voice above are seldom drawn. The same grid, model and
 * seed give the same cells. Blocks while it works; any one thread. */

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
    double log_prob; /* summed, in nats, under the mask, parallels rarer */
    double masked;   /* probability the mask took away, mean */
};

/* Writes the target voices of g from from_step on; nothing else changes. MODEL_BAD_CONFIG:
 * the model has other tokens or another lesson, or its context is too short. */
enum model_status grid_fill(struct grid *g, const struct grid_fill_request *request,
                            struct grid_fill_result *result);

#endif
