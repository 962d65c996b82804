/* What the verbs print. Names and texts from files may hold escape sequences, so every text
 * that is not our own goes through these functions. Main thread. */
#ifndef APP_SAY_H
#define APP_SAY_H

#include "midi/smf/smf.h"
#include "model/weights/model.h"

#include <stdio.h>

/* Prints text and replaces control characters, as tui/base/text.h does. */
void say_safe(FILE *to, const char *text);
/* Copies text into buf [n_buf] in the same way, cut at a whole character. Returns buf. */
const char *say_copy(char *buf, size_t n_buf, const char *text);

/* Prints "continuo: SUBJECT: WHAT" on standard error. Each returns 1, the exit status for
 * what failed. */
int say_error(const char *subject, const char *what);
int say_wrong(const char *subject, const char *what);      /* returns 2: wrong usage */
int say_midi_error(const char *file, enum midi_status st); /* uses errno */
int say_model_error(const char *file, enum model_status st, const char *detail);

/* Prints "continuo: FILE: warning: ..." for each warning. */
void say_warnings(const char *file, const struct smf_report *r);

/* Shows "WHAT 3 of 8" on standard error, if that is a terminal, over the line before, once the work
 * has taken half a second: the first call begins it. n_all 100: "WHAT 3%"; 0: unknown, "WHAT 3".
 * When all is done the line is wiped. One thread. */
void say_progress(const char *what, int n_done, int n_all);

/* Has SIGINT, SIGTERM and SIGHUP remove the drafts of files (midi/base/file.h) and the line of progress
 * before they end the program. */
void say_end_cleanly(void);

/* Loads a MIDI file and prints its warnings. The caller owns the score. NULL: an error was
 * printed. *is_partial (NULL is fine): saving the score over the file loses what was not
 * read. */
struct score *say_load(const char *file, bool *is_partial);

/* Opens /dev/null in the place of each of the descriptors 0 to 2 that is closed, so that no
 * file that is opened later gets our messages. Call it first in main. */
void streams_fill(void);
/* Flushes standard output before main returns. Returns `status`, or 1 after saying that not
 * all could be written. */
int streams_finish(int status);

#endif
