/* How the workstation is started: the options before a file's name. What the command
 * line says wins over the configuration file. */
#ifndef APP_START_H
#define APP_START_H

#include "app/editor/perform/outward.h"
#include "app/settings/config.h"
#include "app/generation/options.h"
#include "app/editor/session/session.h"

/* Strings point into argv and the configuration. */
struct start {
    struct session_options session; /* but for wake_fd */
    const char *file;               /* NULL: none named */
    bool example, tutor;
    char input[PORT_NAME_BYTES];     /* the keyboard of last time, */
    char output[OUTWARD_WISH_BYTES]; /* and the instrument */
};

/* The i-th option; false: there are no more. */
bool start_option(int i, struct option_about *out);
/* -1: go on. Else the exit status, after saying what is wrong. */
int start_parse(struct start *s, const struct config *c, int argc, char **argv);

#endif
