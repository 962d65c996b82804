/* How well a model predicts held-out music: nats of the tokens of some windows, beside the
 * nats of a unigram and a bigram of the training music. One thread. */
#ifndef APP_EVAL_LOSS_H
#define APP_EVAL_LOSS_H

#include "app/dataset/corpus.h"
#include "model/base/pool.h"
#include "model/weights/model.h"

#include <cjson/cJSON.h>

struct loss_sums {
    double nats; /* the model's */
    struct baseline baseline;
};

struct eval_loss {
    struct loss_sums *groups; /* [n_groups] of the corpus */
    struct loss_sums styles[STYLE_COUNT];
    struct loss_sums all;
};

/* All is borrowed. */
struct loss_request {
    const char *data_name, *model_name; /* for error messages */
    const struct corpus *corpus;
    enum corpus_split split;
    int windows;
    const struct model *model; /* of this program's tokens */
    bool by_step; /* read by single steps, as music is written; else in matrix form */
    struct pool *pool;
};

/* The exit status; it has said what went wrong. Call eval_loss_fini in every case. */
int eval_loss_measure(struct eval_loss *l, const struct loss_request *q);
void eval_loss_fini(struct eval_loss *l);

/* Prints a table by corpus and by style. */
void eval_loss_print(const struct eval_loss *l, const struct corpus *c);
/* Adds "corpora", "styles" and "all" to j. */
void eval_loss_add_json(const struct eval_loss *l, const struct corpus *c, cJSON *j);

#endif
