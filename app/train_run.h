/* A training run: data in, checkpoints out, progress on the way. */
#ifndef APP_TRAIN_RUN_H
#define APP_TRAIN_RUN_H

#include "model/train.h"

struct train_request {
    const char *data, *out; /* a folder; OUT.safetensors */
    const char *corpora;    /* names separated by commas, NULL: all */
    const char *from;       /* a model to start from, or NULL */
    const char *licence;    /* for the provenance, or NULL */
    const char *log;        /* lines are appended to this file, or NULL */
    double minutes;         /* of training in all, resumed runs together; 0: by steps */
    bool resume, bf16;
    int threads;                  /* 0: one per processor */
    struct model_config config;   /* unless `from` is given */
    struct train_options options; /* length 0: the context; min_lr 0: lr / 20 */
};

/* Runs to the end, or until SIGINT or SIGTERM, and leaves OUT.state to resume
 * from. Prints what goes wrong; the exit status of the program. */
int train_run(const struct train_request *r);

#endif
