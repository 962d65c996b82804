/* How well a model predicts held-out music: nats of the tokens of some windows, compared with a
 * unigram and a bigram of the training music; of four voices also with the same voice a step
 * before. The published measure of four voices, note-wise negative log likelihood, is the mean
 * of all cells (one voice at one sixteenth, rests too). One thread. */
#ifndef APP_EVAL_LOSS_H
#define APP_EVAL_LOSS_H

#include "app/lab/dataset/corpus.h"

#include "model/base/pool.h"

#include <cjson/cJSON.h>

struct loss_row {
    const char *kind, *name; /* "corpus", "style" or "voice"; borrowed from the music */
    double nats;             /* the model's */
    struct baseline baseline;
    double
        own_voice; /* counted after the same voice a step before; NAN: not of voices */
};

/* Tokens by the number of tokens before them: up to 64, 65 to 128, and so on. */
enum { HEARD_LEAST = 64, HEARD_SPANS = 8 };
struct heard_sums {
    double nats;
    int64_t n_tokens;
};

struct eval_loss {
    struct loss_row
        *rows; /* corpora, then styles; or voices. One voice is counted alone. */
    int n_rows;
    struct loss_row all;
    struct heard_sums
        heard[HEARD_SPANS]; /* of windows of scores that fill the context */
};

struct eval_loss_request {
    const struct corpus *corpus; /* with the model's lesson */
    const struct model *model;
    struct pool *pool;
    enum corpus_split split;
    enum corpus_window_kind kind;
    int n_windows; /* of scores, at most; of four voices every cell counts once */
    bool by_steps; /* as music is written; else in matrix form */
    const char *data_name, *model_name; /* for error messages */
};

/* Prints errors and returns the exit status. Call eval_loss_fini in every case. */
int eval_loss_measure(struct eval_loss *l, const struct eval_loss_request *q);
void eval_loss_fini(struct eval_loss *l);

/* Adds "corpora" and "styles", or "voices", and "all" and "heard" to j; NULL: prints a table. */
void eval_loss_report(const struct eval_loss *l, cJSON *j);

#endif
