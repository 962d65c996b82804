/* The options of `continuo train` and `continuo compare`, from one table. */
#ifndef APP_TRAIN_OPTIONS_H
#define APP_TRAIN_OPTIONS_H

#include "app/base/option_table.h"
#include "app/decoding/model_shape.h"
#include "app/training/train_run.h"

extern const struct option_table TRAIN_OPTIONS;
enum { IN_TRAIN = 1, IN_COMPARE = 2 }; /* bits: what the two verbs take */

/* Strings point into argv. The request is ready to run. In `compare` its `out` is a folder,
 * and the model's name and variant are still to be set. */
struct train_settings {
    struct train_request request;
    struct model_shape shape;
    const char *variants;    /* of compare: names separated by commas, NULL: all */
    int optimiser, schedule; /* as the request's options have them */
};

/* -1: go on. Else the exit status: 0 after --help, 2 after saying what is wrong. */
int train_options_parse(struct train_settings *s, const struct verb *verb, int argc,
                        char **argv);

#endif
