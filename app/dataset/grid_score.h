/* The published measure of a model on four-voice music: note-wise negative log
 * likelihood, the mean nats of a cell (of one voice at one sixteenth, rests too)
 * given those before it, every cell of a split counted once. */
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
    struct grid_lesson lesson; /* the model's: what it tells, and what it hears */
    enum corpus_split split;
    const atomic_bool *cancel; /* as decoder_set_cancel, or NULL */
};

/* In windows of the model's context, as grid_corpus_windows lays them out.
 * MODEL_BAD_CONFIG: not a model of these tokens and this lesson, or of a context
 * below 8. */
enum model_status grid_score_measure(struct grid_score *score,
                                     const struct grid_score_request *request);

/* Over all voices; *n_cells may be NULL. */
double grid_score_sum(const struct grid_score *score, int64_t *n_cells);

#endif
