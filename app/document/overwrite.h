/* Whether a verb may write over a file without --force: not if the editor would refuse to write
 * without `!`. */
#ifndef APP_OVERWRITE_H
#define APP_OVERWRITE_H

#include <stdbool.h>

/* Returns why the file at `path` must not be written over: it has a second name, its store has unsaved
 * edits, or another program has it open. NULL: it may be written, or there is no file. Blocks for the
 * disk; any thread. */
const char *overwrite_refusal(const char *path);

/* Checks an output before a verb writes it: it must be none of the n inputs (some may be NULL) and,
 * unless it is forced, must not be refused as above. Returns 0, or 1 after an error message. */
int overwrite_check(const char *output, bool is_forced, const char *const *inputs,
                    int n);
/* Returns whether two paths are the same regular file, also by another name or through a link. Either
 * may be NULL. */
bool file_is_same(const char *a, const char *b);

#endif
