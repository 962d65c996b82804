/* How well a model predicts held-out music: nats of the tokens of some windows, compared
 * with a unigram and a bigram of the training music. One thread. */
#ifndef APP_EVAL_LOSS_H
#define APP_EVAL_LOSS_H

#include "app/lab/dataset/corpus.h"
#include "app/generation/options.h"
#include "model/base/pool.h"
#include "model/weights/model.h"
#include "app/lab/dataset/grid_corpus.h"

#include <cjson/cJSON.h>

struct loss_sums {
    double nats; /* the model's */
    struct baseline baseline;
};

/* Tokens by the number of tokens before them: up to 64, 65 to 128, and so on. */
enum { HEARD_LEAST = 64, HEARD_SPANS = 8 };
struct heard_sums {
    double nats;
    int64_t n_tokens;
};

struct eval_loss {
    struct loss_sums *groups; /* [n_groups] of the corpus */
    struct loss_sums styles[STYLE_COUNT];
    struct loss_sums all;
    struct heard_sums heard[HEARD_SPANS]; /* of windows that fill the context */
};

/* The model of score tokens reads n windows of this kind, of the corpus of --data: with --precision
 * by single steps, as music is written, else in matrix form. Prints errors and returns the
 * exit status. Call eval_loss_fini in every case. */
int eval_loss_measure(struct eval_loss *l, const struct options *o,
                      const struct corpus *c, enum corpus_split split,
                      enum corpus_window_kind kind, int n, const struct model *m,
                      struct pool *pool);
void eval_loss_fini(struct eval_loss *l);

/* Adds "corpora", "styles", "all" and "heard" to j; NULL: prints a table of them. */
void eval_loss_report(const struct eval_loss *l, const struct corpus *c, cJSON *j);

/* How well a model of grid tokens predicts the held-out pieces of a grid corpus: the nats
 * of each voice it predicts, compared with counts in the training pieces. One thread. */

struct eval_grid_row {
    int64_t n_cells;
    double nats; /* the model's, summed */
    /* For one voice: counted in that voice alone, so the token before is its own, one step
     * earlier. For all: counted in all target voices. */
    struct grid_baseline baseline;
};

struct eval_grid {
    struct eval_grid_row voices[GRID_VOICES]; /* no cells if it is not a target */
    struct eval_grid_row all;
};

/* Returns the exit status, after saying what went wrong. */
int eval_grid_measure(struct eval_grid *e, const struct grid_score_request *q,
                      const char *data_name, const char *model_name);

/* Adds "voices" and "all" to j; NULL: prints a table of them. */
void eval_grid_report(const struct eval_grid *e, cJSON *j);

#endif
