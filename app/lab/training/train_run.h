/* A training run: reads data, writes checkpoints, prints progress. */
#ifndef APP_TRAIN_RUN_H
#define APP_TRAIN_RUN_H

#include "app/lab/dataset/corpus.h"
#include "model/train/train.h"
#include "app/base/option_table.h"

#include <stdio.h>

struct train_request {
    const char *data, *out; /* a folder, or a file of four voices; OUT.safetensors */
    const char *corpora;    /* of a folder: names separated by commas, NULL: all */
    const char *from;       /* a model to start from, or NULL */
    const char *licence;    /* for the provenance, or NULL */
    const char *log;        /* lines are appended to this file, or NULL */
    double minutes;         /* of training in all, resumed runs together; 0: by steps */
    double cooldown;        /* of a linear schedule: the last share of the run */
    double rehearse; /* share of each batch from it, so that little is forgotten */
    const char *rehearsal; /* a file of excerpts (app/lab/dataset/corpus.h) */
    bool progress; /* lines for a program on standard output: train_progress.h */
    bool resume, bf16;
    bool grow;                   /* `from` gets the missing parts: train_options.c */
    int layers;                  /* and so many layers; 0: as it has */
    struct corpus_shares shares; /* scores: shares of windows */
    double power; /* scores: a corpus is drawn by its size to this power, 0 to 1 */
    const char
        *mixture; /* scores: a file of parts (app/lab/dataset/corpus.h), or NULL */
    bool hold;    /* four voices: separate tokens for struck and held notes */
    int threads;  /* 0: one per processor */
    struct model_config config; /* unless `from` is given; vocab: the music's */
    /* Length 0: the context; a cosine's min_lr 0: lr / 20. */
    struct train_options options;
};

/* Trains to the end, or until SIGINT or SIGTERM, and leaves OUT.state to resume from.
 * Prints errors and returns the exit status.
 *
 * A run that rehearses is short and leaves no state. It is measured from its start, and OUT
 * is the best model; if none improved on the first, there is no OUT, and the status is 1.
 * SIGTERM ends it at once: OUT is then the best at the last measurement. */
int train_run(const struct train_request *r);

/* The options of `continuo train`. */

extern const struct option_table TRAIN_OPTIONS;

/* Strings point into argv. The request is ready to run. */
struct train_settings {
    struct train_request request;
    int preset;     /* of the model's sizes */
    bool force;     /* write over what the editor would ask about */
    bool f32;       /* the request's options do without bf16 */
    bool has_shape; /* options of the model's shape are given */
};

/* -1: continue. Else the exit status: 0 after --help, 2 after an error message. */
int train_options_parse(struct train_settings *s, const struct verb *verb, int argc,
                        char **argv);

/* Reports a training run's progress: a bar that redraws itself on a terminal, else lines; the
 * log has lines. */

struct train_report {
    FILE *log;       /* owned, or NULL */
    bool terminal;   /* standard error is one */
    double loss_sum; /* since the last line */
    int n_losses;
    double last_line, last_bar; /* seconds on the monotonic clock */
};

struct train_progress {
    int64_t step, max_steps; /* max_steps 0: not known yet */
    float loss, rate, norm;
    double valid; /* nats per token; 0: not yet */
    double tokens_per_second;
    double seconds_left; /* negative: not known yet */
};

/* false: the log cannot be opened; errno says why. */
bool train_report_open(struct train_report *r, const char *log);
void train_report_close(struct train_report *r);

/* Call after every step; it prints when it is time to. */
void train_report_step(struct train_report *r, const struct train_progress *p);
/* Prints a line to the log and to the terminal. */
void train_report_line(struct train_report *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
