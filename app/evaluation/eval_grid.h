/* How well a model of grid tokens predicts the held-out pieces of a grid corpus: the nats of
 * each voice it predicts, beside the nats by counts in the training pieces. One thread. */
#ifndef APP_EVAL_GRID_H
#define APP_EVAL_GRID_H

#include "app/dataset/grid_score.h"

#include <cjson/cJSON.h>

struct eval_grid_row {
    int64_t n_cells;
    double nats; /* the model's, summed */
    /* Of one voice: counted in that voice alone, so the token before is its own, a step
     * before. Of all: counted in all told voices. */
    struct grid_baseline baseline;
};

struct eval_grid {
    struct eval_grid_row voices[GRID_VOICES]; /* no cells if it is not told */
    struct eval_grid_row all;
};

/* Returns the exit status, after saying what went wrong. */
int eval_grid_measure(struct eval_grid *e, const struct grid_score_request *q,
                      const char *data_name, const char *model_name);

void eval_grid_print(const struct eval_grid *e);
/* Adds "voices" and "all" to j. */
void eval_grid_add_json(const struct eval_grid *e, cJSON *j);

#endif
