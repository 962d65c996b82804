/* The program, run a second time, that trains a model on a user's music (`continuo train
 * --rehearse`). It has its own memory and priority, and its crash does not crash us. It
 * reports its progress through a pipe. Nothing here blocks. UI thread. */
#ifndef APP_LEARNER_H
#define APP_LEARNER_H

#include <stdbool.h>
#include <stddef.h>

/* What to train. Strings are borrowed for the call. */
struct lesson {
    const char *program; /* NULL: unknown */
    const char *from;    /* a model's file */
    const char *data;    /* a folder of MIDI files, or one of them */
    const char *out;     /* the new model's file */
    double minutes;
};

/* Nats of a held-out note, before it began and now. NAN: nothing is held out. */
struct learnt {
    double share; /* of the time, 0 to 1 */
    double own_before, own_now, other_before, other_now;
};

enum { LEARNER_WHY_BYTES = 160 };

struct learner;

struct learner *learner_start(const struct lesson *l); /* NULL: errno says why */
/* Reads its reports. true: it has ended. */
bool learner_has_ended(struct learner *l, struct learnt *news);
/* Its error message; "": none. */
const char *learner_why(const struct learner *l);
/* Makes it end soon; the best model so far stays. measures: it first measures its newest
 * state. */
void learner_stop(struct learner *l, bool measures);
/* Also ends it, as without measures; it is not waited for. NULL is fine. */
void learner_destroy(struct learner *l);

#endif
