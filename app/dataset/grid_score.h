/* The published measure of a model on four-voice music: note-wise negative log likelihood. It
 * is the mean nats of a cell (one voice at one sixteenth, rests too) given the cells before
 * it. Every cell of a split counts once. One thread. */
#ifndef APP_GRID_SCORE_H
#define APP_GRID_SCORE_H

#include "app/dataset/grid_corpus.h"
#include "model/decoder/decoder.h"

struct grid_score {
    double nats[GRID_VOICES]; /* sums over the cells of each voice that is told */
    int64_t n_cells[GRID_VOICES];
};

struct grid_score_request {
    const struct model *model;
    struct pool *pool;
    const struct grid_corpus *corpus;
    struct grid_lesson lesson; /* the model's: what it predicts and what it is given */
    enum corpus_split split;
    const atomic_bool *cancel; /* as decoder_set_cancel, or NULL */
};

/* Measures in windows of the model's context (grid_corpus_windows). MODEL_BAD_CONFIG: the
 * model has other tokens or another lesson, or its context is below 8. */
enum model_status grid_score_measure(struct grid_score *score,
                                     const struct grid_score_request *request);

/* The sum over all voices; n_cells may be NULL. */
double grid_score_sum(const struct grid_score *score, int64_t *n_cells);

#endif
