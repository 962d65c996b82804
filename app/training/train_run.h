/* A training run: reads data, writes checkpoints, prints progress. */
#ifndef APP_TRAIN_RUN_H
#define APP_TRAIN_RUN_H

#include "app/dataset/corpus.h"
#include "model/train/train.h"

struct train_request {
    const char *data, *out; /* a folder, or a file of four voices; OUT.safetensors */
    const char *corpora;    /* of a folder: names separated by commas, NULL: all */
    const char *from;       /* a model to start from, or NULL */
    const char *licence;    /* for the provenance, or NULL */
    const char *log;        /* lines are appended to this file, or NULL */
    double minutes;         /* of training in all, resumed runs together; 0: by steps */
    double cooldown;        /* of a linear schedule: the last share of the run */
    bool resume, bf16;
    bool grow;                   /* `from` gets what it lacks: train_options.c */
    struct corpus_shares shares; /* scores: of what is drawn */
    double power; /* scores: a corpus is drawn by its size to this power, 0 to 1 */
    bool hold;    /* four voices: struck and held notes told apart */
    int threads;  /* 0: one per processor */
    struct model_config config; /* unless `from` is given; vocab: the music's */
    struct train_options
        options; /* length 0: the context; a cosine's min_lr 0: lr / 20 */
};

struct train_result {
    bool is_finished; /* else stopped by a signal on the way, its state saved */
    int64_t steps;
    double seconds; /* of training in all, the runs resumed from too */
};

/* Trains to the end, or until SIGINT or SIGTERM, and leaves OUT.state to resume from. Prints
 * what goes wrong and returns the exit status. If that is 0 and result is not NULL, *result is
 * set. */
int train_run(const struct train_request *r, struct train_result *result);

#endif
