/* What the verbs say in the terminal. Names and texts that come from files may
 * hold escape sequences; all that is not our own goes through these. */
#ifndef APP_SAY_H
#define APP_SAY_H

#include "midi/smf/smf.h"
#include "model/weights/model.h"

#include <stdio.h>

/* The text with what a terminal would act on replaced, as tui/base/text.h says. */
void say_safe(FILE *to, const char *text);
/* The same into buf, cut at a whole character; returns buf. */
const char *say_copy(char *buf, size_t n_buf, const char *text);

/* "continuo: SUBJECT: what" on standard error. Each returns 1, the exit status
 * of what failed. */
int say_error(const char *subject, const char *what);
int say_midi_error(const char *file, enum midi_status st); /* errno may speak */
/* Where app/base/paths.h has no path for a model; wanted NULL: the bundled one. */
int say_no_model(const char *wanted);
int say_model_error(const char *file, enum model_status st, const char *detail);

/* "continuo: FILE: warning: ..." for each. */
void say_warnings(const char *file, const struct smf_report *r);

/* "WHAT 3 of 8" on standard error if that is a terminal, over what was said before;
 * where all is done it is wiped away. */
void say_progress(const char *what, int n_done, int n_all);

/* Loads a score and says what reading it gave up. NULL: said why. */
struct score *say_load(const char *file);

/* -- streams -- */

/* The three descriptors a program is given. Main thread, while there is no other. */

/* Takes the places of those that were closed, so that no file or pipe opened later gets
 * their numbers, and with them our messages or our closing. Reading and writing them fails
 * as it did. */
void streams_fill(void);
/* Before returning `status` from main: what was printed is written, or that is said and the
 * status is 1. */
int streams_finish(int status);

#endif
