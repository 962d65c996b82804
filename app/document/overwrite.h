/* Whether a verb may write over a file unasked. It refuses what the editor refuses to write
 * without `!`. */
#ifndef APP_OVERWRITE_H
#define APP_OVERWRITE_H

#include <stdbool.h>

/* Returns why the file at `path` is not to be written over: it has a second name, or a store
 * with unsaved edits, or another program has it open. NULL: it may be, or there is none.
 * Blocks for the disk; any thread. */
const char *overwrite_refusal(const char *path);

/* Checks before a verb writes: the output must be none of the n inputs (NULL: none) and, unless
 * it is forced, nothing that the editor would ask about. 0, or 1 after saying why not. */
int overwrite_check(const char *output, bool is_forced, const char *const *inputs,
                    int n);
/* Also by another name, or through a link; not a device. NULL: no file. */
bool file_is_same(const char *a, const char *b);

#endif
