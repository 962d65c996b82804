/* The workstation from start to end: its options, the screen, and the ui thread's loop. Ui
 * thread. */
#ifndef APP_WORKSTATION_H
#define APP_WORKSTATION_H

#include "app/editor/perform/devices.h"
#include "app/editor/session/session.h"
#include "app/settings/config.h"

/* `continuo [OPTIONS] [FILE.mid]`; the exit status. Without a terminal it says so and
 * suggests `make demo`. */
int cmd_workstation(int argc, char **argv);

/* How it is started. The command line wins over the configuration file. Strings point into
 * argv and the configuration. */
struct start {
    struct session_options session; /* but for wake_fd */
    const char *file;               /* NULL: none named */
    bool example, tutor, version, man;
    char input[PORT_NAME_BYTES];       /* the keyboard of last time, */
    char output[OUTPUT_REQUEST_BYTES]; /* and the instrument */
};

extern const struct verb WORKSTATION;
/* -1: continue. Else the exit status: 0 after --help and similar, 2 after an error message. */
int start_parse(struct start *s, const struct config *c, int argc, char **argv);

#endif
