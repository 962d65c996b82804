/* The published measure of a model on four-voice music: note-wise negative log
 * likelihood, the mean nats of a cell (of one voice at one sixteenth, rests too)
 * given those before it, every cell of a split counted once. */
#ifndef APP_GRID_SCORE_H
#define APP_GRID_SCORE_H

#include "app/grid_corpus.h"
#include "model/decoder.h"

struct grid_score {
    double nats; /* the sum over all cells */
    int64_t n_cells;
};

/* In windows of the model's context, as grid_corpus_windows lays them out.
 * *cancel: as decoder_set_cancel, or NULL. MODEL_BAD_CONFIG: not a model of these
 * tokens, or of a context below 8. */
enum model_status grid_score_measure(struct grid_score *score, const struct model *m,
                                     struct pool *pool, const struct grid_corpus *c,
                                     enum corpus_split split,
                                     const atomic_bool *cancel);

#endif
